/* result.h - what gpusort writes: the skipped bytes of an input that is replaced, a .npy header, and elements. */
#ifndef RESULT_H
#define RESULT_H

#include "io/output.h"
#include "request.h"

struct result {
    const struct sort_request *request;
    const struct input *first; /* of the inputs: it says whether the output is a .npy file */
    const struct schema *schema;
    struct output *output;
    char *header; /* of a .npy file, to be rewritten; or NULL */
    size_t header_bytes;
};

/* True if something is written before the elements. */
bool result_has_head(const struct result *result);

/* True if it can begin while the elements are read, so that the file system provides the output's pages meanwhile. A
 * file that is replaced only when complete can get its header then. */
bool result_can_begin_early(const struct result *result);

/* True if the number of elements must be known before the first one is written. */
bool result_needs_count(const struct result *result);

/* Writes what comes before the elements. `count` is their number or, without `exactly`, not less than it. */
void result_begin(struct result *result, uint64_t count, bool exactly);

/* Completes the output, after n elements. Returns its bytes. */
uint64_t result_end(struct result *result, uint64_t n);

#endif
