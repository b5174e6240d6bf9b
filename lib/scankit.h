/* scankit.h - sorting and data processing built on scan (prefix sums).
 *
 * SPDX-License-Identifier: MIT
 *
 * The shortest complete program. It sorts n keys on the default device:
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
 * Conventions for every declaration below, unless its comment says otherwise:
 *
 * - Counts are in elements, sizes in bytes. Both are size_t. Every primitive works past 2^32 elements.
 * - Data pointers are memory of the context's device (section 3), aligned to the element type. Records, and values and
 *   elements given by their size, need no alignment. Scalar results are written to host memory.
 * - An array of no elements may be NULL. Two arrays of one call may overlap only where its comment allows it.
 * - Functions return a scankit_error. On an error the contents of the outputs are unspecified; inputs that are not
 *   also outputs are unchanged. The library never prints, never exits and never aborts.
 * - On a CPU a call is complete when it returns. On a GPU it may only be queued on the context's stream, unless its
 *   comment says that it waits (section 2). Downloads, scalar results and scankit_synchronize() wait.
 * - A context may be used by one thread at a time, except for scankit_pin(). Different contexts are independent.
 * - Workspace is device memory used in addition to the caller's arrays. The context keeps it between calls, so its
 *   size is the largest that any call has needed. The sizes given below are upper bounds.
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

/* Element types: X(enumerator, name, C type, kind). The kind determines the operators and the order of keys. */
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
 *   operations, which may differ from run to run on a GPU: see scankit_set_deterministic(). Sums and products
 *   of f16 are computed in f32, and each result is rounded to f16 once.
 * - min, max: by the library's order of values (section 4). The result is one of the elements, bit for bit. The
 *   maximum of floats is a NaN if there is one.
 * - and, or, xor: integers only.
 * - affine: unsigned integers only. An element with high half a and low half b represents the map x -> a x + b modulo
 *   2^(bits/2). "l affine r" is the map that applies l first, then r. Not commutative. A scan with it solves a
 *   first-order linear recurrence (Blelloch, Prefix Sums and Their Applications, 1990, section 1.4).
 *
 * An operator that the type does not have is SCANKIT_E_ARGUMENT. */
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

/* Bytes of an element; 0 for SCANKIT_BYTES and for an invalid type. */
SCANKIT_API size_t scankit_type_size(scankit_type type);

/* "u32"; "bytes" for SCANKIT_BYTES; NULL for an invalid type. */
SCANKIT_API const char *scankit_type_name(scankit_type type);

/* The type with this name ("u32"), or SCANKIT_E_ARGUMENT. "bytesN" is not a type's name; only layouts accept it. */
SCANKIT_API scankit_error scankit_type_from_name(scankit_type *type, const char *name);

/* The value of a half. It is exact. */
SCANKIT_API float scankit_f16_to_f32(scankit_f16 half);

/* The nearest half, ties to even. A value from 65520 up becomes infinity, and a NaN stays a NaN. */
SCANKIT_API scankit_f16 scankit_f16_from_f32(float value);

SCANKIT_API const char *scankit_operator_name(scankit_operator op);
SCANKIT_API scankit_error scankit_operator_from_name(scankit_operator *op, const char *name);

/* 1 if the type has the operator. */
SCANKIT_API int scankit_operator_applies(scankit_operator op, scankit_type type);

/* ---- 2. Contexts: one device, one stream of work, one growing workspace --------------------------------------- */

typedef struct scankit_context scankit_context;

/* Opens a device: "cpu" (all cores), "cpu:THREADS", "cuda" (the first GPU), "cuda:N", or "auto" (the first GPU, or the
 * CPU if there is none). On failure *context is NULL. SCANKIT_E_SYNTAX: any other text. SCANKIT_E_NO_DEVICE: no such
 * GPU, or a library built without CUDA. SCANKIT_E_DEVICE: the device fails to start. Starting a GPU takes 0.3 s. */
SCANKIT_API scankit_error scankit_open(scankit_context **context, const char *device);

/* Waits for queued work and frees the workspace. Free memory from scankit_allocate() first. NULL is allowed. */
SCANKIT_API void scankit_close(scankit_context *context);

/* Number of GPUs that scankit_open() can open; 0 without a driver or in a build without CUDA. Takes milliseconds. */
SCANKIT_API int scankit_cuda_device_count(void);

/* "cpu:2", "cuda:0 (NVIDIA H100 80GB HBM3)". Valid as long as the context. */
SCANKIT_API const char *scankit_device_name(const scankit_context *context);

/* The GPU's UUID, in hexadecimal: two contexts have the same if they are on the same GPU, also in different processes,
 * which may number the GPUs in different ways. Empty on a CPU. Valid as long as the context. */
SCANKIT_API const char *scankit_device_identity(const scankit_context *context);

/* One line about this context's last error: the function, what was wrong, the device's message. Empty if there was no
 * error. Valid until the next call. */
SCANKIT_API const char *scankit_error_detail(const scankit_context *context);

/* The algorithm used by this context's last sort, split, merge or scan, for statistics: "hybrid". */
SCANKIT_API const char *scankit_last_algorithm(const scankit_context *context);

/* With on = 1, floating-point sums and products have the same bits on every run and on every GPU, at some cost in
 * speed. The default is 0. On a CPU, results have the same bits for any number of threads in either mode. CPU and GPU
 * add in different orders, and so do scans of CPUs with and without AVX-512. */
SCANKIT_API scankit_error scankit_set_deterministic(scankit_context *context, int on);

/* Streams of a GPU. All work of a context runs in the order of its calls, on one stream: the context's own, until
 * scankit_set_stream() gives it another. The context's own stream is not ordered with any other stream, CUDA's default
 * streams included. A program with streams of its own (through CuPy or PyTorch, for example) orders the two sides:
 *
 *     scankit_wait_stream(ctx, stream);       what the program queued on its stream comes first, then
 *     scankit_sort(ctx, ...);                 the context's work, then
 *     scankit_signal_stream(ctx, stream);     what the program queues on its stream from here on
 *
 * - Every call reads its inputs and writes its outputs in the order of the context's stream, also if it waits. So an
 *   array that another stream has written, or still reads, needs scankit_wait_stream() first.
 * - A function that waits blocks the host until its results, and all work queued before it, are complete. Any stream
 *   may use them then. A call that has nothing to compute, such as one on no elements, need not wait.
 * - A function that does not wait may still block the host, to let the host choose an algorithm or to enlarge the
 *   workspace. Enlarging the workspace and scankit_free() may wait for all work on the GPU.
 * - Memory that queued work uses must not be freed or reused by other streams until they are ordered after that work.
 *   The workspace is the context's alone and needs no care.
 *
 * A stream is a cudaStream_t of the context's GPU. The three functions below are SCANKIT_E_ARGUMENT on a CPU. */

/* Queues all later work on the caller's stream instead of the context's own; NULL returns to the context's own.
 * (void *)1 is cudaStreamLegacy and (void *)2 cudaStreamPerThread, CUDA's default streams. Waits for the work queued so
 * far. The stream must exist until the context has another or is closed. With cudaStreamPerThread, the context may be
 * used by this thread alone until it has another stream. */
SCANKIT_API scankit_error scankit_set_stream(scankit_context *context, void *stream);

/* Orders later work of the context after the work that the caller's stream has so far. NULL is cudaStreamLegacy here.
 * Does not block the host. The stream may be destroyed after the call. */
SCANKIT_API scankit_error scankit_wait_stream(scankit_context *context, void *stream);

/* The counterpart: orders later work of the caller's stream after the work that the context has so far. */
SCANKIT_API scankit_error scankit_signal_stream(scankit_context *context, void *stream);

