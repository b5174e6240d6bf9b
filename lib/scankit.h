/* scankit.h - sorting and data processing built on scan (prefix sums).
 *
 * SPDX-License-Identifier: MIT
 *
 * The shortest whole program, sorting n keys on whatever device there is:
 *
 *     scankit_context *ctx;
 *     void *keys;
 *     if (scankit_open(&ctx, "auto") != SCANKIT_OK) ...
 *     scankit_allocate(ctx, &keys, n * sizeof(uint32_t));
 *     scankit_upload(ctx, keys, host_keys, n * sizeof(uint32_t));
 *     scankit_sort(ctx, SCANKIT_U32, keys, keys, n, NULL);
 *     scankit_download(ctx, host_keys, keys, n * sizeof(uint32_t));
 *     scankit_free(ctx, keys);
 *     scankit_close(ctx);
 *
 * Conventions, true of every declaration below unless it says otherwise:
 *
 * - Counts are of elements, sizes are of bytes; both are size_t, and every primitive works past 2^32 elements.
 * - Data pointers are memory of the context's device (section 3). They need the alignment of their element type
 *   and no more; records, and values and elements that are given by their size, need none. Scalar results come back
 *   in host memory.
 * - An array of no elements may be NULL. Two arrays of one call overlap only where its comment allows it.
 * - A function answers a scankit_error. When it is not SCANKIT_OK, outputs hold nothing useful, but inputs that are
 *   not outputs too are as they were. The library never prints, never exits and never aborts.
 * - On a CPU a call has done its work when it returns. On a GPU it may only have queued it on the context's stream:
 *   a download, a scalar result or scankit_synchronize() waits.
 * - A context may be used by one thread at a time. Different contexts are independent.
 * - Workspace is memory of the device besides the arrays that are handed in. The context keeps it from call to call, so
 *   that it holds the most that a call has needed. What is said of it is a bound.
 */
#ifndef SCANKIT_H
#define SCANKIT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SCANKIT_API __attribute__((visibility("default")))
#else
#define SCANKIT_API
#endif

/* ---- 1. Errors, types, operators ---------------------------------------------------------------------------- */

/* X(enumerator, text) */
#define SCANKIT_ERRORS(X)              \
    X(OK, "success")                   \
    X(E_ARGUMENT, "invalid argument")  \
    X(E_SYNTAX, "invalid description") \
    X(E_MEMORY, "out of memory")       \
    X(E_NO_DEVICE, "no such device")   \
    X(E_DEVICE, "device failure")

typedef enum scankit_error {
#define X(name, text) SCANKIT_##name,
    SCANKIT_ERRORS(X)
#undef X
} scankit_error;

/* A half-precision float (IEEE 754 binary16) by its bits: 1 of sign, 5 of exponent, 10 of fraction. */
typedef struct scankit_f16 {
    uint16_t bits;
} scankit_f16;

/* Element types: X(enumerator, name, C type, kind). The kind decides which operators there are and how keys order. */
#define SCANKIT_TYPES(X)            \
    X(U8, u8, uint8_t, unsigned)    \
    X(U16, u16, uint16_t, unsigned) \
    X(U32, u32, uint32_t, unsigned) \
    X(U64, u64, uint64_t, unsigned) \
    X(I8, i8, int8_t, signed)       \
    X(I16, i16, int16_t, signed)    \
    X(I32, i32, int32_t, signed)    \
    X(I64, i64, int64_t, signed)    \
    X(F16, f16, scankit_f16, half)  \
    X(F32, f32, float, float)       \
    X(F64, f64, double, float)

typedef enum scankit_type {
#define X(enumerator, name, ctype, kind) SCANKIT_##enumerator,
    SCANKIT_TYPES(X)
#undef X
        SCANKIT_BYTES /* opaque bytes, compared as unsigned bytes, first byte first; only in layouts and keys */
} scankit_type;

/* Binary operators for scan and reduce: X(enumerator, name). All are associative; all but affine are commutative.
 *
 * - sum, prod: integers wrap modulo 2^bits. Floats round at each step, so the result depends on the order of the
 *   additions, which a GPU chooses anew on each run: see scankit_set_deterministic(). Sums and products of f16 are
 *   computed in f32, and each result is rounded to f16 once.
 * - min, max: by the library's order of values (section 4), so the result is one of the elements, bit for bit, and
 *   the maximum of floats is a NaN where there is one.
 * - and, or, xor: integers only.
 * - affine: unsigned integers only. The high half of an element is a, the low half b, and it stands for the map
 *   x -> a x + b modulo 2^(bits/2); "l affine r" is the map that applies l first and then r. It makes a scan solve a
 *   first-order linear recurrence (Blelloch, Prefix Sums and Their Applications, 1990, section 1.4), and it is not
 *   commutative: operands keep their order.
 *
 * An operator that a type does not have is SCANKIT_E_ARGUMENT. */
