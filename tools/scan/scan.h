/* scan.h - gpuscan's options, and its parts. */
#ifndef SCAN_H
#define SCAN_H

#include "io/pipeline.h"
#include "io/segments.h"
#include "scanner.h"
#include "value.h"

struct scan_request {
    struct common common;
    scankit_operator op;
    bool has_op, exclusive, inclusive, reduce, in_place, deterministic, list;
    const char *segments, *value, *algorithm, *histogram; /* NULL: not given */
    const scankit_gallery_row *row;                       /* of the algorithm; or NULL */
};

/* Each takes all inputs, in order. The first scans them into one output, or in place of the only input; the second
 * writes a reduction per segment; the third prints one number; the fourth prints a histogram. */
void scan_files(const struct scan_request *request, char *const *paths, size_t count, struct job *job);
void reduce_segments(const struct scan_request *request, char *const *paths, size_t count, struct job *job);
void reduce_files(const struct scan_request *request, char *const *paths, size_t count, struct job *job);
void count_bins(const struct scan_request *request, char *const *paths, size_t count, struct job *job);

/* Fails unless --op and --algorithm apply to the type. */
void scan_check_operator(const struct scan_request *request, scankit_type type);

/* Opens the output of numbers as text. */
void scan_open_text(struct output *output, const struct common *common);

/* Writes the reduction of all elements as text. */
void scan_put_total(const struct scan_request *request, const struct value *value, const char *total,
                    struct stats *stats);

/* ---- the pass over the inputs: blocks with the values of each, and where segments begin ---- */

/* Takes n >= 1 elements, their values, which it may change if they are gathered, and flags where segments begin, or
 * NULL. */
typedef void take_values(void *state, const char *block, char *values, const uint8_t *heads, size_t n);

/* Takes n >= 1 elements that a device of a list has: as values, or with --reduce their reduction. */
typedef void take_member(void *state, struct scan_member *member, size_t n);

struct pass {
    const struct scan_request *request;
    struct pipeline pipeline;
    struct value value;
    struct segments segments; /* with --segments */
    struct scanner scanner;
    char *values; /* of a block, if they must be gathered */
    take_values *take;
    void *state;                 /* of take(), and of take_member() */
    take_member *take_member;    /* NULL: several devices do not do this together */
    struct scan_member *members; /* if they do */
    size_t member_count;
};

/* together: takes the blocks of a list of devices, or NULL; it is not called where the first of them does the work. */
void pass_open(struct pass *pass, const struct scan_request *request, char *const *paths, size_t count, struct job *job,
               take_member *together);

/* Sets the elements per block. take() uses `each` bytes per element, and all of it gets 1/shares of the memory. */
void pass_measure(struct pass *pass, size_t each, unsigned shares);
void pass_run(struct pass *pass, take_values *take, void *state);
void pass_close(struct pass *pass);

#endif