/* The workspace can be the caller's memory, such as a block of PyTorch's or RMM's pool. No call allocates device memory
 * then. A rehearsal says before any call how many bytes are needed:
 *
 *     scankit_workspace_begin(ctx);
 *     scankit_sort(ctx, type, in, out, n, NULL);      computes nothing
 *     scankit_workspace_end(ctx, &bytes);
 *     ... memory of that many bytes ...
 *     scankit_set_workspace(ctx, memory, bytes);
 *     scankit_sort(ctx, type, in, out, n, NULL);      sorts
 *
 * From begin to end, calls check their arguments as always, but read and write no array and queue nothing. The size is
 * the largest that any of these calls needs, one after the other. It holds for all data and for the same arguments:
 * counts, types and options, in place or not, and addresses with the same alignment. Less may do for some data: for a
 * top-k it includes a sort of all elements, and for a segmented sort, one of a single segment. Arrays need not exist
 * yet: any addresses serve that are aligned alike and overlap alike. Results in host memory are not meaningful. Memory
 * is allocated and freed as always.
 *
 * set: from here on the context takes its workspace from this device memory alone, until it is given other memory;
 * NULL returns to the context's own. A call that needs more is SCANKIT_E_MEMORY, and the line of detail says how much.
 * The memory must be aligned to 256 bytes, and exist until the context has another workspace or is closed. Waits for
 * the work queued so far, and frees the context's own workspace. On a GPU, rehearsals of the gallery (section 8) are
 * SCANKIT_E_ARGUMENT. Outside of the workspace a GPU has pinned buffers from the beginning, code that is loaded by the
 * first call of its kind, and predicates that are compiled.
 *
 * CUDA graphs: while the caller's stream (scankit_set_stream) is being captured, a call becomes a part of the graph,
 * and neither allocates nor waits. Each launch reads the arrays as they are then.
 *
 * - The workspace must be the caller's. A graph uses it and the arrays at their addresses, so they must exist, and two
 *   graphs or calls that share a workspace must not run at the same time. A rehearsal counts what a capture needs too.
 * - Host memory that a call reads (an initial value, keys, edges of up to 4 MiB, lists of arrays) is copied to the
 *   graph.
 * - Sorts cannot look at the data first: large ones are radix sorts. Top-k sorts all elements. Segmented sorts sort the
 *   positions of all elements by key, then by segment.
 * - SCANKIT_E_ARGUMENT for what the host would have to wait for: results in host memory, downloads, compaction and
 *   encoding of elements of more than 16 KiB, and predicates with the evaluation compile; also the gallery, and
 *   segmented sorts of more than 2^32 - 2 segments. The capture goes on, but may hold a part of the call. Captured
 *   predicates are interpreted.
 * - A call of the same kind before the capture loads the code. scankit_set_stream(), scankit_set_workspace() and
 *   scankit_synchronize() must not be called during a capture. */
SCANKIT_API scankit_error scankit_set_workspace(scankit_context *context, void *memory, size_t bytes);
SCANKIT_API scankit_error scankit_workspace_begin(scankit_context *context);
SCANKIT_API scankit_error scankit_workspace_end(scankit_context *context, size_t *bytes);

/* ---- 3. Memory of the context's device ------------------------------------------------------------------------ */

/* On a CPU, device memory is ordinary memory and every host pointer is accepted. On a GPU, pointers from cudaMalloc()
 * on the same device are accepted too. Memory is aligned to 256 bytes and uninitialised. */
SCANKIT_API scankit_error scankit_allocate(scankit_context *context, void **memory, size_t bytes);
SCANKIT_API void scankit_free(scankit_context *context, void *memory);

/* Host to device, device to host, device to device. An upload returns when the host memory may be changed again, a
 * download when the data has arrived. Large transfers use a ring of pinned buffers, so uploading block after block
 * overlaps the caller's reading with the bus transfer. The two areas must not overlap. */
SCANKIT_API scankit_error scankit_upload(scankit_context *context, void *device, const void *host, size_t bytes);
SCANKIT_API scankit_error scankit_download(scankit_context *context, void *host, const void *device, size_t bytes);
SCANKIT_API scankit_error scankit_copy(scankit_context *context, void *to, const void *from, size_t bytes);

/* Pins (page-locks) host memory, so that uploads from it and downloads to it need no copy through the ring. Where a
 * transfer covers memory that is partly pinned, each part goes its own way. read_only: nothing is downloaded to the
 * memory; mappings of files can often be pinned only in this way. Pinning takes about as long as reading the memory. It
 * is worth it for memory that is transferred several times, or while another thread works.
 * - One pin serves all contexts of all GPUs. It lasts until scankit_unpin() on any of them, or until this context is
 *   closed. It must end before the memory is freed or unmapped, and not during a transfer.
 * - Unlike all other functions, both may be called by any thread while other threads use the context. The line of
 *   detail of a failure is seen by the thread that called.
 * - To pin memory that is pinned already, in part or in whole, is SCANKIT_E_ARGUMENT, and so is to unpin anything but
 *   the address of a pin. Areas that are pinned one by one should not share pages of memory. If the system refuses to
 *   pin, the result is SCANKIT_E_DEVICE or SCANKIT_E_MEMORY. Transfers then work as without a pin.
 * - On a CPU both do nothing. */
SCANKIT_API scankit_error scankit_pin(scankit_context *context, const void *memory, size_t bytes, int read_only);
SCANKIT_API scankit_error scankit_unpin(scankit_context *context, const void *memory);

/* Waits until all queued work is complete, and returns its errors. */
SCANKIT_API scankit_error scankit_synchronize(scankit_context *context);

/* 1 if device memory can be read and written through its pointer directly: on a CPU. */
SCANKIT_API int scankit_is_host(const scankit_context *context);

/* Bytes that can be allocated now, as far as the system reports. On a CPU that is what can be had without swapping and
 * within the limits of the process: its control groups (cached files count as available), RLIMIT_AS and RLIMIT_DATA. */
SCANKIT_API scankit_error scankit_memory_available(scankit_context *context, size_t *bytes);

/* Bytes of the device's memory; on a CPU, physical memory or a lower limit of the process. */
SCANKIT_API scankit_error scankit_memory_total(scankit_context *context, size_t *bytes);

/* ---- 4. Primitives on arrays of one type ---------------------------------------------------------------------- */

/* The order of values, for sorting, merging, min and max: integers by value; floats by value, with -0.0 before +0.0
 * and every NaN last. Floats with different bits never compare equal. Among NaNs, positive ones come first, by
 * ascending payload, then negative ones, by descending payload. Every bit pattern is preserved. */

/* Scan: out[i] = in[0] op in[1] op ... op in[i] (SCANKIT_INCLUSIVE) or ... op in[i-1] (SCANKIT_EXCLUSIVE; out[0] is
 * the operator's identity). initial (host memory, one element, or NULL) is combined in front of in[0], so a long array
 * can be scanned in parts. out may be in. Integer results are the same on every device.
 * Method: CPU, reduce-then-scan over cache-sized blocks. GPU, single pass with decoupled look-back (Merrill and
 * Garland 2016); where it is faster, over a ring of tiles with bulk copies in and out. Workspace: 16 bytes a tile of
 * at least 4096 elements, also in place. */
typedef enum scankit_scan_kind { SCANKIT_INCLUSIVE, SCANKIT_EXCLUSIVE } scankit_scan_kind;
SCANKIT_API scankit_error scankit_scan(scankit_context *context, scankit_type type, scankit_operator op,
                                       scankit_scan_kind kind, const void *initial, const void *in, void *out,
                                       size_t n);

/* Reduce: *result (host memory, one element) = in[0] op ... op in[n-1]; the operator's identity for n = 0. Waits. The
 * result has the same bits on every run and every GPU, also for floats. Workspace: at most 64 KiB. */
SCANKIT_API scankit_error scankit_reduce(scankit_context *context, scankit_type type, scankit_operator op,
                                         const void *in, void *result, size_t n);

/* The same to *result in device memory, outside of the input. Does not wait. */
SCANKIT_API scankit_error scankit_reduce_to(scankit_context *context, scankit_type type, scankit_operator op,
                                            const void *in, void *result, size_t n);

/* Segmented scan: a scan that restarts at each head. heads (device memory) has one byte an element; an element whose
 * byte is not 0 is a head. out[i] = in[s] op ... op in[i], where s is the last head at or before i, or 0 if there is
 * none. Exclusive: up to in[i-1], and the operator's identity at a head. initial (host memory, one element, or NULL)
 * is combined in front of in[0] unless that is a head, so a long array can be scanned in parts. out may be in; heads
 * overlaps neither. Integer results are the same on every device. All results, also of floats, have the same bits on
 * every run and every GPU.
 * Method: a scan of (head, value) pairs, whose operator is associative if op is (Blelloch 1990, section 1.5; Sengupta,
 * Harris, Zhang and Owens, Scan Primitives for GPU Computing, 2007). CPU: as scankit_scan(). GPU: single pass with
 * decoupled look-back, which stops at the last tile that has a head. Workspace: 16 bytes a tile of at least 2048
 * elements, also in place. */
SCANKIT_API scankit_error scankit_segmented_scan(scankit_context *context, scankit_type type, scankit_operator op,
                                                 scankit_scan_kind kind, const void *initial, const void *in,
                                                 const uint8_t *heads, void *out, size_t n);

