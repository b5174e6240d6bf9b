/* rounds.h - merges inputs that are sorted already, and can only be read from front to back, in constant memory. */
#ifndef ROUNDS_H
#define ROUNDS_H

#include "io/input.h"
#include "items/items.h"
#include "range.h"

struct rounds;

/* `room`: items in the buffer of each input. Every element is checked to be in order. */
struct rounds *rounds_open(struct input *inputs, size_t k, const struct schema *schema, const struct items *items,
                           size_t room, unsigned threads);
struct range_source rounds_source(struct rounds *rounds);
void rounds_close(struct rounds *rounds);

#endif