#define SCANKIT_OPERATORS(X) \
    X(SUM, sum)              \
    X(PROD, prod)            \
    X(MIN, min)              \
    X(MAX, max)              \
    X(AND, and)              \
    X(OR, or)                \
    X(XOR, xor)              \
    X(AFFINE, affine)

typedef enum scankit_operator {
#define X(enumerator, name) SCANKIT_##enumerator,
    SCANKIT_OPERATORS(X)
#undef X
} scankit_operator;

/* "0.1.0" */
SCANKIT_API const char *scankit_version(void);

/* The error's text; never NULL. */
SCANKIT_API const char *scankit_error_string(scankit_error error);

/* Bytes of an element; 0 for SCANKIT_BYTES and for what is no type. */
SCANKIT_API size_t scankit_type_size(scankit_type type);

/* "u32"; "bytes" for SCANKIT_BYTES; NULL for what is no type. */
SCANKIT_API const char *scankit_type_name(scankit_type type);

/* The type of that name ("u32"), or SCANKIT_E_ARGUMENT. Does not know "bytesN": that is a layout's. */
SCANKIT_API scankit_error scankit_type_from_name(scankit_type *type, const char *name);

SCANKIT_API const char *scankit_operator_name(scankit_operator op);
SCANKIT_API scankit_error scankit_operator_from_name(scankit_operator *op, const char *name);

/* 1 where the type has the operator. */
SCANKIT_API int scankit_operator_applies(scankit_operator op, scankit_type type);

/* ---- 2. Contexts: one device, one stream of work, one growing workspace --------------------------------------- */

typedef struct scankit_context scankit_context;

/* Opens a device: "cpu" (all cores), "cpu:THREADS", "cuda" (the first GPU), "cuda:N", or "auto": the first GPU, or
 * the CPU where there is none. On failure *context is NULL. SCANKIT_E_SYNTAX for another text, SCANKIT_E_NO_DEVICE
 * for a GPU that is not there or a library built without CUDA, SCANKIT_E_DEVICE for one that does not start.
 * Starting a GPU takes some 0.3 s. */
SCANKIT_API scankit_error scankit_open(scankit_context **context, const char *device);

/* Waits for the work, frees the workspace; memory from scankit_allocate() must be freed before. NULL is fine. */
SCANKIT_API void scankit_close(scankit_context *context);

/* GPUs that scankit_open() can be asked for; 0 without a driver or in a build without CUDA. Takes milliseconds. */
SCANKIT_API int scankit_cuda_device_count(void);

/* "cpu:2", "cuda:0 (NVIDIA H100 80GB HBM3)". Lives as long as the context. */
SCANKIT_API const char *scankit_device_name(const scankit_context *context);

/* One line on the last error of this context: which function, what was wrong, the device's own message. Empty after
 * none. Lives until the next call. */
SCANKIT_API const char *scankit_error_detail(const scankit_context *context);

/* The algorithm that the last sort, split, merge or scan of this context ran, for statistics: "hybrid". */
SCANKIT_API const char *scankit_last_algorithm(const scankit_context *context);

/* With on = 1, floating-point sums and products come out with the same bits on every run and on every GPU, at some
 * cost in speed; the default is 0. (CPU results are the same bits for any number of threads in either mode; CPU and
 * GPU add in different orders.) */
SCANKIT_API scankit_error scankit_set_deterministic(scankit_context *context, int on);

/* Queues all later work on a stream of the caller's, a cudaStream_t, instead of the context's own; NULL returns to
 * that. Waits for what is queued. SCANKIT_E_ARGUMENT on a CPU. */
SCANKIT_API scankit_error scankit_set_stream(scankit_context *context, void *stream);

/* ---- 3. Memory of the context's device ------------------------------------------------------------------------ */

/* On a CPU, device memory is plain memory and every host pointer is accepted. On a GPU, pointers from cudaMalloc() on
 * the same device are accepted as well as these. Memory is aligned to 256 bytes and holds no particular value. */
SCANKIT_API scankit_error scankit_allocate(scankit_context *context, void **memory, size_t bytes);
SCANKIT_API void scankit_free(scankit_context *context, void *memory);

/* Host to device, device to host, device to device. An upload returns when the host memory may be changed again, a
 * download when it has arrived; large transfers go through a ring of pinned buffers, so that uploading block after
 * block overlaps the caller's reading with the bus. Areas do not overlap. */
SCANKIT_API scankit_error scankit_upload(scankit_context *context, void *device, const void *host, size_t bytes);
SCANKIT_API scankit_error scankit_download(scankit_context *context, void *host, const void *device, size_t bytes);
SCANKIT_API scankit_error scankit_copy(scankit_context *context, void *to, const void *from, size_t bytes);