/* Segmented reduce: results[s] = in[offsets[s]] op ... op in[offsets[s+1] - 1] for s < segments; the operator's
 * identity for an empty segment. offsets: segments + 1 offsets in device memory, not descending; the first need not be
 * 0. Segments may have any length, many tiny ones or one with all elements: work is divided by elements and segments
 * together. in may be NULL if all segments are empty; results overlaps neither input. Results have the same bits on
 * every run and every GPU, also for floats.
 * Method: merge path over elements and segment ends (Merrill and Garland, Merge-based Parallel Sparse Matrix-Vector
 * Multiplication, 2016), then a segmented scan of the partial sums of open segments. A CPU scans short segments too, if
 * their lengths change. A GPU leaves few segments open: each part of the path reduces those that begin in it, unless
 * they go on for 8192 elements or more behind it. If there are few segments and the operator is commutative, it does
 * not search the path: each segment has a block or a warp for itself, and long ones are cut into parts of one length.
 * Workspace: 64 KiB. */
SCANKIT_API scankit_error scankit_segmented_reduce(scankit_context *context, scankit_type type, scankit_operator op,
                                                   const void *in, const uint64_t *offsets, void *results,
                                                   size_t segments);

/* Split: stable partition by a digit, the `bits` (1 to 8) bits of each element's bit pattern starting at bit `bit`:
 * all elements with digit 0 in their order, then digit 1, and so on. offsets (host memory, 2^bits + 1 counts, or NULL)
 * receives the start of each digit in out, then n; requesting it waits. With one bit this is the split of GPU Gems 3,
 * chapter 39. out must not be in. Workspace: 1 KiB a tile of at least 3584 elements, 40 MiB at most (CPU: 1 MiB a
 * thread, and of large arrays of keys 1/64 of the array at most). */
SCANKIT_API scankit_error scankit_split(scankit_context *context, scankit_type type, const void *in, void *out,
                                        size_t n, unsigned bit, unsigned bits, size_t *offsets);

/* The same for keys with a value of value_size bytes (any size) each. Workspace: 32 bytes an element more, unless keys
 * and values both have 4 or 8 bytes. */
SCANKIT_API scankit_error scankit_split_pairs(scankit_context *context, scankit_type type, const void *keys_in,
                                              void *keys_out, size_t value_size, const void *values_in,
                                              void *values_out, size_t n, unsigned bit, unsigned bits, size_t *offsets);

/* The same by an array of flags: elements (of any element_size) with flag 0 first, then the others, each group in its
 * order. *zeros (host memory, or NULL) receives the size of the first group; requesting it waits. Workspace: 16 bytes
 * a tile of 2048 elements or of 16 KiB (CPU: 20 KiB a thread). */
SCANKIT_API scankit_error scankit_split_flags(scankit_context *context, size_t element_size, const void *in,
                                              const uint8_t *flags, void *out, size_t n, size_t *zeros);

/* Sort algorithms: X(enumerator, name, description). */
#define SCANKIT_ALGORITHMS(X)                                                                                 \
    X(AUTO, "auto", "the fastest for the data")                                                               \
    X(HYBRID, "hybrid", "partition by leading bits until a bucket fits on chip, then sort each bucket there") \
    X(RADIX, "radix", "whole-array radix sort, least significant digit first")                                \
    X(CHUNK_MERGE, "chunk-merge", "radix sort of chunks that fit on chip, then bitonic merges of sorted chunks")

typedef enum scankit_algorithm {
#define X(enumerator, name, text) SCANKIT_##enumerator,
    SCANKIT_ALGORITHMS(X)
#undef X
} scankit_algorithm;

SCANKIT_API const char *scankit_algorithm_name(scankit_algorithm algorithm);
SCANKIT_API scankit_error scankit_algorithm_from_name(scankit_algorithm *algorithm, const char *name);

/* NULL or all zeros: ascending order, by the whole key, with the fastest algorithm. */
typedef struct scankit_sort_options {
    int descending;              /* 1: greatest first; equal elements still keep their order */
    unsigned begin_bit, end_bit; /* integer types: compare bits [begin_bit, end_bit) only; 0, 0 means all */
    scankit_algorithm algorithm;
    int overwrite_input; /* 1: scankit_sort() may write to in, which saves memory; also scankit_sort_records(), if the
                          * record is a number and its key; other functions ignore it */

    /* Reports how much of the output is final, so that it can be written while the rest is being sorted: the first n
     * elements of out do not change any more. n rises from call to call, and the last call has all of them. The calls
     * come from any thread, one at a time, and must not use the context. If the sort fails, the last call is missing.
     * On a GPU there is one call, after the work is complete, for which the sort waits. NULL: no reports. Only
     * scankit_sort() and scankit_sort_records() report. */
    void (*ready)(void *state, size_t n);
    void *ready_state;
} scankit_sort_options;

/* Sort. Stable wherever the difference is visible. out may be in; otherwise in is unchanged, unless overwrite_input is
 * set. With overwrite_input and out not in, the sort uses in as its second array: it writes to it in spite of the
 * const and leaves it with unspecified contents. If such a sort fails with any error but SCANKIT_E_ARGUMENT, the keys
 * are lost. With overwrite_input and out in, a CPU sorts in place with little workspace, at 0.8 to 1.2 of the speed,
 * unless only some bits of the keys count or the algorithm is radix or chunk-merge. It does the same by itself where
 * it gets no memory for the usual workspace. With SCANKIT_E_MEMORY from a CPU, an array that is in and out still has
 * its keys, in some order.
 * Methods: keys of 1 and 2 bytes, counting, Seward 1954, or radix; others hybrid, Stehle and Jacobsen 2017, in place
 * after Axtmann, Witt, Ferizovic and Sanders 2022; radix, split by digit with a scan of the counts (GPU Gems 3 ch. 39;
 * Adinets and Merrill 2022); chunk-merge, Satish, Harris and Garland 2009, with merge path by Green, McColl and Bader
 * 2012 and Batcher's bitonic merge. Workspace: up to 1.6 n elements + 40 MiB. In place, 1.05 n elements. Elsewhere, if
 * memory is short, 1.05 n elements and one more read of the keys. More than 2^30 keys: 1.8 n elements; if memory is
 * short, 1.05 n. CPU: 1.04 n elements + 5 MiB a thread. With overwrite_input: n/8 elements + 8 MiB (keys of 2 bytes: +
 * 24 MiB; CPU: n/8 elements + 5 MiB a thread); costs one more read of the keys and, in a radix sort with an even
 * number of passes, a copy. */
SCANKIT_API scankit_error scankit_sort(scankit_context *context, scankit_type type, const void *in, void *out, size_t n,
                                       const scankit_sort_options *options);

/* Sort of keys with a value of value_size bytes (any size) each, stable. keys_out may be keys_in, and values_out may
 * be values_in.
 * Workspace: n pairs + 40 MiB (CPU: 2 MiB a thread instead). On a GPU, 4-byte keys with 4-byte values take 2 n pairs
 * if their leading bits are skewed. If keys have less than 4 bytes, or values neither 4 nor 8: 32 bytes an element
 * instead of the pairs, plus n keys and n values if these are sorted in place. Of these, a CPU moves keys and values of
 * 1 and 2 bytes as words of 4, and a GPU moves whole keys of 1 and 2 bytes, and of 4 with values of 1, 2 and 16, as
 * they are, in n pairs. */
SCANKIT_API scankit_error scankit_sort_pairs(scankit_context *context, scankit_type type, const void *keys_in,
                                             void *keys_out, size_t value_size, const void *values_in, void *values_out,
                                             size_t n, const scankit_sort_options *options);

/* The sorting permutation: in[positions[0]], in[positions[1]], ... is the stable sort of in. Workspace: 24 bytes an
 * element + 40 MiB (CPU: 2 MiB a thread instead); 32 bytes an element for keys of 8 bytes or positions past 2^32. */
SCANKIT_API scankit_error scankit_argsort(scankit_context *context, scankit_type type, const void *in,
                                          uint64_t *positions, size_t n, const scankit_sort_options *options);

