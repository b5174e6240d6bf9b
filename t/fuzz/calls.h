/* calls.h - random calls of scankit.h, drawn from the bytes of a fuzzer. Arguments are often wrong and sizes often
 * extreme; what must hold is that memory is respected and that results agree with each other. */
#ifndef CALLS_H
#define CALLS_H

#include "fuzz.h"
#include "scankit.h"

typedef struct caller {
    fuzz_bytes *in;
    scankit_context *ctx;
} caller;

/* ---- drawing; what is drawn lives until calls_free() ---- */

scankit_type draw_type(caller *c); /* sometimes none */
scankit_operator draw_operator(caller *c);
scankit_sort_options draw_sort_options(caller *c);
size_t draw_count(caller *c, size_t element_size);
size_t draw_size(caller *c); /* of an element: 1 to 600, or now and then a special one */

/* A new array of exactly that many bytes, filled at random. No bytes: NULL or an address without room. */
void *draw_array(caller *c, size_t n, size_t size);

/* The same array, for a call in place, or a new one. */
void *draw_output(caller *c, void *in, size_t n, size_t size);

void calls_free(void);

/* ---- facts ---- */

/* True if the call succeeded; any error but a refused argument, a syntax error or short memory is wrong. */
bool call_did(scankit_error error);

/* ---- a call each, or a few that belong together ---- */

#define CALLS(X)        \
    X(scan)             \
    X(segmented_scan)   \
    X(segmented_reduce) \
    X(segmented_sort)   \
    X(split)            \
    X(split_pairs)      \
    X(split_flags)      \
    X(compact)          \
    X(gallery)          \
    X(gallery_sort)     \
    X(sort)             \
    X(sort_pairs)       \
    X(argsort)          \
    X(top_k)            \
    X(merge)            \
    X(merge_pairs)      \
    X(sort_records)     \
    X(merge_records)    \
    X(long_records)     \
    X(wrong_records)    \
    X(run_length)       \
    X(unique)           \
    X(reduce_by_key)

#define X(name) void call_##name(caller *c);
CALLS(X)
#undef X

#endif
