/* segmented.h - gpusort --segments: each segment is sorted by itself. */
#ifndef SEGMENTED_H
#define SEGMENTED_H

#include "request.h"

/* Sorts the segments of all inputs, one behind the other, into one output, or in place of the only input. Memory is
 * constant, but a segment must fit into it. */
void sort_segments(const struct sort_request *request, char *const *paths, size_t count, struct job *job);

#endif