/* Segmented sort: each segment is sorted by itself, as scankit_sort() would sort it. offsets: as in
 * scankit_segmented_reduce(), and none is above n. Elements before the first segment and behind the last one stay in
 * their places: they are copied. Segments may have any length, many tiny ones beside a few giant ones. out may be in,
 * and overlaps offsets nowhere. Of the options, only descending and the bits are used. If memory is short, an array
 * that is in and out still has its elements, in some order. Methods. CPU: threads share out short segments, and sort
 * long ones together. GPU: up to 2^17 elements in up to 2^17 segments are one launch, without a wait: blocks share out
 * the array, and merge by merge path, or count in short segments what comes before each element; a segment of more
 * than 768 is split by samples (Frazer and McKellar, Samplesort, 1970). Few segments of some hundred elements or more
 * have a block each, which sorts by bins in shared memory (Dobosiewicz, Sorting by Distributive Partitioning, 1978), or
 * by digits or merges if keys crowd these. Others by length: a segment is sorted by a thread, by Batcher's merge
 * exchange, with values by comparison counting (Knuth, The Art of Computer Programming 3, 5.2C); by a part of a warp,
 * by Batcher's bitonic network; by a block, which merges by merge path, with positions as the last part of a key, or if
 * it is longer by bins; a few long ones by scankit_sort()'s methods, one after the other; many are split into short
 * buckets by samples (classes of lengths after Hou, Liu, Wang and Feng, Fast Segmented Sort on GPUs, 2017). Such a call
 * waits for lengths, once or a few times. Workspace: 4 bytes a segment (GPU), and that of scankit_sort() for the
 * longest segment; many long ones: n elements and 4 bytes for each; where there is no wait, the arrays that are sorted
 * in place. CPU: 5 MiB a thread. For a range of key bits, 16 bytes an element more. For a CUDA graph, where it would
 * wait: 20 bytes an element, 28 for keys of 8 bytes, + 40 MiB, and n values if these are sorted in place. */
SCANKIT_API scankit_error scankit_segmented_sort(scankit_context *context, scankit_type type, const void *in, void *out,
                                                 size_t n, const uint64_t *offsets, size_t segments,
                                                 const scankit_sort_options *options);

/* The same for keys with a value of value_size bytes (any size) each, stable. keys_out may be keys_in, and values_out
 * may be values_in. Workspace, unless keys and values both have 4 or 8 bytes: 32 bytes an element more, plus n keys and
 * n values if these are sorted in place. */
SCANKIT_API scankit_error scankit_segmented_sort_pairs(scankit_context *context, scankit_type type, const void *keys_in,
                                                       void *keys_out, size_t value_size, const void *values_in,
                                                       void *values_out, size_t n, const uint64_t *offsets,
                                                       size_t segments, const scankit_sort_options *options);

/* The sorting permutation: in[positions[i]] is element i of the segmented stable sort of in. Positions count from
 * in[0], and those outside of segments are their own. Workspace: 8 bytes an element more. */
SCANKIT_API scankit_error scankit_segmented_argsort(scankit_context *context, scankit_type type, const void *in,
                                                    uint64_t *positions, size_t n, const uint64_t *offsets,
                                                    size_t segments, const scankit_sort_options *options);

/* A column of a table: n elements of a type, one after the other. */
typedef struct scankit_column {
    const void *data; /* device memory */
    scankit_type type;
    size_t size;    /* bytes of an element, for SCANKIT_BYTES only */
    int descending; /* 1: greatest first */
} scankit_column;

/* The sorting permutation of the rows of a table: positions[0], positions[1], ... are the rows in the stable order of
 * the first of 1 to 64 columns, of the second one where that is equal, and so on. `columns` is host memory; columns are
 * not changed. Of the options, only the algorithm is used. Method: stable sorts of positions by one column after the
 * other, the last one first. Workspace: 32 bytes a row
 * + 40 MiB (CPU: 2 MiB a thread instead). */
SCANKIT_API scankit_error scankit_sort_columns(scankit_context *context, const scankit_column *columns, size_t count,
                                               uint64_t *positions, size_t n, const scankit_sort_options *options);

/* Top-k: the first k of scankit_sort()'s result, of scankit_sort_pairs()'s and of scankit_argsort()'s, for any k up to
 * n. So ties are broken by position. Outputs overlap no input. overwrite_input and ready are ignored.
 * Method: a threshold from a sample of 8192 to 32768 elements (a CPU: of n/16 below 2^17), a compaction of the elements
 * that pass it, and a sort of these. A GPU with k above 1024 samples up to 2^18 elements, moves those that pass to
 * buckets, and sorts each by a block. If too few pass, all elements are sorted. Waits, unless all are sorted from the
 * beginning, as with fewer than 2^17 elements (a CPU: 2^11), k above n/4 (n/8), or if only some bits count.
 * Workspace: n elements (for the second and third, n positions of 8 bytes, and n/256 more with their sort), and that of
 * a sort of the elements that pass, some k + n/400; a GPU with k above 1024, 8 k elements or positions more; if all are
 * sorted, as their sort, and n elements or positions more. */
SCANKIT_API scankit_error scankit_top_k(scankit_context *context, scankit_type type, const void *in, void *out,
                                        size_t n, size_t k, const scankit_sort_options *options);
SCANKIT_API scankit_error scankit_top_k_pairs(scankit_context *context, scankit_type type, const void *keys_in,
                                              void *keys_out, size_t value_size, const void *values_in,
                                              void *values_out, size_t n, size_t k,
                                              const scankit_sort_options *options);
SCANKIT_API scankit_error scankit_top_k_positions(scankit_context *context, scankit_type type, const void *in,
                                                  uint64_t *positions, size_t n, size_t k,
                                                  const scankit_sort_options *options);

/* How a histogram divides keys into bins. Each bin has its lower end and not its upper one, but the last has both. */
typedef enum scankit_binning {
    SCANKIT_BINS_EVEN,  /* from low to high, all of one width. Floats: floor((key - low) * (count / (high - low))) in f64.
                         * Integers: exact, and both ends are integers from the type's least value to 1 past its greatest */
    SCANKIT_BINS_EDGES, /* bin i is from edges[i] to edges[i+1] */
    SCANKIT_BINS_VALUES /* bin i is for the value first + i: integers only */
} scankit_binning;

typedef struct scankit_bins {
    scankit_binning kind;
    size_t count;      /* of bins, 1 to 2^24 */
    double low, high;  /* low < high, both finite */
    const void *edges; /* host memory: count + 1 keys, not descending, without NaN */
    uint64_t first;    /* a value of the type, of signed types converted to uint64_t */
} scankit_bins;

/* Histogram: counts[b] = the number of keys in bin b. Keys outside of all bins, and NaNs, are not counted; -0 equals 0.
 * With weights (or NULL), an element of weight_type for each key, it is the sum of the weights of these keys instead:
 * of integers modulo 2^64, signed ones as int64_t; of floats as double. counts, device memory of count words of 8
 * bytes, is overwritten and overlaps no input. Results have the same bits on every run, also of floats, and on a CPU for
 * any number of threads.
 * Method: counts of a thread or a block, then their sums; on a GPU, where not all bins fit, parts of the bins, or, of
 * few keys, of weights and of data with few bins, frequent bins alone. Float weights are sorted by bins and added
 * segment by segment. Workspace: the edges, 8 bytes each; CPU: the bins once a thread, of so few threads that it is at
 * most 64 MiB or the keys' size; GPU: from 2^22 keys on, 2 bytes a bin and multiprocessor, if 4 bytes a bin do not fit
 * its shared memory but 2 do; if these do not, from 2^23 keys of 4 or 8 bytes on, 3 bytes or so for each of up to 2^28
 * keys. Float weights: 24 bytes a key, 8 a bin, and that of a sort of pairs more. */
SCANKIT_API scankit_error scankit_histogram(scankit_context *context, scankit_type type, const void *keys, size_t n,
                                            const scankit_bins *bins, scankit_type weight_type, const void *weights,
                                            void *counts);

/* *first (host memory) = the smallest i for which in[i] orders before in[i-1], or n if in is sorted. Waits. Workspace:
 * at most 40 MiB; none for unsigned types in ascending order. */
SCANKIT_API scankit_error scankit_is_sorted(scankit_context *context, scankit_type type, const void *in, size_t n,
                                            const scankit_sort_options *options, size_t *first);

/* Merge of two sorted arrays into out (na + nb elements), stable: among equal elements, those from a come first. If an
 * input is not sorted, out holds elements of both, possibly some of them more than once. out is neither a nor b. Of
 * the options, only descending and the bits are used. Workspace: 8 bytes a tile of at least 2048 elements (CPU: 128
 * KiB a thread); for a range of key bits, 32 bytes an element more. */
SCANKIT_API scankit_error scankit_merge(scankit_context *context, scankit_type type, const void *a, size_t na,
                                        const void *b, size_t nb, void *out, const scankit_sort_options *options);

