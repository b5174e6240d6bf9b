/* backend.h - the functions that a device must have. lib/ checks arguments and composes; a backend computes.
 *
 * A backend is one table of functions. They trust their arguments (lib/ has checked them), never see n = 0, and work
 * on memory of their device. */
#ifndef SK_BACKEND_H
#define SK_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "bins.h"
#include "image.h"
#include "operators.h"
#include "order.h"
#include "program.h"
#include "scankit.h"

/* The caller's function of scankit_sort_options, and what it was told so far. ready: NULL if the caller gave none. A
 * backend may call sk_report() while it sorts; lib/ reports the end. */
typedef struct sk_progress {
    void (*ready)(void *state, size_t n);
    void *state;
    size_t done; /* elements that were reported as final */
} sk_progress;

static inline void sk_report(sk_progress *progress, size_t n)
{
    if (progress->ready == NULL || n <= progress->done)
        return;
    progress->done = n;
    progress->ready(progress->state, n);
}

#define SK_DETAIL 256 /* bytes of a line of detail */

/* The first member of every backend's device. */
typedef struct sk_device {
    sk_arena workspace;
    sk_progress progress; /* of the sort that runs */
    bool deterministic;
    const char *algorithm; /* the last one that ran, a string constant */
    char name[128];
    char identity[40];      /* of no other device */
    char detail[SK_DETAIL]; /* of the last error: the system's own message, if any; lib/ adds the call */
} sk_device;

/* True in a rehearsal (scankit_workspace_begin): a backend's function takes the workspace that it may need for any
 * data of these sizes, then returns without a look at memory. */
static inline bool sk_rehearses(const sk_device *device)
{
    return sk_arena_counts(&device->workspace);
}

/* Elements in columns: a key of key_size bytes (1, 2, 4, 8) compared as an unsigned integer and, where value_size is 4
 * or 8 instead of 0, a value beside it. Keys with values have 4 or 8 bytes. */
typedef struct sk_shape {
    unsigned key_size, value_size;
} sk_shape;

/* All shapes: X(bits of a key, bits of a value). */
#define SK_SHAPES(X) X(8, 0) X(16, 0) X(32, 0) X(64, 0) X(32, 32) X(32, 64) X(64, 32) X(64, 64)

/* f16 included. */
static inline bool sk_is_float(scankit_type type)
{
    return type == SCANKIT_F16 || type == SCANKIT_F32 || type == SCANKIT_F64;
}

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

/* Elements that are numbers of 1, 2, 4 or 8 bytes, and match if their keys, as the order of their type and direction
 * has them, lie in a range. All numbers here are of 4 bytes, or of 8 for elements of 8. The steps to a key are the ones
 * in order.h: the element is shifted to the top; the bits of `flip` change where its first bit is set; the bits of
 * `sign` change always; `first` is subtracted; the bits of `descending` change. It matches if key - low <= range. */
typedef struct sk_bound {
    uint64_t flip, sign, first, descending, low, range;
    unsigned shift;
} sk_bound;

/* For a test in fewer steps: the element is shifted, and the bits of `flip` but that of `sign` change where its first
 * bit is set. It matches if it is one of range + 1 numbers from this one on. These may wrap around. */
SK_INLINE uint64_t sk_bound_begin(const sk_bound *bound)
{
    uint64_t first = bound->descending != 0 ? bound->descending ^ (bound->low + bound->range) : bound->low;
    return first + bound->first - bound->sign;
}

/* A selection of elements, by a program or by flags, and its outputs. */
typedef struct sk_selection {
    const sk_program *program; /* NULL: by flags */
    const sk_bound *bound;     /* NULL, or the same as the program: a backend takes either */
    const uint8_t *flags;      /* of the device, a byte an element, 0 for those that do not match */
    bool invert;               /* the others match */
    bool any_order;            /* matching or positions may have any order */
    scankit_evaluation evaluation;
    uint64_t first; /* the position of in[0] */
    size_t element_size, n;
    const void *in; /* NULL where only flags and positions count */
    /* In their order; each NULL where not wanted. matching may be in, and nothing else may overlap. */
    void *matching, *others;
    uint64_t *positions; /* of those that match */
} sk_selection;

/* The first elements in order, or their positions: one of the outputs is NULL. Of a sample, every stride-th element,
 * the one at `place` in order is a threshold that k elements or more are likely to pass. It is frequent if the one at
 * `end` - 1 equals it. found: room for found_room elements that pass, or for keys above positions, of 4 bytes each. */