/* Waits until everything queued is done, and answers for its errors. */
SCANKIT_API scankit_error scankit_synchronize(scankit_context *context);

/* 1 where device memory can be read and written through its pointer directly: on a CPU. */
SCANKIT_API int scankit_is_host(const scankit_context *context);

/* Bytes that could be allocated now, as well as the system knows. */
SCANKIT_API scankit_error scankit_memory_available(scankit_context *context, size_t *bytes);

/* ---- 4. Primitives on arrays of one type ---------------------------------------------------------------------- */

/* The order of values, for sorting, merging, min and max: integers by value; floats by value with -0.0 before +0.0 and
 * every NaN last. Floats of different bits never count as equal: of NaNs, those without a sign come first, by rising
 * payload, then those with one, by falling payload. Every bit pattern comes out as it went in. */

/* Scan: out[i] = in[0] op in[1] op ... op in[i] (SCANKIT_INCLUSIVE) or ... op in[i-1] (SCANKIT_EXCLUSIVE, out[0] the
 * operator's identity). With initial (host memory, one element), that stands in front of in[0], which is how a long
 * array is scanned in parts. out may be in. Integer results are the same on every device.
 * Method: CPU, reduce-then-scan over cache-sized blocks; GPU, single pass with decoupled look-back (Merrill and
 * Garland 2016), where it pays over a ring of tiles that are copied in and out in bulk. Workspace: 16 bytes a tile of
 * at least 4096 elements, also where out is in. */
typedef enum scankit_scan_kind { SCANKIT_INCLUSIVE, SCANKIT_EXCLUSIVE } scankit_scan_kind;
SCANKIT_API scankit_error scankit_scan(scankit_context *context, scankit_type type, scankit_operator op,
                                       scankit_scan_kind kind, const void *initial, const void *in, void *out,
                                       size_t n);

/* Reduce: *result (host memory, one element) = in[0] op ... op in[n-1]; the operator's identity for n = 0. Waits. The
 * same bits on every run and every GPU, also for floats. Workspace: at most 64 KiB. */
SCANKIT_API scankit_error scankit_reduce(scankit_context *context, scankit_type type, scankit_operator op,
                                         const void *in, void *result, size_t n);

/* Segmented scan: scankit_scan() that begins anew at each head, an element whose byte of `heads` (of the device's, one
 * an element) is not 0: out[i] = in[s] op ... op in[i], where s is the last head at or before i, or 0 where there is
 * none; exclusive, up to in[i-1], and the operator's identity at a head. initial (host memory, one element, or NULL)
 * stands in front of in[0] where that is no head, so that a long array can be scanned in parts. out may be in; heads
 * overlaps neither. Integer results are the same on every device, and all results the same bits on every run and every
 * GPU, also for floats.
 * Method: pairs of a head and a value have an operator too, associative where op is (Blelloch 1990, section 1.5;
 * Sengupta, Harris, Zhang and Owens, Scan Primitives for GPU Computing, 2007): so a scan, on a CPU as scankit_scan(), on
 * a GPU in a single pass with decoupled look-back, which ends at the last tile that has a head. Workspace: 16 bytes a
 * tile of at least 2048 elements, also where out is in. */
SCANKIT_API scankit_error scankit_segmented_scan(scankit_context *context, scankit_type type, scankit_operator op,
                                                 scankit_scan_kind kind, const void *initial, const void *in,
                                                 const uint8_t *heads, void *out, size_t n);

/* Segmented reduce: results[s] = in[offsets[s]] op ... op in[offsets[s+1] - 1], the operator's identity where the
 * segment is empty; for s < segments. offsets: segments + 1 of the device's, none below the one before it; the first
 * need not be 0. Segments may be of any length, many tiny ones or one of all elements: work is dealt by elements and
 * segments together. in may be NULL where all are empty; results overlaps neither of the others. The same bits on every
 * run and every GPU, also for floats.
 * Method: merge path over elements and ends of segments (Merrill and Garland, Merge-based Parallel Sparse Matrix-Vector
 * Multiplication, 2016), with a segmented scan of what is left open. Workspace: 64 KiB. */
SCANKIT_API scankit_error scankit_segmented_reduce(scankit_context *context, scankit_type type, scankit_operator op,
                                                   const void *in, const uint64_t *offsets, void *results,
                                                   size_t segments);

/* Split: stable partition by a digit, the `bits` (1 to 8) bits of each element's bit pattern from bit `bit` up: all
 * elements of digit 0 in their order, then those of digit 1, and so on. offsets (host memory, 2^bits + 1 counts, or
 * NULL) gets where each digit begins in out, and n at the end; asking for them waits. One bit is the split of GPU
 * Gems 3 chapter 39. out is not in. Workspace: 1 KiB a tile of at least 3584 elements, 40 MiB at most (CPU: 1 MiB a
 * thread). */