/* The same for keys with a value of value_size bytes (any size) each. Workspace: 32 bytes an element more, unless
 * values have 1, 2, 4 or 8 bytes and are aligned to that. CPU: 32 bytes also if keys or values have 1 or 2 bytes; na +
 * nb keys for types that are not unsigned and for descending order. */
SCANKIT_API scankit_error scankit_merge_pairs(scankit_context *context, scankit_type type, const void *keys_a,
                                              const void *values_a, size_t na, const void *keys_b, const void *values_b,
                                              size_t nb, void *keys_out, size_t value_size, void *values_out,
                                              const scankit_sort_options *options);

/* Merge of k sorted arrays into out, which has room for counts[0] + ... + counts[k - 1] elements. Stable: of equal
 * elements, those from the earlier array come first. `arrays` and `counts` are host memory, with k entries each, and
 * may change after the call; the arrays themselves are memory of the device. k may be 0 or any other number; an empty
 * array may be NULL. Arrays may overlap each other; out overlaps none of them. If an array is not sorted, out holds
 * elements of the arrays, possibly some of them more than once and others not at all. Of the options, only descending
 * and the bits are used. SCANKIT_E_ARGUMENT for a sum of counts that does not fit the address space.
 * Method: exact splitters by selection in several sequences (Varman and others 1991) cut the output into parts; each
 * part is merged by a tree of two-way merges over blocks that stay in a cache or on chip, so that memory is read and
 * written once. The two-way merge is by Batcher's bitonic network (as in FLiMS, Papaphilippou and others 2018).
 * Workspace, CPU: 448 KiB for each thread, or 6 KiB an array for each thread if that is more; for a range of key bits,
 * 32 bytes an element and a copy of the keys more. GPU: up to 1.1 times the output. */
SCANKIT_API scankit_error scankit_merge_many(scankit_context *context, scankit_type type, size_t k,
                                             const void *const *arrays, const size_t *counts, void *out,
                                             const scankit_sort_options *options);

/* The same for keys with a value of value_size bytes (any size) each: values[i] has counts[i] elements, as has keys[i].
 * Workspace: one copy of the keys more for types that are not unsigned and for descending order; unless keys and values
 * both have 4 or 8 bytes, 32 bytes an element more, and a copy of the keys and of the values if the arrays do not lie
 * one directly after the other. */
SCANKIT_API scankit_error scankit_merge_many_pairs(scankit_context *context, scankit_type type, size_t k,
                                                   const void *const *keys, const void *const *values,
                                                   const size_t *counts, void *keys_out, size_t value_size,
                                                   void *values_out, const scankit_sort_options *options);

/* ---- 5. Records: layouts, keys, and the functions that sort by them ------------------------------------------- */

/* A layout lists the fields of a fixed-width record. Fields follow each other without gaps. */
typedef struct scankit_layout scankit_layout;

typedef struct scankit_field {
    const char *name; /* valid as long as the layout; may be empty, for padding */
    scankit_type type;
    size_t offset;  /* in bytes, from the start of the record */
    size_t size;    /* bytes */
    int big_endian; /* never for SCANKIT_BYTES and one-byte types */
} scankit_field;

/* An empty layout, of size 0. */
SCANKIT_API scankit_error scankit_layout_create(scankit_layout **layout);
SCANKIT_API void scankit_layout_destroy(scankit_layout *layout);

/* Appends a field. size is used for SCANKIT_BYTES only, where it must be 1 or more. SCANKIT_E_SYNTAX if the layout
 * already has a field with this name; empty names may repeat. */
SCANKIT_API scankit_error scankit_layout_append(scankit_layout *layout, const char *name, scankit_type type,
                                                size_t size, int big_endian);

/* Parses a layout from NAME:TYPE[,NAME:TYPE...], where TYPE is a type's name or bytesN, N from 1 to 2^20. A name
 * consists of letters, digits, _ . and -, and does not begin with a digit. On SCANKIT_E_SYNTAX *where (unless where is
 * NULL) is the offset of the error in the text. */
SCANKIT_API scankit_error scankit_layout_parse(scankit_layout **layout, const char *text, int big_endian,
                                               size_t *where);

SCANKIT_API size_t scankit_layout_size(const scankit_layout *layout); /* bytes of a record */
SCANKIT_API size_t scankit_layout_count(const scankit_layout *layout);
SCANKIT_API const scankit_field *scankit_layout_field(const scankit_layout *layout,
                                                      size_t index); /* NULL past the end */
SCANKIT_API const scankit_field *scankit_layout_find(const scankit_layout *layout, const char *name); /* NULL: none */

/* One sort key of a record. With several keys, records are ordered by the first, ties by the second, and so on. */
typedef struct scankit_key {
    size_t offset;
    scankit_type type;
    size_t size; /* used for SCANKIT_BYTES only, where it may be any */
    int big_endian;
    int descending;
} scankit_key;

/* Parses keys from KEY[:asc|:desc][,KEY...], where KEY is a field's name or OFFSET:TYPE (TYPE as in a layout, in the
 * byte order given by big_endian). Appends to keys[*count], up to `room` in all; SCANKIT_E_ARGUMENT if there are more.
 * *where as in scankit_layout_parse(). */
SCANKIT_API scankit_error scankit_keys_parse(const scankit_layout *layout, const char *text, int big_endian,
                                             scankit_key *keys, size_t room, size_t *count, size_t *where);

/* Compares two records in host memory by these keys: negative, 0 or positive. Needs no context and is thread-safe. */
SCANKIT_API int scankit_compare(const scankit_key *keys, size_t key_count, const void *a, const void *b);

/* Stable sort of n records of record_size bytes by 1 to 64 keys. out may be in. Of the options, only the algorithm is
 * used.
 * Method: if a single key of 1, 2, 4 or 8 bytes is the whole record, scankit_sort(). Otherwise the keys are normalised
 * to 64-bit words that compare as unsigned integers; these are sorted with the record's position, least significant
 * word first; then the records are gathered once. Workspace: 40 bytes a record + 40 MiB (CPU: 2 MiB a thread instead),
 * + n records if out is in. The three functions below use the same, without the n records. */
SCANKIT_API scankit_error scankit_sort_records(scankit_context *context, size_t record_size, const scankit_key *keys,
                                               size_t key_count, const void *in, void *out, size_t n,
                                               const scankit_sort_options *options);

SCANKIT_API scankit_error scankit_argsort_records(scankit_context *context, size_t record_size, const scankit_key *keys,
                                                  size_t key_count, const void *in, uint64_t *positions, size_t n,
                                                  const scankit_sort_options *options);

SCANKIT_API scankit_error scankit_is_sorted_records(scankit_context *context, size_t record_size,
                                                    const scankit_key *keys, size_t key_count, const void *in, size_t n,
                                                    size_t *first);

/* As scankit_merge(); method and workspace as of scankit_merge_many_records(). */
SCANKIT_API scankit_error scankit_merge_records(scankit_context *context, size_t record_size, const scankit_key *keys,
                                                size_t key_count, const void *a, size_t na, const void *b, size_t nb,
                                                void *out);

/* As scankit_merge_many(), for k sorted arrays of records.
 * Method on a CPU: the same tree, over each record's first 8 bytes of keys and its address; longer keys are compared in
 * full where those are equal. A record is read twice, the second time from a cache. On a GPU, two arrays are merged by
 * merge path in the same way, if records have at most 4 KiB and keys at most 128 bytes; so are up to 16 arrays of short
 * records, two and two. Otherwise keys of at most 8 bytes are merged with the record's position, then the records are
 * gathered; longer keys are sorted by a stable sort. Workspace, CPU: as scankit_merge_many(). GPU: n records for more
 * than two arrays, and 4 MiB for each 2^30 records. Otherwise 32 bytes a record; + n records if the arrays do not lie
 * one directly after the other; 40 bytes a record + 40 MiB for keys longer than 8 bytes. */
SCANKIT_API scankit_error scankit_merge_many_records(scankit_context *context, size_t record_size,
                                                     const scankit_key *keys, size_t key_count, size_t k,
                                                     const void *const *arrays, const size_t *counts, void *out);

/* A sorted sequence of n elements of which every `every`-th one is in host memory: entry i, at entries + i * stride, is
 * element i * every. So count is n / every, rounded up. With every = 1 all elements are there. */
typedef struct scankit_sequence {
    const void *entries;
    size_t stride, count;
    uint64_t every, n;
} scankit_sequence;

