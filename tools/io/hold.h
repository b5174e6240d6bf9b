/* hold.h - elements that wait until their number is known: the first ones in memory, the rest in a file without a name.
 */
#ifndef HOLD_H
#define HOLD_H

#include "output.h"

struct hold;

/* memory_most: bytes that it may keep in memory. */
struct hold *hold_open(uint64_t memory_most);

/* Adds bytes. state: a struct hold. It is a write_function. */
void hold_add(void *state, const void *memory, size_t bytes);

/* Writes all of them to the output. */
void hold_write(struct hold *hold, struct output *output);

void hold_close(struct hold *hold);

#endif
