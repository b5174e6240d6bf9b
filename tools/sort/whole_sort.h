/* whole_sort.h - what the parts of a sort in memory share: the room that it needs (room.c), reading (load.c),
 * sorting and writing (sort_whole.c). */
#ifndef WHOLE_SORT_H
#define WHOLE_SORT_H

#include "common/buffer.h"
#include "external/ahead.h"
#include "io/writer.h"
#include "request.h"
#include "result.h"

#define BLOCK_BYTES ((size_t)16 << 20)

struct sorting {
    const struct sort_request *request;
    const struct schema *schema;
    struct job *job;
    struct input *inputs;
    size_t count;
    struct result *result;
    struct writer *writer; /* on a GPU */
    bool begun;            /* what comes before the elements was written */
    bool lean;             /* sorts with little more memory than the elements */
    scankit_context *context;
    struct buffer data;      /* the elements */
    struct buffer positions; /* with --argsort */
    size_t n;                /* elements */
};

/* ---- room.c ---- */

/* Bytes of the device's memory per element: the element, its copy while sorting, and more if keys are only parts of
 * elements. scankit.h gives the workspaces. */
uint64_t sorting_cost(const struct sorting *sorting);

/* True if the elements can be sorted in the device's memory. The usual sort is preferred: in place, some data take
 * longer. */
bool sorting_fits(struct sorting *sorting);

/* True if only a merge of runs can do it. */
bool is_for_runs(const struct sort_request *request);

/* ---- load.c ---- */

/* Reads inputs of `bytes` bytes to the device. Returns false if the device is not to sort them; nothing is read then.
 */
bool load_known(struct sorting *sorting, uint64_t bytes);

/* Reads on the host until a GPU would be faster. Returns true if all was read, and is in memory. Otherwise what was
 * read is ahead. */
bool load_unknown(struct sorting *sorting, struct ahead *ahead);

/* ---- sort_whole.c ---- */

/* Elements of the result. */
size_t sorting_wanted(const struct sorting *sorting);

/* Starts the threads that write what comes from a GPU. If the file system can provide pages beforehand, it does so
 * while the elements are read and sorted. */
void start_writer(struct sorting *sorting);

/* An array of the device; on a CPU, of the host. */
void make_buffer(const struct sorting *sorting, struct buffer *buffer, size_t bytes);

/* Sorts the elements and writes the result. */
void sort_whole(struct sorting *sorting);

#endif