/* Selection in k sorted sequences: the first `rank` of all their elements in order are the first elements of each;
 * equal elements are ordered by sequence, then by place. Sets low[i] <= the number from sequence i <= high[i]. If all
 * elements are there, the two are equal, and low may be high. Otherwise the gaps high[i] - low[i] add up to at most 4 k
 * times the largest `every`: samples of the gaps narrow them further. Uses no device.
 * Method: Varman, Scheufler, Iyer and Ricard, Merging Multiple Lists on Hierarchical-Memory Multiprocessors, 1991. */
SCANKIT_API scankit_error scankit_select(const scankit_key *keys, size_t key_count, const scankit_sequence *lists,
                                         size_t k, uint64_t rank, uint64_t *low, uint64_t *high);

/* ---- 6. Predicates and compaction ------------------------------------------------------------------------------ */

/* A predicate decides for each element whether it matches. It is compiled from text once, is immutable, belongs to no
 * context, and may be used by several threads at once.
 *
 * The text is a C expression, with C's operators and precedence:
 *
 *     ?:  ||  &&  |  ^  &  == !=  < <= > >= in  << >>  + -  * / %  ! ~ - +  ( )
 *     abs(a)  min(a, b)  max(a, b)  isnan(a)  isinf(a)
 *     a in {3, 5, 8..13}      whether a is one of these; ranges include both ends
 *
 * x is the element and i its position. The fields of a record are used by name; a name that is not a C identifier is
 * written in back quotes. Numbers are decimal, hexadecimal (0xff), binary (0b101) or floats (1.5, 1e-3), with C's
 * suffixes u, l and f. Fields of opaque bytes compare with each other and with strings ("AAPL"), as unsigned bytes;
 * the shorter operand is padded with zero bytes.
 *
 * - Integers are computed in 64 bits and wrap. They are signed unless an operand is a u64: a field, a number with the
 *   suffix u, or a number too large for an i64. A shift has the type of its left operand. Comparisons, min, max and in
 *   use the mathematical value: -1 < 1u; -9223372036854775808 is the smallest i64. a / 0 is 0 and a % 0 is a. A shift
 *   by a negative number or by 64 or more shifts all bits out. & | ^ ~ << >> and % take integers only.
 * - Floats are computed as f64, exactly as IEEE 754 specifies. An integer combined with a float becomes an f64, as do
 *   all members of a set that contains a float (members are constant expressions). A NaN compares as in C and is in no
 *   set; min and max ignore it. Results have the same bits on every device.
 * - Any number other than 0 is true; comparisons and ! && || give 1 or 0. Expressions have no side effects, so the
 *   order of evaluation is not visible. */
typedef struct scankit_predicate scankit_predicate;

/* Compiles for elements of one type, named x. On SCANKIT_E_SYNTAX *where is the offset of the error in the text and
 * *reason a constant string that describes it; either pointer may be NULL. Texts may have up to 64 KiB. */
SCANKIT_API scankit_error scankit_predicate_compile(scankit_predicate **predicate, scankit_type type, const char *text,
                                                    size_t *where, const char **reason);

/* The same for records. The layout is not used after the call. */
SCANKIT_API scankit_error scankit_predicate_compile_records(scankit_predicate **predicate, const scankit_layout *layout,
                                                            const char *text, size_t *where, const char **reason);

SCANKIT_API void scankit_predicate_destroy(scankit_predicate *predicate);

/* Bytes of an element that the predicate takes. */
SCANKIT_API size_t scankit_predicate_element_size(const scankit_predicate *predicate);

/* How a GPU evaluates a predicate: interpreted, or compiled by NVRTC if that library is installed. Compiling takes
 * about 0.25 s the first time; the context keeps the result. A predicate that says if an element, or some of its bits,
 * is in up to four ranges needs neither, unless one is asked for. X(enumerator, name, description) */
#define SCANKIT_EVALUATIONS(X)                                                                   \
    X(EVALUATE_AUTO, "auto", "interpret, and compile once that has taken longer than compiling") \
    X(INTERPRET, "interpret", "interpret")                                                       \
    X(COMPILE, "compile", "compile at once; SCANKIT_E_NO_DEVICE without NVRTC")

typedef enum scankit_evaluation {
#define X(enumerator, name, text) SCANKIT_##enumerator,
    SCANKIT_EVALUATIONS(X)
#undef X
} scankit_evaluation;

/* NULL or all zeros: the defaults. */
typedef struct scankit_compact_options {
    int invert;                    /* 1: elements that do not match count as matching, and vice versa */
    uint64_t first;                /* the position, i, of in[0], to process a long array in parts; first + n < 2^63 */
    scankit_evaluation evaluation; /* used only on a GPU, and only with a predicate */
} scankit_compact_options;

/* Compaction: writes the matching elements to out in their order. out may be in. The rest of out is unchanged; in
 * place it is unspecified. *count (host memory, or NULL) receives the number of matches; requesting it waits.
 * Method: one pass over tiles. Each tile gets its output position from its predecessors, on a GPU by decoupled
 * look-back (Merrill and Garland 2016). It works in place because a tile writes only after all tiles before it have
 * read. Workspace, GPU: 8 bytes a tile of at least 16 KiB; for elements of more than 16 KiB also 9 bytes an element
 * and, in place, 64 MiB. CPU: 1 MiB a thread (1 KiB more for each register and constant of a predicate with more than
 * 200 of them) + 8 bytes a tile of at least 32 KiB; for elements of 32 KiB or more, a byte an element instead. */
SCANKIT_API scankit_error scankit_compact(scankit_context *context, const scankit_predicate *predicate, const void *in,
                                          void *out, size_t n, const scankit_compact_options *options, size_t *count);

/* Split by a predicate: matching elements go to matching, which may be in, and the others to others, both in their
 * order. Each output needs room for all elements that may go there. One of the two may be NULL; if both are, matches
 * are only counted. */
SCANKIT_API scankit_error scankit_split_predicate(scankit_context *context, const scankit_predicate *predicate,
                                                  const void *in, void *matching, void *others, size_t n,
                                                  const scankit_compact_options *options, size_t *count);

/* The positions of the matching elements, ascending. The position of in[0] is options->first. */
SCANKIT_API scankit_error scankit_compact_positions(scankit_context *context, const scankit_predicate *predicate,
                                                    const void *in, uint64_t *positions, size_t n,
                                                    const scankit_compact_options *options, size_t *count);

/* Compaction and positions by an array of flags (device memory, one byte an element): an element (of any element_size)
 * matches if its flag is not 0. */
SCANKIT_API scankit_error scankit_compact_flags(scankit_context *context, size_t element_size, const void *in,
                                                const uint8_t *flags, void *out, size_t n,
                                                const scankit_compact_options *options, size_t *count);
SCANKIT_API scankit_error scankit_compact_flags_positions(scankit_context *context, const uint8_t *flags,
                                                          uint64_t *positions, size_t n,
                                                          const scankit_compact_options *options, size_t *count);

/* ---- 7. Runs -------------------------------------------------------------------------------------------------- */

/* A run is a maximal sequence of adjacent equal elements. Elements are equal if all their bytes are or, with keys, if
 * the bytes of the keys are. So floats are equal only if all their bits are: 0.0 and -0.0 are two runs, as are two
 * different NaNs. Counts have 64 bits; a run may be longer than 2^32. */

/* NULL or all zeros: compare whole elements. Otherwise up to 64 keys, of which only offset and size are used. */
typedef struct scankit_run_options {
    const scankit_key *keys;
    size_t key_count;
} scankit_run_options;

/* Run-length encoding of n elements of element_size bytes. values (which may be in, or NULL) receives the first
 * element of each run, counts (or NULL) the length of each run; both need room for every run. *runs (host memory, or
 * NULL) receives the number of runs; requesting it waits. The rest of values is unchanged; in place it is unspecified.
 * Method: one pass over tiles, with look-back (Merrill and Garland 2016) for the number of runs before a tile and the
 * length of the run that is open at its start. Workspace, GPU: 16 bytes a tile of at least 16 KiB; with keys, or
 * elements not of 1, 2, 4 or 8 bytes, also a byte an element; for elements of more than 16 KiB, 9 bytes an element
 * and, in place, 64 MiB. CPU: 1 MiB a thread + 32 bytes a tile of at least 32 KiB; for elements of 32 KiB or more, a
 * byte an element instead. */