SCANKIT_API scankit_error scankit_split(scankit_context *context, scankit_type type, const void *in, void *out,
                                        size_t n, unsigned bit, unsigned bits, size_t *offsets);

/* The same for keys with a value of value_size bytes (any size) each. Workspace: besides, for values that are not of
 * 4 or 8 bytes or keys that are not, 32 bytes an element. */
SCANKIT_API scankit_error scankit_split_pairs(scankit_context *context, scankit_type type, const void *keys_in,
                                              void *keys_out, size_t value_size, const void *values_in,
                                              void *values_out, size_t n, unsigned bit, unsigned bits, size_t *offsets);

/* The same by an array of flags: elements (of any element_size) whose flag is 0 first, then the others, both in their
 * order. *zeros (host memory, or NULL) gets the number of the first; asking for it waits. Workspace: 16 bytes a tile of
 * 2048 elements (CPU: 8 bytes a thread). */
SCANKIT_API scankit_error scankit_split_flags(scankit_context *context, size_t element_size, const void *in,
                                              const uint8_t *flags, void *out, size_t n, size_t *zeros);

/* How to sort: X(enumerator, name, what it does). */
#define SCANKIT_ALGORITHMS(X)                                                                                 \
    X(AUTO, "auto", "the fastest for the data")                                                               \
    X(HYBRID, "hybrid", "partition by leading bits until a bucket fits on chip, then sort each bucket there") \
    X(RADIX, "radix", "whole-array radix sort, least significant digit first")                                \
    X(CHUNK_MERGE, "chunk-merge", "sort of chunks that fit on chip, then bitonic merges of sorted chunks")

typedef enum scankit_algorithm {
#define X(enumerator, name, text) SCANKIT_##enumerator,
    SCANKIT_ALGORITHMS(X)
#undef X
} scankit_algorithm;

SCANKIT_API const char *scankit_algorithm_name(scankit_algorithm algorithm);
SCANKIT_API scankit_error scankit_algorithm_from_name(scankit_algorithm *algorithm, const char *name);

/* NULL, or all zeros, means ascending by the whole key with the fastest algorithm. */
typedef struct scankit_sort_options {
    int descending;              /* 1: greatest first; equals still keep their order */
    unsigned begin_bit, end_bit; /* integer types: compare bits [begin_bit, end_bit) only; 0, 0 is all of them */
    scankit_algorithm algorithm;
    int overwrite_input; /* 1: scankit_sort() may write to in, which saves memory; others pass over it */
} scankit_sort_options;

/* Sort. Stable wherever that can be seen. out may be in; otherwise in is left as it was. But with overwrite_input (and
 * out elsewhere) in is the second array that every method needs: it is written to in spite of its const, and holds
 * nothing useful afterwards; where the sort fails half way (any error but SCANKIT_E_ARGUMENT), the keys are lost.
 * Methods: hybrid, Stehle and Jacobsen 2017; radix, split by digit with a scan of the counts (GPU Gems 3 ch. 39;
 * Adinets and Merrill 2022); chunk-merge, Satish, Harris and Garland 2009, merge path by Green, McColl and Bader 2012,
 * merged by Batcher's bitonic network. Workspace: 1.6 n elements and 40 MiB at most, where there is as much; it does
 * with 1.05 n in place, and elsewhere with one reading of the keys more (CPU: n, 2 MiB a thread). With overwrite_input
 * n/8 elements and 8 MiB (CPU: 2 MiB a thread), at the cost of that reading, and of a copy in a radix sort of an even
 * number of passes. */
SCANKIT_API scankit_error scankit_sort(scankit_context *context, scankit_type type, const void *in, void *out, size_t n,
                                       const scankit_sort_options *options);

/* Sort of keys with a value of value_size bytes (any size) each, stable. keys_out may be keys_in and values_out may be
 * values_in. Workspace: n pairs and 40 MiB (CPU: 2 MiB a thread; GPU: 2 n pairs of 4 and 4 bytes, where their leading
 * bits do not spread them); where keys have less than 4 bytes or values are neither of 4 nor of 8, instead of the pairs
 * 32 bytes an element, and n keys and n values more where these are in place. */
SCANKIT_API scankit_error scankit_sort_pairs(scankit_context *context, scankit_type type, const void *keys_in,
                                             void *keys_out, size_t value_size, const void *values_in, void *values_out,
                                             size_t n, const scankit_sort_options *options);