#define SK_TOP_FEW 1024 /* for k up to this, the sample is a smaller one */
typedef struct sk_top_first {
    const sk_bound *order; /* without its range */
    size_t element_size, n, k;
    const void *in;
    size_t samples, stride, place, end;
    void *elements;
    uint64_t *positions;
    void *found;
    size_t found_room;
} sk_top_first;
typedef struct sk_top_end {
    bool done;
    size_t found; /* not done, but k elements or more are in `found`, in any order; else 0 */
    size_t equal; /* of `counted` elements, those that equal the threshold, if it is frequent; else 0 */
    uint64_t key; /* the threshold's key */
    bool has_key; /* not done, but the threshold is known */
    size_t counted; /* where `equal` is not 0 */
} sk_top_end;

/* A histogram's inputs. */
typedef struct sk_histogram {
    scankit_type type, weight_type;
    const void *keys, *weights; /* weights: NULL, then each counts 1 */
    size_t n;
    sk_bins bins;
} sk_histogram;

#define SK_ORDER_WORDS 16

/* The order of records by keys. */
typedef struct sk_record_order {
    size_t record_size, key_count;
    const scankit_key *keys;
    size_t words;                 /* of 8 bytes, the last has the rest; they are all of the keys */
    sk_word word[SK_ORDER_WORDS]; /* the first ones */
    /* Compares two records in host memory: negative, 0 or positive. */
    int (*compare)(const scankit_key *keys, size_t key_count, const void *a, const void *b);
} sk_record_order;

/* Bytes of an element: [begin, end). */
typedef struct sk_span {
    size_t begin, end;
} sk_span;

#define SK_SPANS 64

/* A search for runs: the elements, the bytes that are compared, and the outputs for each run. */
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

/* One pass of a box filter. Both images have the same size and channels. Either both are f16 or f32, or each is u8 or
 * u16. */
typedef struct sk_box {
    uint32_t radius;    /* of all pixels, in units, if radii is NULL */
    const float *radii; /* or a radius for each pixel: sk_box_radius() limits and rounds it */
    size_t radii_pitch; /* bytes */
    scankit_edge edge;
    int shift; /* integers: out is the mean times 2^shift, by sk_box_mean(); -8, 0 or 8 */
} sk_box;

/* ---- the functions, declared by these two lists alone: the table sk_backend, the prototypes and the tables of both
 * backends are made from them ---- */

/* The device: X(result, name, (parameters)). open: number is the threads of a CPU or the ordinal of a GPU, -1 for the
 * default; on failure *device is NULL. set_stream, wait_stream and signal_stream: SCANKIT_E_ARGUMENT on a device
 * without streams. captures: the stream is being captured into a CUDA graph. pin and unpin: any thread may call them
 * beside other functions, so they write their message, if any, to detail and not to the device. reach: copies may read
 * the memory of another device of the backend from now on, directly if the machine can. copy_beside: copies beside the
 * work that is called after it; the source is complete, and the work before it is waited for. wait_beside: until these
 * copies are complete. */
/* clang-format off */
#define SK_DEVICE_FUNCTIONS(X)                                                                                         \
    X(int, count, (void))                                                                                              \
    X(scankit_error, open, (sk_device **device, int number))                                                           \
    X(void, close, (sk_device *device))                                                                                \
    X(scankit_error, allocate, (sk_device *device, void **memory, size_t bytes))                                       \
    X(void, release, (sk_device *device, void *memory))                                                                \
    X(scankit_error, upload, (sk_device *device, void *to, const void *from, size_t bytes))                            \
    X(scankit_error, download, (sk_device *device, void *to, const void *from, size_t bytes))                          \
    X(scankit_error, copy, (sk_device *device, void *to, const void *from, size_t bytes))                              \
    X(scankit_error, pin,                                                                                              \
      (sk_device *device, const void *memory, size_t bytes, bool read_only, char detail[SK_DETAIL]))                   \
    X(scankit_error, unpin, (sk_device *device, const void *memory, char detail[SK_DETAIL]))                           \
    X(scankit_error, synchronize, (sk_device *device))                                                                 \
    X(bool, captures, (sk_device *device))                                                                             \
    X(scankit_error, available, (sk_device *device, size_t *bytes))                                                    \
    X(scankit_error, total, (sk_device *device, size_t *bytes))                                                        \
    X(scankit_error, set_stream, (sk_device *device, void *stream))                                                    \
    X(scankit_error, wait_stream, (sk_device *device, void *stream))                                                   \
    X(scankit_error, signal_stream, (sk_device *device, void *stream))                                                 \
    X(scankit_error, reach, (sk_device *device, const sk_device *other))                                               \
    X(scankit_error, copy_beside, (sk_device *device, void *to, const void *from, size_t bytes))                       \
    X(scankit_error, wait_beside, (sk_device *device))