SCANKIT_API scankit_error scankit_run_length_encode(scankit_context *context, size_t element_size, const void *in,
                                                    void *values, uint64_t *counts, size_t n,
                                                    const scankit_run_options *options, size_t *runs);

/* The inverse: writes values[r] counts[r] times, for each r in order. A count may be 0. out overlaps neither input and
 * has room for `room` elements. *n (host memory, or NULL) receives the number of elements. Waits. If there are more
 * than room, nothing is written and the result is SCANKIT_E_ARGUMENT. If out is NULL, the elements are only counted;
 * 2^64 - 1 or more are refused.
 * Method: a scan of the counts; then each tile of the output finds its runs by a search in the offsets, and each
 * element its run by a scan of the run starts. Workspace, GPU: 8 bytes a run + 8 bytes a tile of at least 16 KiB; for
 * elements not of 1, 2, 4 or 8 bytes, + 64 MiB. CPU: 64 KiB. */
SCANKIT_API scankit_error scankit_run_length_decode(scankit_context *context, size_t element_size, const void *values,
                                                    const uint64_t *counts, size_t runs, void *out, size_t room,
                                                    size_t *n);

/* Unique: writes the first element of each run to out, which may be in. *count (host memory, or NULL) receives their
 * number. As scankit_run_length_encode() without counts. */
SCANKIT_API scankit_error scankit_unique(scankit_context *context, size_t element_size, const void *in, void *out,
                                         size_t n, const scankit_run_options *options, size_t *count);

/* Reduce by key, for each run of equal keys (elements of key_size bytes). The run's first key goes to keys_out (which
 * may be keys_in, or NULL); its values v op v op ..., in their order, go to values_out (which may be values_in). *runs
 * (host memory, or NULL) receives the number of runs; requesting it waits. Floats round at each step: results have the
 * same bits on every run of a CPU, and on a GPU with scankit_set_deterministic(). Workspace as for encoding. */
SCANKIT_API scankit_error scankit_reduce_by_key(scankit_context *context, size_t key_size, const void *keys_in,
                                                scankit_type type, scankit_operator op, const void *values_in,
                                                void *keys_out, void *values_out, size_t n,
                                                const scankit_run_options *options, size_t *runs);

/* ---- 8. The gallery: the classic algorithms, each under its own name ------------------------------------------- */

/* The history of fast scans and sorts: textbook algorithms, correct for any length, to read, run and compare. For
 * production use scankit_scan(), scankit_reduce(), scankit_compact_flags() and scankit_sort(). */
typedef enum scankit_gallery_kind {
    SCANKIT_BLOCK_SCAN, /* scans one thread block's tile; a hierarchical scan of any length runs it on its tiles */
    SCANKIT_GRID_SCAN,  /* scans whole arrays */
    SCANKIT_REDUCTION,
    SCANKIT_COMPACTION,
    SCANKIT_SORT
} scankit_gallery_kind;

/* All strings are constants; none is NULL. */
typedef struct scankit_gallery_row {
    const char *name; /* "kogge-stone"; unique by device and kind, where both kinds of scan count as one */
    scankit_gallery_kind kind;
    const char *device; /* "cpu" or "cuda": the contexts that have it */
    const char *work;   /* operations for n elements: "n log n" */
    const char *steps;  /* dependent steps, with enough processors: "log n" */
    const char *passes; /* reads and writes of the whole array in memory: "4" */
    int is_stable;      /* of a sort: 1 if equal keys keep their order, so that it takes values too; else 0 */
    const char *limits; /* what it is restricted to: "" or "commutative operators; ..." */
    const char *source; /* "Kogge and Stone 1973" */
} scankit_gallery_row;

/* Row 0, 1, 2, ...; NULL past the last. The table is the same in every build, with or without CUDA. */
SCANKIT_API const scankit_gallery_row *scankit_gallery(size_t row);

/* 1 if the algorithm takes elements of this type and, unless it is a compaction or a sort, this operator. */
SCANKIT_API int scankit_gallery_applies(const scankit_gallery_row *row, scankit_type type, scankit_operator op);

/* As scankit_scan(), scankit_reduce(), and scankit_compact_flags() for elements of one type, by the algorithm with
 * this name. SCANKIT_E_ARGUMENT, with a detail that says why, if the context's device has no such algorithm for the
 * function, or if the algorithm does not take the type or the operator. Floats round at each step, in the algorithm's
 * own order. Workspace on a GPU: naive and sengupta-hybrid, one array of the input's size; compactions except
 * single-pass, 4 bytes an element (8 from 2^32 elements on), plus the array if out is in; all others at most 1/250 of
 * the array. */
SCANKIT_API scankit_error scankit_gallery_scan(scankit_context *context, const char *name, scankit_type type,
                                               scankit_operator op, scankit_scan_kind kind, const void *initial,
                                               const void *in, void *out, size_t n);
SCANKIT_API scankit_error scankit_gallery_reduce(scankit_context *context, const char *name, scankit_type type,
                                                 scankit_operator op, const void *in, void *result, size_t n);
SCANKIT_API scankit_error scankit_gallery_compact(scankit_context *context, const char *name, scankit_type type,
                                                  const void *in, const uint8_t *flags, void *out, size_t n,
                                                  size_t *count);

/* As scankit_sort(), or scankit_sort_pairs() with values of 4 or 8 bytes, by the algorithm with this name. The name
 * "split-radix:NAME", with the name of a block scan, sorts keys of 4 bytes alone by splits with that scan. value_size
 * 0: keys alone, and no values. descending: as in scankit_sort_options. keys_out may be keys_in, and values_out
 * values_in. SCANKIT_E_ARGUMENT as above, and if there are values but the algorithm is not stable, or (but for
 * production's) they are not aligned to their size. Workspace: that of scankit_sort() with the options of the same name
 * for hybrid, radix and chunk-merge. None for bitonic, odd-even-merge and american-flag; sample and hybrid-radix on a
 * GPU, four arrays of keys; split, two of keys and one of values; the others, an array of keys, one of values, and at
 * most 1/8 of that for counts. */
SCANKIT_API scankit_error scankit_gallery_sort(scankit_context *context, const char *name, scankit_type type,
                                               int descending, const void *keys_in, void *keys_out, size_t value_size,
                                               const void *values_in, void *values_out, size_t n);

/* ---- 9. Images ------------------------------------------------------------------------------------------------- */

/* An image: height rows of width pixels, each of 1 to 4 interleaved channels of one type (u8, u16, f16 or f32, unless
 * a function says otherwise), aligned to it. Row y begins at data + y * pitch. pitch: bytes, a multiple of the type's
 * size and at least a row; 0: the rows lie one directly after the other. Bytes between rows are neither read nor
 * written. The image of an input is not written to. Width or height may be 0; data may be NULL then. Outputs overlap
 * nothing, unless a comment allows it. */
typedef struct scankit_image {
    scankit_type type;
    unsigned channels;
    size_t width, height, pitch;
    void *data;
} scankit_image;

/* Transposition: element c of row r of in (rows x columns elements of element_size bytes) becomes element r of row c
 * of out. in_pitch and out_pitch: bytes from one row to the next, as in an image, but of any alignment; 0: rows of
 * elements without gaps. out may be in if rows = columns and both pitches are equal. Otherwise the two do not overlap.
 * Method: tiles through on-chip memory (Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009). No
 * workspace. */
SCANKIT_API scankit_error scankit_transpose(scankit_context *context, size_t element_size, const void *in,
                                            size_t in_pitch, void *out, size_t out_pitch, size_t rows, size_t columns);

/* scankit_scan() of each row of a matrix of rows x columns elements, with pitches in bytes as in an image. out may be
 * in if both pitches are equal. Results have the same bits on every run and every GPU, also for floats. Workspace:
 * that of scankit_scan(). */
SCANKIT_API scankit_error scankit_scan_rows(scankit_context *context, scankit_type type, scankit_operator op,
                                            scankit_scan_kind kind, const void *in, size_t in_pitch, void *out,
                                            size_t out_pitch, size_t rows, size_t columns);

/* Methods for summed-area tables: X(enumerator, name, description). */
#define SCANKIT_TABLE_METHODS(X)                                                                          \
    X(TABLE_AUTO, "auto", "the fastest for the size")                                                     \
    X(TABLE_SINGLE_PASS, "single-pass", "one pass over bands of rows, with look-back to the bands above") \
    X(TABLE_TRANSPOSES, "transposes", "scan the rows, transpose, scan the rows, transpose")

typedef enum scankit_table_method {
#define X(enumerator, name, text) SCANKIT_##enumerator,
    SCANKIT_TABLE_METHODS(X)
#undef X
} scankit_table_method;

