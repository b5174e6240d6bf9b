/* group_sort.h - sorting inputs that fit into the memory of several devices together. */
#ifndef GROUP_SORT_H
#define GROUP_SORT_H

#include "request.h"
#include "result.h"

/* Sorts the inputs on request->devices, if that is a list, and writes the result. Returns false, with nothing read or
 * written, if the inputs' size is not known, if they do not fit, or if the options ask for what groups do not have. */
bool sort_by_group(const struct sort_request *request, struct input *inputs, size_t count, struct result *result,
                   struct job *job);

/* The same on all GPUs, where --device=auto has taken a GPU whose memory does not hold the inputs. */
bool sort_by_all_gpus(const struct sort_request *request, struct input *inputs, size_t count, struct result *result,
                      struct job *job);

#endif
