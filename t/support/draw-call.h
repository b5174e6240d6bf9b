/* draw-call.h - a random call of a random primitive: type, operator, length, shape of data, alignment and options. */
#ifndef DRAW_CALL_H
#define DRAW_CALL_H

#include <stddef.h>

#include "data.h"
#include "device.h"

/* Where drawn calls are made, one device after the other, and how many elements the cheapest of them have at most. */
typedef struct call_target {
    device *const *device;
    unsigned count;
    size_t most;
} call_target;

void draw_call(const call_target *to, random_state *random);

#endif