/* Positions that would sort: in[positions[0]], in[positions[1]], ... is the stable sort of in. Workspace: 24 bytes an
 * element, 32 where keys have 8 bytes or positions go past 2^32, and 40 MiB (CPU: 2 MiB a thread). */
SCANKIT_API scankit_error scankit_argsort(scankit_context *context, scankit_type type, const void *in,
                                          uint64_t *positions, size_t n, const scankit_sort_options *options);

/* *first (host memory) = the smallest i with in[i] before in[i-1] in that order, or n where in is sorted. Waits.
 * Workspace: at most 40 MiB, and none for unsigned types in ascending order. */
SCANKIT_API scankit_error scankit_is_sorted(scankit_context *context, scankit_type type, const void *in, size_t n,
                                            const scankit_sort_options *options, size_t *first);

/* Merge of two sorted arrays into out (na + nb elements), stable: of equals, those of a come first. What is not sorted
 * gives elements of both, some perhaps more than once. out is neither a nor b. Of the options, descending and the bits
 * count. Workspace: 8 bytes a tile of at least 2048 elements (CPU: 128 KiB a thread); with values, for types that are
 * not unsigned, or descending order, na + nb elements. */
SCANKIT_API scankit_error scankit_merge(scankit_context *context, scankit_type type, const void *a, size_t na,
                                        const void *b, size_t nb, void *out, const scankit_sort_options *options);

/* The same for keys with a value of value_size bytes (any size) each. Workspace: besides, for values that are not of 4
 * or 8 bytes or keys that are not, 32 bytes an element. */
SCANKIT_API scankit_error scankit_merge_pairs(scankit_context *context, scankit_type type, const void *keys_a,
                                              const void *values_a, size_t na, const void *keys_b, const void *values_b,
                                              size_t nb, void *keys_out, size_t value_size, void *values_out,
                                              const scankit_sort_options *options);

/* ---- 5. Records: layouts, keys, and what sorts by them -------------------------------------------------------- */

/* A layout says what fields a record of fixed width has. Fields lie one after the other without gaps. */
typedef struct scankit_layout scankit_layout;

typedef struct scankit_field {
    const char *name; /* lives as long as the layout; may be empty, for padding */
    scankit_type type;
    size_t offset;  /* from the record's first byte */
    size_t size;    /* bytes */
    int big_endian; /* never for SCANKIT_BYTES and one-byte types */
} scankit_field;

/* An empty layout, of size 0. */
SCANKIT_API scankit_error scankit_layout_create(scankit_layout **layout);
SCANKIT_API void scankit_layout_destroy(scankit_layout *layout);

/* Appends a field; size counts only for SCANKIT_BYTES, where it is 1 or more. SCANKIT_E_SYNTAX for a name that is there
 * already; an empty name may come again. */
SCANKIT_API scankit_error scankit_layout_append(scankit_layout *layout, const char *name, scankit_type type,
                                                size_t size, int big_endian);

/* A layout from its text, NAME:TYPE[,NAME:TYPE...], where TYPE is a type's name or bytesN, N from 1 to 2^20. Names are
 * of letters, digits, _ . and -, and do not begin with a digit. On SCANKIT_E_SYNTAX *where (or where = NULL) is the
 * offset in the text at which it goes wrong. */
SCANKIT_API scankit_error scankit_layout_parse(scankit_layout **layout, const char *text, int big_endian,
                                               size_t *where);

SCANKIT_API size_t scankit_layout_size(const scankit_layout *layout); /* bytes of a record */
SCANKIT_API size_t scankit_layout_count(const scankit_layout *layout);
SCANKIT_API const scankit_field *scankit_layout_field(const scankit_layout *layout,
                                                      size_t index); /* NULL past the end */
SCANKIT_API const scankit_field *scankit_layout_find(const scankit_layout *layout, const char *name); /* NULL: none */

/* One sort key of a record. Several keys order by the first, where equal by the second, and so on. */
typedef struct scankit_key {
    size_t offset;
    scankit_type type;
    size_t size; /* for SCANKIT_BYTES, any; the other types know theirs */
    int big_endian;
    int descending;
} scankit_key;

/* Keys from their text, KEY[:asc|:desc][,KEY...], where KEY is a field's name or OFFSET:TYPE (TYPE as in a layout;
 * endianness big_endian). Appends to keys[*count], at most `room` in all (SCANKIT_E_ARGUMENT past that); *where as in
 * scankit_layout_parse(). */
SCANKIT_API scankit_error scankit_keys_parse(const scankit_layout *layout, const char *text, int big_endian,
                                             scankit_key *keys, size_t room, size_t *count, size_t *where);

/* The order of two records in host memory by these keys: negative, 0 or positive. No context: any thread may ask. */
SCANKIT_API int scankit_compare(const scankit_key *keys, size_t key_count, const void *a, const void *b);

