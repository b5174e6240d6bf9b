/* in_memory.h - sorting inputs that fit into the memory of the device. */
#ifndef IN_MEMORY_H
#define IN_MEMORY_H

#include "external/ahead.h"
#include "request.h"
#include "result.h"

/* Sorts the inputs and writes the result, if they fit. Otherwise returns false, and nothing was written; what was read
 * is `ahead`. Begins the device in any case. */
bool sort_in_memory(const struct sort_request *request, struct input *inputs, size_t count, struct ahead *ahead,
                    struct result *result, struct job *job);

#endif
