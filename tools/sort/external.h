/* external.h - the external sort: any amount of input in bounded memory. */
#ifndef EXTERNAL_H
#define EXTERNAL_H

#include "external/ahead.h"
#include "request.h"
#include "result.h"

/* Sorts or merges whatever the inputs hold, as the request says, and writes the result. The device must have begun.
 * Nothing has been read of the inputs but what is `ahead`, and nothing was written.
 *
 * Memory of the host is bounded by host_limit(), of a GPU by device_limit(). Runs stay in memory if all of them fit
 * there. */
void sort_in_runs(const struct sort_request *request, struct input *inputs, size_t count, struct ahead *ahead,
                  struct result *result, struct job *job);

#endif