SCANKIT_API const char *scankit_table_method_name(scankit_table_method method);
SCANKIT_API scankit_error scankit_table_method_from_name(scankit_table_method *method, const char *name);

/* NULL or all zeros: the defaults. */
typedef struct scankit_table_options {
    scankit_table_method method;
    int wrap;     /* 1: integer sums may wrap modulo 2^32 or 2^64. Differences of such a table are still exact, if the
                   * sum that they stand for fits. */
    double *mean; /* host memory, an element a channel, or NULL. If given, the table must be of floats; it gets the
                   * sums of value - mean, and the array the means. So it loses fewer bits: the sum over an area is the
                   * difference of the table plus area * mean. */
} scankit_table_options;

/* Summed-area table (Crow, Summed-area Tables for Texture Mapping, 1984): pixel (x, y) of out is, for each channel, the
 * sum of all pixels of in from (0, 0) to (x, y). Both have the same size and number of channels. out has type u32 or
 * u64 (not for f16 and f32), f32 or f64. SCANKIT_E_ARGUMENT if width * height * the type's largest value may pass the
 * range of an integer out, unless wrap is set. Sums of floats round at each step; they have the same bits on every run
 * and every GPU, and for any number of threads. Waits if the mean is asked for.
 * Methods: transposes, Harris, Sengupta and Owens, GPU Gems 3 chapter 39, 2007; single-pass, after Kasagi, Nakano and
 * Ito, Parallel Algorithms for the Summed Area Table on the Asynchronous Hierarchical Memory Machine, 2014, with
 * look-back as in Merrill and Garland 2016. Workspace: transposes, the size of out. Single-pass, GPU: half the size of
 * out, a quarter if its type has 4 bytes; for low and wide images with the method auto, the size of out and that of
 * scankit_scan_rows(). Single-pass, CPU: a row of out and 64 bytes for each chunk of columns. */
SCANKIT_API scankit_error scankit_summed_area_table(scankit_context *context, const scankit_image *in,
                                                    const scankit_image *out, const scankit_table_options *options);

/* What lies beyond the edges of an image: X(enumerator, name, description). */
#define SCANKIT_EDGES(X)                                            \
    X(EDGE_CLAMP, "clamp", "the nearest pixel of the image, again") \
    X(EDGE_MIRROR, "mirror", "the image, reflected at its edges")   \
    X(EDGE_OMIT, "omit", "nothing; a mean is over what lies within")

typedef enum scankit_edge {
#define X(enumerator, name, text) SCANKIT_##enumerator,
    SCANKIT_EDGES(X)
#undef X
} scankit_edge;

SCANKIT_API const char *scankit_edge_name(scankit_edge edge);
SCANKIT_API scankit_error scankit_edge_from_name(scankit_edge *edge, const char *name);

#define SCANKIT_RADIUS_MAX 16384.0 /* pixels */

typedef struct scankit_box_options {
    double radius;              /* of all pixels, if radii is NULL */
    const scankit_image *radii; /* a radius for each pixel: an f32 image of one channel and of the same size; NaNs and
                                 * negative radii count as 0, and radii past the maximum as the maximum */
    scankit_edge edge;
    unsigned passes; /* filters that often; 0: once. Three boxes are near a Gaussian */
} scankit_box_options;

/* Box filter: each channel of pixel (x, y) of out is the mean of in over the square [x - r, x + 1 + r] x [y - r, y + 1
 * + r], in which pixel (i, j) covers [i, i + 1] x [j, j + 1]. So r = 1 is the mean of 3 x 3 pixels. Radii are rounded
 * to 1/256 of a pixel; a pixel that is covered in part counts by that part. Both images have the same type and size.
 * Integer results are exact to the nearest, halves up, and the same on every device; between passes, u8 images are kept
 * with 8 more bits. Floats are summed in f64; results have the same bits on every run and every GPU, and for any number
 * of threads. NaNs and infinities spread without bound. The time does not depend on the radius. Method: differences of
 * sums, as of a summed-area table (Crow 1984; GPU Gems 3 chapter 39); for a single radius, of rows and columns one
 * after the other. Workspace: 16 bytes a pixel and channel, 24 with radii; on a CPU also 72 bytes a column and two rows
 * of sums a thread. SCANKIT_E_ARGUMENT: a radius that is negative, a NaN, or above the maximum. */
SCANKIT_API scankit_error scankit_box_filter(scankit_context *context, const scankit_image *in,
                                             const scankit_image *out, const scankit_box_options *options);

typedef struct scankit_lens {
    double focus;      /* the distance that is sharp, in the units of the depths; above 0 */
    double aperture;   /* the radius of the blur at infinity, in pixels; 0 or more */
    double radius_max; /* in pixels; 0: no limit but SCANKIT_RADIUS_MAX */
} scankit_lens;

/* Depth of field: a box filter with the radius aperture * |depth - focus| / depth for each pixel, limited to
 * radius_max. That is the circle of confusion of a thin lens (Potmesil and Chakravarty, A Lens and Aperture Camera
 * Model for Synthetic Image Generation, 1981), measured in the plane of focus. depth: an f32 image of one channel and
 * of the same size, distances from the lens; infinity is allowed. NaNs and depths that are not above 0 stay sharp.
 * Edges clamp. Workspace: that of scankit_box_filter() and 4 bytes a pixel. */
SCANKIT_API scankit_error scankit_depth_of_field(scankit_context *context, const scankit_image *in,
                                                 const scankit_image *depth, const scankit_image *out,
                                                 const scankit_lens *lens);

/* The size of a level of the pyramid over an image: width >> level and height >> level, but at least 1. */
SCANKIT_API size_t scankit_mipmap_extent(size_t extent, unsigned level);

/* The number of levels of the pyramid, with level 0, the image: 1 + floor(log2(the larger side)). 0 for no pixels. */
SCANKIT_API unsigned scankit_mipmap_levels(size_t width, size_t height);

/* Mip-map (Williams, Pyramidal Parametrics, 1983): levels[0] gets level 1, ..., levels[count - 1] level count, of the
 * sizes above, and of the type and channels of in. A pixel of a level is the mean of 2 x 2 pixels of the level before
 * it; where a side is odd, of 3 pixels, with the weights of the area that each shares with it (Guthe and Heckbert,
 * Non-Power-of-Two Mipmap Creation, 2005). u8 and u16 hold sRGB, are averaged in linear light, and rounded once for
 * each level; linear = 1: they are linear already. With two and four channels the last one is alpha, which is always
 * linear. Results have the same bits on every run and every device. Workspace: 4 bytes for each element of levels 1
 * and 2; on a CPU also 16 bytes for each element of a row of in and each thread, and 16 KiB. */
SCANKIT_API scankit_error scankit_mipmap(scankit_context *context, const scankit_image *in, const scankit_image *levels,
                                         unsigned count, int linear);

/* How a pyramid is sampled: X(enumerator, name, description). */
#define SCANKIT_SAMPLINGS(X)                                                     \
    X(SAMPLE_NEAREST, "nearest", "the pixel at that place of the nearest level") \
    X(SAMPLE_BILINEAR, "bilinear", "between four pixels of the nearest level")   \
    X(SAMPLE_TRILINEAR, "trilinear", "between the bilinear samples of the two levels around it")

typedef enum scankit_sampling {
#define X(enumerator, name, text) SCANKIT_##enumerator,
    SCANKIT_SAMPLINGS(X)
#undef X
} scankit_sampling;

SCANKIT_API const char *scankit_sampling_name(scankit_sampling sampling);
SCANKIT_API scankit_error scankit_sampling_from_name(scankit_sampling *sampling, const char *name);

/* A place of a pyramid: u and v from 0 to 1 across the image, which repeats beyond them; level 0 is the image. */
typedef struct scankit_place {
    float u, v, level;
} scankit_place;

/* Samples the pyramid levels[0], ..., levels[count - 1] (level 0 first, of the sizes of scankit_mipmap()) at n places
 * (device memory). out: n pixels of f32, as many channels as the images; integers are scaled to 0 to 1, and linear is
 * as in scankit_mipmap(): results are in linear light. A level past the last is the last one; NaNs count as 0. */
SCANKIT_API scankit_error scankit_sample(scankit_context *context, const scankit_image *levels, unsigned count,
                                         scankit_sampling sampling, int linear, const scankit_place *places, float *out,
                                         size_t n);

#ifdef __cplusplus
}
#endif

#endif
