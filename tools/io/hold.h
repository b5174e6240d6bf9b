/* hold.h - bytes that wait until their number is known: the first ones in memory, the rest in a file without a name. */
#ifndef HOLD_H
#define HOLD_H

#include <stdint.h>

#include "codec/codec.h"

struct hold;

#define HOLD_FOR_NPY "the elements wait until a .npy header can tell their number"

/* memory_most: bytes that it may keep in memory. why: what happens there, for messages; a constant. */
struct hold *hold_open(uint64_t memory_most, const char *why);

/* Adds bytes. state: a struct hold. It is a write_function. */
void hold_add(void *state, const void *memory, size_t bytes);

uint64_t hold_bytes(const struct hold *hold);

/* Passes all of them to write(). */
void hold_pass(struct hold *hold, write_function *write, void *sink);

void hold_close(struct hold *hold);

#endif
