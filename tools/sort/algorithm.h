/* algorithm.h - gpusort --algorithm: a method of production, or a textbook sort of the gallery. Textbook sorts take
 * arrays of numbers that fit into memory. */
#ifndef ALGORITHM_H
#define ALGORITHM_H

#include "request.h"

/* Prints all of them. */
void algorithm_list(void);

/* Sets the request's algorithm or its row, and with --device=auto the row's device. Fails if there is none of that name
 * or it cannot do what other options ask for. */
void algorithm_choose(struct sort_request *request);

/* Fails if the request has a row that does not sort such elements. */
void algorithm_check(const struct sort_request *request, const struct schema *schema);

/* Fails if the request has a row: the elements do not fit into memory. */
void algorithm_check_memory(const struct sort_request *request);

/* Bytes of the device's memory per element that a row takes. */
uint64_t algorithm_cost(const struct sort_request *request, size_t element);

/* Sorts n numbers where they are, by the request's row. positions: NULL, or room for the position of each. All pointers
 * are to the device's memory. */
void algorithm_sort(const struct sort_request *request, scankit_context *context, const scankit_key *key, void *numbers,
                    uint64_t *positions, size_t n);

#endif