/* Stable sort of n records of record_size bytes by 1 to 64 keys. out may be in. Of the options, only the algorithm
 * counts. Where one key of 1, 2, 4 or 8 bytes is the whole record, this is scankit_sort(). Otherwise keys are
 * normalised to words of 64 bits that compare as unsigned integers, sorted with the record's position from the least
 * significant word up, and the records are gathered once. Workspace: 40 bytes a record and 40 MiB (CPU: 2 MiB a
 * thread), and n records where out is in. The same, but for the last, for the three below. */
SCANKIT_API scankit_error scankit_sort_records(scankit_context *context, size_t record_size, const scankit_key *keys,
                                               size_t key_count, const void *in, void *out, size_t n,
                                               const scankit_sort_options *options);

SCANKIT_API scankit_error scankit_argsort_records(scankit_context *context, size_t record_size, const scankit_key *keys,
                                                  size_t key_count, const void *in, uint64_t *positions, size_t n,
                                                  const scankit_sort_options *options);

SCANKIT_API scankit_error scankit_is_sorted_records(scankit_context *context, size_t record_size,
                                                    const scankit_key *keys, size_t key_count, const void *in, size_t n,
                                                    size_t *first);

/* As scankit_merge(). Keys of more than 8 bytes in all are merged by a stable sort of both, with na + nb records more
 * of workspace. */
SCANKIT_API scankit_error scankit_merge_records(scankit_context *context, size_t record_size, const scankit_key *keys,
                                                size_t key_count, const void *a, size_t na, const void *b, size_t nb,
                                                void *out);

/* ---- 6. Predicates, and what chooses by them ------------------------------------------------------------------ */

/* A predicate says of each element whether it matches. It is compiled from text once, belongs to no context, does not
 * change, and may be used by several threads at once.
 *
 * The text is an expression of C, with C's operators and C's precedence:
 *
 *     ?:  ||  &&  |  ^  &  == !=  < <= > >= in  << >>  + -  * / %  ! ~ - +  ( )
 *     abs(a)  min(a, b)  max(a, b)  isnan(a)  isinf(a)
 *     a in {3, 5, 8..13}      whether a is one of these; ranges hold both their ends
 *
 * x is the element (of a layout: its fields go by their names, those that are no C identifier in back quotes), i its
 * position. Numbers are decimal, hexadecimal (0xff), binary (0b101) or floats (1.5, 1e-3), with C's suffixes u, l and
 * f. Fields of opaque bytes compare with each other and with texts ("AAPL"), as unsigned bytes, the shorter one
 * filled up with zero bytes.
 *
 * - Integers are computed in 64 bits, signed unless an operand is a u64 (a field, or a number with the suffix u or that
 *   only u64 holds), and wrap. A shift has the type of its left operand. Comparisons, min, max and in go by the
 *   mathematical value: -1 < 1u; -9223372036854775808 is the least i64. a / 0 is 0 and a % 0 is a; a shift by a
 *   negative number or by 64 and more shifts everything out. & | ^ ~ << >> and % take integers.
 * - Floats are computed as f64, exactly as IEEE 754 says; an integer beside a float becomes an f64, and so do all
 *   members of a set that has a float among them (members are constant expressions). A NaN compares as in C, is in no
 *   set, and min and max pass over it. Results are the same bits on every device.
 * - Truth is a number that is not 0; comparisons and ! && || give 1 or 0. Nothing has an effect, so the order of
 *   evaluation cannot be seen. */
typedef struct scankit_predicate scankit_predicate;

/* For elements of one type, x. On SCANKIT_E_SYNTAX *where is the offset in the text at which it goes wrong and *reason
 * a constant text that says why, each unless it is NULL. Texts of up to 64 KiB. */
SCANKIT_API scankit_error scankit_predicate_compile(scankit_predicate **predicate, scankit_type type, const char *text,
                                                    size_t *where, const char **reason);

/* The same for records; the layout is not needed any more after that. */
SCANKIT_API scankit_error scankit_predicate_compile_records(scankit_predicate **predicate, const scankit_layout *layout,
                                                            const char *text, size_t *where, const char **reason);

SCANKIT_API void scankit_predicate_destroy(scankit_predicate *predicate);

/* Bytes of the elements that it is for. */
SCANKIT_API size_t scankit_predicate_element_size(const scankit_predicate *predicate);

/* How a GPU evaluates a predicate: as a program that it interprets, or compiled for it (by NVRTC, where that library
 * is installed: a quarter of a second the first time, then kept with the context). X(enumerator, name, what it does) */
#define SCANKIT_EVALUATIONS(X)                                                                   \
    X(EVALUATE_AUTO, "auto", "interpret, and compile once that has taken longer than compiling") \
    X(INTERPRET, "interpret", "interpret")                                                       \
    X(COMPILE, "compile", "compile at once; SCANKIT_E_NO_DEVICE without NVRTC")

