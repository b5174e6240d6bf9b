/* external.h - the external sort: any amount of input in bounded memory. */
#ifndef EXTERNAL_H
#define EXTERNAL_H

#include "io/output.h"
#include "request.h"

/* Sorts or merges whatever the inputs hold, as the request says, and completes the output. The device must have begun.
 * Nothing of the inputs or the output may have been read or written yet.
 *
 * Memory of the host is bounded by host_limit(), of a GPU by device_limit(). Runs stay in memory if all of them fit
 * there. */
void sort_in_runs(const struct sort_request *request, struct input *inputs, size_t count, struct schema *schema,
                  struct output *output, struct job *job);

#endif