/* The primitives, which return a scankit_error: X(name, (parameters)). Types are canonical (sk_canonical_type). in may
 * be out in scans, sort and decode; nowhere else.
 *
 * reduce: result is host memory; the call waits for it. reduce_to: device memory.
 * segmented_scan: heads is device memory.
 * segmented_reduce: offsets is device memory, segments + 1.
 * histogram: counts[b] = the number of keys of bin b, or the sum of their weights, which are integers then.
 * bin: index[i] = the bin of key i, and values[i] = its weight by sk_weight_at(). There are weights.
 * split: stable, by (key >> bit) & (2^bits - 1). offsets: host memory, 2^bits + 1, or NULL.
 * compact: count, in host memory or NULL, is the number of elements that match.
 * top_first: not done if the sample misled, or the backend has no such kernel; the outputs may have changed then.
 * encode_runs: count, in host memory or NULL, is the number of runs.
 * decode_runs: counts[r] times values[r], elements of any element_size, one r after the other, to out; *n is their
 *   number. If that is more than room, or SIZE_MAX or more (*n is SIZE_MAX then): SCANKIT_E_ARGUMENT, and nothing is
 *   written. With out NULL they are only counted.
 * sort: ascending by bits [begin_bit, end_bit) of the key; stable if there are values or not all bits count. in.keys
 *   may be out.keys and in.values out.values; otherwise in stays as it is. spare, for keys alone: room for n elements
 *   that may be overwritten and may be in.keys; NULL: taken from the workspace. Only a backend of the host gets out.keys
 *   itself: in place with little workspace, if it can.
 * segmented_sort: each segment by the order of the piece, which is the whole key, stable. offsets: device memory,
 *   segments + 1 of them, and segments > 0. Other elements are copied. in.keys may be out.keys and in.values
 *   out.values. *done as in sort_values; always true for words of a shape, which are ascending unsigned integers. A GPU
 *   takes keys of 1 and 2 bytes with values of 4 or 8, too; if *done is false, it may have written to an output that is
 *   no input.
 * sort_values: keys alone, by the order of the piece, which is the whole key. in may be out. If encoding, sort and
 *   decoding are better, *done is false, and in and out stay as they were.
 * sort_pairs: stable, keys by the order of the piece, which is the whole key, with values of 4 or 8 bytes. A GPU
 *   is also asked about keys of 1 and 2 bytes, and values of 1, 2 and 16, aligned to their size. in.keys may be out.keys
 *   and in.values out.values. *done as in sort_values; always with keys of 1 and 2 bytes and values of up to 8.
 * sort_positions: positions[i] = where the i-th element in the stable order by bits [begin_bit, end_bit) of a word
 *   begins, in elements; n is below 2^32. *done false if a sort of pairs is better.
 * merge: stable, ascending by the whole key; of equal keys, a's come first. a or b may be empty.
 * merge_values: keys alone, by the order of the piece, which is the whole key. *done as in sort_values.
 * merge_pairs: as merge, keys by the order of the piece, which is the whole key, with values of 1, 2, 4 or 8 bytes,
 *   aligned to their size. *done as in sort_values.
 * merge_many: as merge, of k >= 2 arrays of n[0], ..., n[k - 1] elements; none is empty, and k, in and n are host
 *   memory. Of equal keys, the earlier array's come first.
 * merge_many_values: keys alone, by the order of the piece, which is the whole key. *done as in sort_values.
 * merge_many_records: *done false if the backend has no such kernel; words, positions and gather are used then.
 * encode: out[i] = the low word_size bytes (1, 2, 4 or 8) of the word of element i, which begins at in + i * stride.
 *   out may be in only if stride is word_size.
 * decode: the inverse, for a word of one piece that is the whole element: size = word_size = stride, no shift, no mask.
 * gather: out[i] = element index[i] of a, or of b from na on. Indices have 4 or 8 bytes, elements any size.
 * iota: out[i] = first + i, of 4 or 8 bytes.
 * first_descent: the smallest i > 0 with element i before element i - 1, or n. Elements are `columns` words of
 *   word_size bytes, the most significant column first; column c of element i is at words + (c * n + i) * word_size.
 * gallery_*: as scan, reduce, compact by flags and sort, by one row of this device's: an sk_gallery_row (gallery.h).
 *   Compaction takes elements of 1, 2, 4 or 8 bytes, and its only output is `matching`. Sorts take whole keys of 4 or 8
 *   bytes, and values of 0, 4 or 8. scan: the block scan that split-radix sorts chunks of u32 by, or SK_GALLERY_ROWS.
 * Of images and matrices, no side is 0, and every pitch is that of the rows, never 0.
 * transpose: in place where out is in; the matrix is square then, and the pitches are equal.
 * channel_sums: sums[c], in host memory = the sum of channel c: exact for integers below 2^53, else of a fixed order.
 * table: scankit_summed_area_table() of values - mean[c]; mean is host memory or NULL.
 * box: one pass of scankit_box_filter().
 * blur_radii: radii[i] = sk_blur_radius() of each depth; a limit of 0 is none. Their rows have no gaps.
 * mipmap: all levels. light: of in, if it has integers; else unused.
 * sample: as scankit_sample(). */
