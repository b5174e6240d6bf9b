/* draw-call.h - a random call of a random primitive: type, operator, length, shape of data, alignment and options. */
#ifndef DRAW_CALL_H
#define DRAW_CALL_H

#include <stddef.h>

#include "data.h"
#include "device.h"

/* The devices of drawn calls, used one after the other, and the most elements of the cheapest calls. */
typedef struct call_target {
    device *const *device;
    unsigned count;
    size_t most;
} call_target;

void draw_call(const call_target *to, random_state *random);

#endif
