/* backend.h - what a device must be able to do. lib/ checks arguments and composes; a backend computes.
 *
 * A backend is one table of functions. They trust their arguments (lib/ has checked them), never see n = 0, and work
 * on memory of their device. */
#ifndef SK_BACKEND_H
#define SK_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "operators.h"
#include "order.h"
#include "program.h"
#include "scankit.h"

/* What every backend's device begins with. */
typedef struct sk_device {
    sk_arena workspace;
    bool deterministic;
    const char *algorithm; /* what ran last, a string constant */
    char name[128];
    char detail[256]; /* on the last error: the backend may say what its system said; lib/ says which call */
} sk_device;

/* Elements in columns: a key of key_size bytes (1, 2, 4, 8) compared as an unsigned integer and, where value_size is 4
 * or 8 instead of 0, a value beside it. Keys with values have 4 or 8 bytes. */
typedef struct sk_shape {
    unsigned key_size, value_size;
} sk_shape;

typedef struct sk_columns {
    void *keys, *values;
} sk_columns;

typedef struct sk_const_columns {
    const void *keys, *values;
} sk_const_columns;

/* Part of a normalised key. A value of `size` bytes at `offset` of an element is read (integers and floats of 1, 2, 4
 * or 8 bytes; opaque bytes of 1 to 8, first byte most significant), mapped to its order, complemented if descending,
 * shifted (left if positive, else right) and masked. A word of a key is the OR of its pieces. */
typedef enum sk_piece_kind { SK_PIECE_UNSIGNED, SK_PIECE_SIGNED, SK_PIECE_FLOAT, SK_PIECE_BYTES } sk_piece_kind;

typedef struct sk_piece {
    uint64_t mask;
    size_t offset;
    uint8_t size;
    uint8_t kind;
    bool swap; /* the bytes lie in big-endian order; not for SK_PIECE_BYTES */
    bool descending;
    int8_t shift;
} sk_piece;

#define SK_WORD_PIECES 8

typedef struct sk_word {
    unsigned count;
    sk_piece piece[SK_WORD_PIECES];
} sk_word;

/* Elements to be chosen from, by a program or by flags, and where they go. */
typedef struct sk_selection {
    const sk_program *program; /* NULL: by flags */
    const uint8_t *flags;      /* of the device, a byte an element, 0 for those that do not match */
    bool invert;               /* the others match */
    scankit_evaluation evaluation;
    uint64_t first; /* the position of in[0] */
    size_t element_size, n;
    const void *in; /* NULL where only flags and positions count */
    /* In their order; each NULL where not wanted. matching may be in, and nothing else may overlap. */
    void *matching, *others;
    uint64_t *positions; /* of those that match */
} sk_selection;

/* Bytes of an element: [begin, end). */
typedef struct sk_span {
    size_t begin, end;
} sk_span;

#define SK_SPANS 64

/* Elements whose runs are looked for, what of them is compared, and what is written for each run. */
typedef struct sk_runs {
    size_t element_size, n;
    const void *in;
    size_t span_count; /* 1 to SK_SPANS, rising, with gaps between them */
    sk_span span[SK_SPANS];
    /* Each NULL where not wanted. values may be in, reduced may be reduced_in, and nothing else may overlap. */
    void *values;     /* the first element */
    uint64_t *counts; /* the number of elements; not together with reduced */
    void *reduced;    /* reduced_in[begin] op ... op reduced_in[end - 1], of a canonical type */
    const void *reduced_in;
    scankit_type type;
    scankit_operator op;
} sk_runs;

/* True where all bytes count. */
static inline bool sk_compares_all(const sk_runs *runs)
{
    return runs->span_count == 1 && runs->span[0].begin == 0 && runs->span[0].end == runs->element_size;
}