#define SK_PRIMITIVES(X)                                                                                               \
    X(scan,                                                                                                            \
      (sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind, const void *initial,         \
       const void *in, void *out, size_t n))                                                                           \
    X(reduce, (sk_device *device, scankit_type type, scankit_operator op, const void *in, void *result, size_t n))     \
    X(reduce_to, (sk_device *device, scankit_type type, scankit_operator op, const void *in, void *result, size_t n))  \
    X(segmented_scan,                                                                                                  \
      (sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind, const void *initial,         \
       const void *in, const uint8_t *heads, void *out, size_t n))                                                     \
    X(segmented_reduce,                                                                                                \
      (sk_device *device, scankit_type type, scankit_operator op, const void *in, const uint64_t *offsets,             \
       void *results, size_t segments))                                                                                \
    X(split,                                                                                                           \
      (sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, size_t n, unsigned bit, unsigned bits,  \
       size_t *offsets))                                                                                               \
    X(split_flags,                                                                                                     \
      (sk_device *device, size_t element_size, const void *in, const uint8_t *flags, void *out, size_t n,              \
       size_t *zeros))                                                                                                 \
    X(compact, (sk_device *device, const sk_selection *selection, size_t *count))                                      \
    X(top_first, (sk_device *device, const sk_top_first *what, sk_top_end *end))                                       \
    X(encode_runs, (sk_device *device, const sk_runs *runs, size_t *count))                                            \
    X(decode_runs,                                                                                                     \
      (sk_device *device, size_t element_size, const void *values, const uint64_t *counts, size_t runs, void *out,     \
       size_t room, size_t *n))                                                                                        \
    X(sort,                                                                                                            \
      (sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, void *spare, size_t n,                  \
       unsigned begin_bit, unsigned end_bit, scankit_algorithm algorithm))                                             \
    X(segmented_sort,                                                                                                  \
      (sk_device *device, const sk_piece *piece, sk_shape shape, sk_const_columns in, sk_columns out,                  \
       const uint64_t *offsets, size_t segments, size_t n, bool *done))                                                \
    X(sort_values,                                                                                                     \
      (sk_device *device, const sk_piece *piece, const void *in, void *out, void *spare, size_t n,                     \
       scankit_algorithm algorithm, bool *done))                                                                       \
    X(sort_pairs,                                                                                                      \
      (sk_device *device, const sk_piece *piece, unsigned value_size, sk_const_columns in, sk_columns out, size_t n,   \
       scankit_algorithm algorithm, bool *done))                                                                       \
    X(sort_positions,                                                                                                  \
      (sk_device *device, const sk_word *word, size_t stride, const void *in, unsigned begin_bit, unsigned end_bit,    \
       uint64_t *positions, size_t n, bool *done))                                                                     \
    X(merge,                                                                                                           \
      (sk_device *device, sk_shape shape, sk_const_columns a, size_t na, sk_const_columns b, size_t nb,                \
       sk_columns out))                                                                                                \
    X(merge_values,                                                                                                    \
      (sk_device *device, const sk_piece *piece, const void *a, size_t na, const void *b, size_t nb, void *out,        \
       bool *done))                                                                                                    \
    X(merge_pairs,                                                                                                     \
      (sk_device *device, const sk_piece *piece, unsigned value_size, sk_const_columns a, size_t na,                   \
       sk_const_columns b, size_t nb, sk_columns out, bool *done))                                                     \
    X(merge_many,                                                                                                      \
      (sk_device *device, sk_shape shape, size_t k, const sk_const_columns *in, const size_t *n, sk_columns out))      \
    X(merge_many_values,                                                                                               \
      (sk_device *device, const sk_piece *piece, size_t k, const void *const *in, const size_t *n, void *out,          \
       bool *done))                                                                                                    \
    X(merge_many_records,                                                                                              \
      (sk_device *device, const sk_record_order *order, size_t k, const void *const *in, const size_t *n, void *out,   \
       bool *done))                                                                                                    \
    X(encode,                                                                                                          \
      (sk_device *device, const sk_word *word, size_t stride, const void *in, unsigned word_size, void *out,           \
       size_t n))                                                                                                      \
    X(decode, (sk_device *device, const sk_piece *piece, const void *in, void *out, size_t n))                         \
    X(gather,                                                                                                          \
      (sk_device *device, size_t element_size, const void *a, size_t na, const void *b, unsigned index_size,           \
       const void *index, void *out, size_t n))                                                                        \
    X(iota, (sk_device *device, unsigned index_size, uint64_t first, void *out, size_t n))                             \
    X(first_descent,                                                                                                   \
      (sk_device *device, unsigned word_size, unsigned columns, const void *words, size_t n, size_t *first))           \
    X(gallery_scan,                                                                                                    \
      (sk_device *device, unsigned row, scankit_type type, scankit_operator op, scankit_scan_kind kind,                \
       const void *initial, const void *in, void *out, size_t n))                                                      \
    X(gallery_reduce,                                                                                                  \
      (sk_device *device, unsigned row, scankit_type type, scankit_operator op, const void *in, void *result,          \
       size_t n))                                                                                                      \
    X(gallery_compact, (sk_device *device, unsigned row, const sk_selection *selection, size_t *count))                \
    X(gallery_sort,                                                                                                    \
      (sk_device *device, unsigned row, unsigned scan, sk_shape shape, sk_const_columns in, sk_columns out, size_t n)) \
    X(histogram, (sk_device *device, const sk_histogram *what, uint64_t *counts))                                      \
    X(bin, (sk_device *device, const sk_histogram *what, uint32_t *index, uint64_t *values))                           \
    X(transpose,                                                                                                       \
      (sk_device *device, size_t element_size, const void *in, size_t in_pitch, void *out, size_t out_pitch,           \
       size_t rows, size_t columns))                                                                                   \
    X(scan_rows,                                                                                                       \
      (sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind, const void *in,              \
       size_t in_pitch, void *out, size_t out_pitch, size_t rows, size_t columns))                                     \
    X(channel_sums, (sk_device *device, const scankit_image *in, double *sums))                                        \
    X(table,                                                                                                           \
      (sk_device *device, const scankit_image *in, const scankit_image *out, const double *mean,                       \
       scankit_table_method method))                                                                                   \
    X(box, (sk_device *device, const scankit_image *in, const scankit_image *out, const sk_box *box))                  \
    X(blur_radii, (sk_device *device, const scankit_image *depth, float *radii, const scankit_lens *lens))             \
    X(mipmap,                                                                                                          \
      (sk_device *device, const scankit_image *in, const scankit_image *levels, unsigned count,                        \
       const sk_light *light))                                                                                         \
    X(sample,                                                                                                          \
      (sk_device *device, const scankit_image *levels, unsigned count, scankit_sampling sampling,                      \
       const sk_light *light, const scankit_place *places, float *out, size_t n))
/* clang-format on */

/* Copies host memory by a few threads: one alone is much slower than a GPU's bus (copy.c). */
#ifdef __cplusplus
extern "C" {
#endif
void sk_copy_by_threads(void *to, const void *from, size_t bytes);
#ifdef __cplusplus
}
#endif

typedef struct sk_backend {
    const char *prefix; /* "cpu", "cuda" */
    bool is_host;
#define X(result, name, parameters) result(*name) parameters;
    SK_DEVICE_FUNCTIONS(X)
#undef X
#define X(name, parameters) scankit_error(*name) parameters;
    SK_PRIMITIVES(X)
#undef X
} sk_backend;

#endif
