/* group_sort.h - sorting inputs that fit into the memory of several devices together. */
#ifndef GROUP_SORT_H
#define GROUP_SORT_H

#include "request.h"
#include "result.h"

/* Sorts the inputs on request->devices and writes the result. Returns false, with nothing read or written, if the
 * inputs' size is not known, if they do not fit, or if the options ask for what groups do not have. */
bool sort_by_group(const struct sort_request *request, struct input *inputs, size_t count, struct result *result,
                   struct job *job);

#endif
