/* scan.h - what gpuscan is asked to do, and the parts that do it. */
#ifndef SCAN_H
#define SCAN_H

#include "io/pipeline.h"
#include "scanner.h"
#include "segments.h"
#include "value.h"

struct scan_request {
    struct common common;
    scankit_operator op;
    bool exclusive, inclusive, reduce, in_place, deterministic, list;
    const char *segments, *value, *algorithm; /* NULL where not given */
};

/* Each for all inputs, one behind the other: scans them into one output, or in place of the only input; writes a
 * reduction for each segment; prints one of all. */
void scan_files(const struct scan_request *request, char *const *paths, size_t count, struct job *job);
void reduce_segments(const struct scan_request *request, char *const *paths, size_t count, struct job *job);
void reduce_files(const struct scan_request *request, char *const *paths, size_t count, struct job *job);

/* ---- the gallery ---- */

/* Prints the table. */
void gallery_list(void);

/* Takes --algorithm's device for --device=auto; fails where there is no such algorithm for what is asked, before
 * anything is read; and then where it does not do this operator of this type. */
void gallery_choose(struct scan_request *request);
void gallery_check(const struct scan_request *request, scankit_type type);

/* ---- the pass over the inputs: blocks with the values of each, and where segments begin ---- */

/* Takes n elements, 1 or more, their values, which it may change where they are gathered, and flags where segments
 * begin, or NULL. */
typedef void take_values(void *state, const char *block, char *values, const uint8_t *heads, size_t n);

struct pass {
    const struct scan_request *request;
    struct pipeline pipeline;
    struct value value;
    struct segments segments; /* with --segments */
    struct scanner scanner;
    char *values; /* room for the values of a block, where they must be gathered */
    take_values *take;
    void *state; /* of take() */
};

void pass_open(struct pass *pass, const struct scan_request *request, char *const *paths, size_t count,
               struct job *job);

/* How many elements a block has, where take() uses `each` bytes for each, in one of `shares` of the memory. */
void pass_measure(struct pass *pass, size_t each, unsigned shares);
void pass_run(struct pass *pass, take_values *take, void *state);
void pass_close(struct pass *pass);

#endif