typedef enum scankit_evaluation {
#define X(enumerator, name, text) SCANKIT_##enumerator,
    SCANKIT_EVALUATIONS(X)
#undef X
} scankit_evaluation;

/* NULL, or all zeros, is the usual. */
typedef struct scankit_compact_options {
    int invert;                    /* 1: those that do not match count as matching, and the other way round */
    uint64_t first;                /* the position, i, of in[0]: a long array can be done in parts; with n below 2^63 */
    scankit_evaluation evaluation; /* counts only on a GPU, and where there is a predicate */
} scankit_compact_options;

/* Compaction: the elements that match, in their order, to out, which may be in; past them, out is as it was (in place:
 * holds some elements). *count (host memory, or NULL) gets how many; asking for it waits.
 * Method: one pass over tiles, each of which learns from its predecessors where its elements go (on a GPU by decoupled
 * look-back, Merrill and Garland 2016); it works in place because a tile writes when all before it have read. Workspace
 * on a GPU: 8 bytes a tile of at least 16 KiB, and for elements of more than 16 KiB besides 9 bytes an element and, in
 * place, 64 MiB. On a CPU: 512 KiB a thread (1 KiB for each number of a predicate that has more than 200), and for
 * elements of 32 KiB or more a byte an element instead. */
SCANKIT_API scankit_error scankit_compact(scankit_context *context, const scankit_predicate *predicate, const void *in,
                                          void *out, size_t n, const scankit_compact_options *options, size_t *count);

/* Split by a predicate: those that match to matching, which may be in, the others to others, both in their order and
 * with room for as many as may come. Of the two, one may be NULL; with both NULL, matches are only counted. */
SCANKIT_API scankit_error scankit_split_predicate(scankit_context *context, const scankit_predicate *predicate,
                                                  const void *in, void *matching, void *others, size_t n,
                                                  const scankit_compact_options *options, size_t *count);

/* Positions, from options->first on, of the elements that match, in rising order. */
SCANKIT_API scankit_error scankit_compact_positions(scankit_context *context, const scankit_predicate *predicate,
                                                    const void *in, uint64_t *positions, size_t n,
                                                    const scankit_compact_options *options, size_t *count);

/* Both by an array of flags, a byte an element, of the device's: an element (of any element_size) matches where its
 * flag is not 0. */
SCANKIT_API scankit_error scankit_compact_flags(scankit_context *context, size_t element_size, const void *in,
                                                const uint8_t *flags, void *out, size_t n,
                                                const scankit_compact_options *options, size_t *count);
SCANKIT_API scankit_error scankit_compact_flags_positions(scankit_context *context, const uint8_t *flags,
                                                          uint64_t *positions, size_t n,
                                                          const scankit_compact_options *options, size_t *count);

/* ---- 7. Runs -------------------------------------------------------------------------------------------------- */

/* A run is neighbouring elements that are equal, as many as there are. Elements are equal where all their bytes are, or
 * where there are keys, the bytes of the keys: so of floats, those of the same bits, and 0.0 and -0.0, or two different
 * NaNs, are two runs. Counts are of 64 bits; a run may be longer than 2^32. */

/* NULL, or all zeros: whole elements are compared. Else up to 64 keys, of which only the place and the size count. */
typedef struct scankit_run_options {
    const scankit_key *keys;
    size_t key_count;
} scankit_run_options;

/* Run-length encoding of n elements of element_size bytes: the first element of each run to values (which may be in; or
 * NULL), how long the runs are to counts (or NULL), both with room for as many as there may be; *runs (host memory, or
 * NULL) gets how many; asking for it waits. Past them, values is as it was (in place: holds some elements).
 * Method: one pass over tiles, by look-back (Merrill and Garland 2016) for the number of runs before a tile and the
 * length of the one that reaches into it. Workspace on a GPU: 16 bytes a tile of at least 16 KiB; besides, with keys or
 * elements not of 1, 2, 4 or 8 bytes, a byte an element; of more than 16 KiB, 9 bytes an element and, in place, 64 MiB.
 * On a CPU: 512 KiB a thread, and for elements of 32 KiB or more a byte an element instead. */
SCANKIT_API scankit_error scankit_run_length_encode(scankit_context *context, size_t element_size, const void *in,
                                                    void *values, uint64_t *counts, size_t n,
                                                    const scankit_run_options *options, size_t *runs);