typedef struct sk_backend {
    const char *prefix; /* "cpu", "cuda" */

    /* ---- the device. number: threads of a CPU, ordinal of a GPU; -1 for the default.
     * On failure *device is NULL. */
    int (*count)(void);
    scankit_error (*open)(sk_device **device, int number);
    void (*close)(sk_device *device);
    bool is_host;

    scankit_error (*allocate)(sk_device *device, void **memory, size_t bytes);
    void (*release)(sk_device *device, void *memory);
    scankit_error (*upload)(sk_device *device, void *to, const void *from, size_t bytes);
    scankit_error (*download)(sk_device *device, void *to, const void *from, size_t bytes);
    scankit_error (*copy)(sk_device *device, void *to, const void *from, size_t bytes);
    scankit_error (*synchronize)(sk_device *device);
    scankit_error (*available)(sk_device *device, size_t *bytes);
    scankit_error (*set_stream)(sk_device *device, void *stream); /* NULL function: the device has no streams */

    /* ---- primitives. Types are canonical (sk_canonical_type). in may be out in scans, sort and decode; nowhere
     * else. */
    scankit_error (*scan)(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                          const void *initial, const void *in, void *out, size_t n);
    scankit_error (*reduce)(sk_device *device, scankit_type type, scankit_operator op, const void *in, void *result,
                            size_t n);

    /* heads: of the device. offsets: of the device, segments + 1. */
    scankit_error (*segmented_scan)(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                                    const void *initial, const void *in, const uint8_t *heads, void *out, size_t n);
    scankit_error (*segmented_reduce)(sk_device *device, scankit_type type, scankit_operator op, const void *in,
                                      const uint64_t *offsets, void *results, size_t segments);

    /* Stable, by (key >> bit) & (2^bits - 1). offsets: host, 2^bits + 1, or NULL. */
    scankit_error (*split)(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                           unsigned bit, unsigned bits, size_t *offsets);
    scankit_error (*split_flags)(sk_device *device, size_t element_size, const void *in, const uint8_t *flags,
                                 void *out, size_t n, size_t *zeros);

    /* count: of those that match, in host memory, or NULL. */
    scankit_error (*compact)(sk_device *device, const sk_selection *selection, size_t *count);

    /* count: of the runs, in host memory, or NULL. */
    scankit_error (*encode_runs)(sk_device *device, const sk_runs *runs, size_t *count);

    /* counts[r] times values[r], of any element_size, one r after the other, to out; *n = how many elements that is.
     * SCANKIT_E_ARGUMENT, and nothing is written, where they are more than room or SIZE_MAX and more (*n is
     * SIZE_MAX then). out NULL: they are only counted. */
    scankit_error (*decode_runs)(sk_device *device, size_t element_size, const void *values, const uint64_t *counts,
                                 size_t runs, void *out, size_t room, size_t *n);

    /* Ascending by bits [begin_bit, end_bit) of the key, stable where there are values or not all bits count.
     * in.keys may be out.keys and in.values out.values; else in is left as it is. spare, for keys alone: room for n
     * that may be overwritten and is not out, but may be in.keys; NULL: the workspace has such room. */
    scankit_error (*sort)(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, void *spare, size_t n,
                          unsigned begin_bit, unsigned end_bit, scankit_algorithm algorithm);

    /* Keys alone, by the order of the piece, which is the whole key; in may be out. Not *done, and in and out as they
     * were, where encoding, sort and decoding are better. NULL: they always are. */
    scankit_error (*sort_values)(sk_device *device, const sk_piece *piece, const void *in, void *out, void *spare,
                                 size_t n, scankit_algorithm algorithm, bool *done);

    /* Stable, ascending by the whole key, of equals those of a first. One of the two may be empty. */
    scankit_error (*merge)(sk_device *device, sk_shape shape, sk_const_columns a, size_t na, sk_const_columns b,
                           size_t nb, sk_columns out);

    /* Keys alone, by the order of the piece, which is the whole key. Not *done where encoding, merge and decoding are
     * better. */
    scankit_error (*merge_values)(sk_device *device, const sk_piece *piece, const void *a, size_t na, const void *b,
                                  size_t nb, void *out, bool *done);

    /* ---- elements to key words and back ---- */

    /* out[i] = the low word_size bytes (1, 2, 4 or 8) of the word of element i, which begins at in + i * stride. out
     * may be in only where stride is word_size. */
    scankit_error (*encode)(sk_device *device, const sk_word *word, size_t stride, const void *in, unsigned word_size,
                            void *out, size_t n);

    /* The inverse, for a word of one piece that is the whole element: size = word_size = stride, no shift, no mask. */
    scankit_error (*decode)(sk_device *device, const sk_piece *piece, const void *in, void *out, size_t n);

    /* out[i] = element index[i] of a, or of b from na on; indices of 4 or 8 bytes; elements of any size. */
    scankit_error (*gather)(sk_device *device, size_t element_size, const void *a, size_t na, const void *b,
                            unsigned index_size, const void *index, void *out, size_t n);

    /* out[i] = first + i, of 4 or 8 bytes. */
    scankit_error (*iota)(sk_device *device, unsigned index_size, uint64_t first, void *out, size_t n);

    /* The smallest i from 1 up with element i before element i - 1, or n; elements are `columns` words of word_size
     * bytes, most significant column first, column c of element i at words + (c * n + i) * word_size. */
    scankit_error (*first_descent)(sk_device *device, unsigned word_size, unsigned columns, const void *words, size_t n,
                                   size_t *first);

    /* ---- the gallery: as scan, reduce, and compact by flags, by a row of this device: an sk_gallery_row (gallery.h),
     * which few files include, so that a new row is compiled soon ---- */

    scankit_error (*gallery_scan)(sk_device *device, unsigned row, scankit_type type, scankit_operator op,
                                  scankit_scan_kind kind, const void *initial, const void *in, void *out, size_t n);
    scankit_error (*gallery_reduce)(sk_device *device, unsigned row, scankit_type type, scankit_operator op,
                                    const void *in, void *result, size_t n);
    /* Elements of 1, 2, 4 or 8 bytes; matching alone is wanted. */
    scankit_error (*gallery_compact)(sk_device *device, unsigned row, const sk_selection *selection, size_t *count);
} sk_backend;

#endif