/* The inverse: counts[r] times values[r], for one r after the other (a count may be 0), to out, which overlaps neither,
 * and has room for `room` elements. *n (host memory, or NULL) gets how many there are. Waits. SCANKIT_E_ARGUMENT where
 * they are more than room, and nothing is written; with out NULL, they are only counted, and refused from 2^64 - 1 on.
 * Method: a scan of the counts; then each tile of the output finds the runs that it shows by a search in the offsets,
 * and an element its run by a scan of where runs begin. Workspace on a GPU: 8 bytes a run and a tile of at least 16
 * KiB, and for elements not of 1, 2, 4 or 8 bytes, 64 MiB; on a CPU, 64 KiB. */
SCANKIT_API scankit_error scankit_run_length_decode(scankit_context *context, size_t element_size, const void *values,
                                                    const uint64_t *counts, size_t runs, void *out, size_t room,
                                                    size_t *n);

/* Unique: the first element of each run, to out, which may be in; *count (host memory, or NULL) gets how many. As
 * scankit_run_length_encode() without counts. */
SCANKIT_API scankit_error scankit_unique(scankit_context *context, size_t element_size, const void *in, void *out,
                                         size_t n, const scankit_run_options *options, size_t *count);

/* Reduce by key: for each run of equal keys (elements of key_size bytes), the first of them to keys_out (which may be
 * keys_in; or NULL) and the values beside them, of one type, v op v op ... in their order, to values_out (which may be
 * values_in); *runs (host memory, or NULL) gets how many; asking for it waits. Floats round at each step: the same
 * bits on every run of a CPU, and on a GPU with scankit_set_deterministic(). Workspace as for encoding. */
SCANKIT_API scankit_error scankit_reduce_by_key(scankit_context *context, size_t key_size, const void *keys_in,
                                                scankit_type type, scankit_operator op, const void *values_in,
                                                void *keys_out, void *values_out, size_t n,
                                                const scankit_run_options *options, size_t *runs);

/* ---- 8. The gallery: the classic algorithms, each under its own name ------------------------------------------- */

/* How scans came to be fast, step by step: textbook algorithms that are right for any length, to be read, run and
 * measured beside each other. Who wants results fast calls scankit_scan(), scankit_reduce() and
 * scankit_compact_flags(). */
typedef enum scankit_gallery_kind {
    SCANKIT_BLOCK_SCAN, /* of what one thread block scans; a hierarchical scan of any length runs it on its tiles */
    SCANKIT_GRID_SCAN,  /* of whole arrays */
    SCANKIT_REDUCTION,
    SCANKIT_COMPACTION
} scankit_gallery_kind;

/* All texts are constants, and none is NULL. */
typedef struct scankit_gallery_row {
    const char *name; /* "kogge-stone"; a kind has it once on a device, and of scans both kinds together */
    scankit_gallery_kind kind;
    const char *device; /* "cpu" or "cuda": which contexts have it */
    const char *work;   /* operations on n elements: "n log n" */
    const char *steps;  /* one after the other, with processors enough: "log n" */
    const char *passes; /* reads and writes of the whole array in memory: "4" */
    const char *limits; /* what it is not for: "" or "commutative operators; ..." */
    const char *source; /* "Kogge and Stone 1973" */
} scankit_gallery_row;

/* Row 0, 1, 2, ...; NULL past the last. The table is the same in every build, with CUDA or without. */
SCANKIT_API const scankit_gallery_row *scankit_gallery(size_t row);

/* 1 where the algorithm takes elements of that type and, unless it is a compaction, that operator. */
SCANKIT_API int scankit_gallery_applies(const scankit_gallery_row *row, scankit_type type, scankit_operator op);

/* As scankit_scan(), scankit_reduce(), and scankit_compact_flags() for elements of one type, by the algorithm of that
 * name, of the two kinds of scan, of reduction and of compaction. SCANKIT_E_ARGUMENT, with a detail that says why, for
 * a name that is none of these, or is one of another device, or a type or an operator that the algorithm does not take.
 * Floats round at each step in the algorithm's own order. Workspace on a GPU: naive, 1 array like the input;
 * sengupta-hybrid, 1; compactions but single-pass, 4 bytes an element (8 for 2^32 and more), and where out is in, the
 * array once more; the others 1/250 of the array at most. */
SCANKIT_API scankit_error scankit_gallery_scan(scankit_context *context, const char *name, scankit_type type,
                                               scankit_operator op, scankit_scan_kind kind, const void *initial,
                                               const void *in, void *out, size_t n);
SCANKIT_API scankit_error scankit_gallery_reduce(scankit_context *context, const char *name, scankit_type type,
                                                 scankit_operator op, const void *in, void *result, size_t n);
SCANKIT_API scankit_error scankit_gallery_compact(scankit_context *context, const char *name, scankit_type type,
                                                  const void *in, const uint8_t *flags, void *out, size_t n,
                                                  size_t *count);

#ifdef __cplusplus
}
#endif

#endif
