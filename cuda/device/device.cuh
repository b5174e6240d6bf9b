// device.cuh - a GPU as a backend's device, and what every file of cuda/ offers to the table in context.cu.
#ifndef SK_CUDA_DEVICE_CUH
#define SK_CUDA_DEVICE_CUH

#include <cuda_runtime.h>

#include "backend.h"

// Pageable host memory passes through a ring of pinned buffers: while one is on the bus, the next is filled or emptied.
constexpr int STAGES = 4;
constexpr size_t STAGE_BYTES = size_t(4) << 20;

// Look-back state, kept from launch to launch (state.cuh).
struct kept_state {
    char *memory;
    size_t bytes;
    unsigned launches; // since it was cleared
};

struct cuda_device {
    sk_device base; // first: the library sees only this
    int ordinal, processors;
    bool overlaps;      // kernels may begin before the launch in front of them has ended (launch.cuh)
    size_t shared_most; // bytes of shared memory that a block may have
    size_t ring_least;  // bytes of an array from which on the ring is used; SIZE_MAX: never
    cudaStream_t own, stream;
    char *pinned; // STAGES buffers, then room for results
    cudaEvent_t staged[STAGES], asked;
    unsigned next_stage;
    kept_state states[2];         // of descriptors that are marked throughout, and of others
    struct kernel_cache *kernels; // compile.cu's
    int lane_order;               // whether lanes' atomics take place in their order: 0 not tried, 1 yes, -1 no
};

inline cuda_device *as_cuda(sk_device *device)
{
    return reinterpret_cast<cuda_device *>(device);
}

// What a kernel computed for the host: at most this many bytes, copied and waited for.
constexpr size_t RESULT_BYTES = size_t(16) << 10;
scankit_error cuda_fetch(cuda_device *device, void *host, const void *from, size_t bytes);

// The same in two steps: what is launched between them is not waited for.
scankit_error cuda_ask(cuda_device *device, const void *from, size_t bytes);
scankit_error cuda_answer(cuda_device *device, void *host, size_t bytes);

// The same of what a kernel itself writes to the host's memory: where to, and when it has.
void *cuda_result(cuda_device *device);
scankit_error cuda_wait_result(cuda_device *device, void *host, size_t bytes);

// The memory of a kind of state, so many bytes of it.
scankit_error cuda_take_state(cuda_device *device, unsigned kind, size_t bytes, char **memory);

// Gives back the kernels that were compiled for the device.
void cuda_close_kernels(cuda_device *device);

scankit_error cuda_scan(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                        const void *initial, const void *in, void *out, size_t n);
scankit_error cuda_reduce(sk_device *device, scankit_type type, scankit_operator op, const void *in, void *result,
                          size_t n);
scankit_error cuda_segmented_scan(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                                  const void *initial, const void *in, const uint8_t *heads, void *out, size_t n);
scankit_error cuda_segmented_reduce(sk_device *device, scankit_type type, scankit_operator op, const void *in,
                                    const uint64_t *offsets, void *results, size_t segments);
scankit_error cuda_split(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, size_t n, unsigned bit,
                         unsigned bits, size_t *offsets);
scankit_error cuda_split_flags(sk_device *device, size_t element_size, const void *in, const uint8_t *flags, void *out,
                               size_t n, size_t *zeros);
scankit_error cuda_compact(sk_device *device, const sk_selection *selection, size_t *count);
scankit_error cuda_encode_runs(sk_device *device, const sk_runs *runs, size_t *count);
scankit_error cuda_decode_runs(sk_device *device, size_t element_size, const void *values, const uint64_t *counts,
                               size_t runs, void *out, size_t room, size_t *n);
scankit_error cuda_sort(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, void *spare, size_t n,
                        unsigned begin_bit, unsigned end_bit, scankit_algorithm algorithm);
scankit_error cuda_sort_values(sk_device *device, const sk_piece *piece, const void *in, void *out, void *spare,
                               size_t n, scankit_algorithm algorithm, bool *done);
scankit_error cuda_merge(sk_device *device, sk_shape shape, sk_const_columns a, size_t na, sk_const_columns b,
                         size_t nb, sk_columns out);
scankit_error cuda_merge_values(sk_device *device, const sk_piece *piece, const void *a, size_t na, const void *b,
                                size_t nb, void *out, bool *done);
scankit_error cuda_encode(sk_device *device, const sk_word *word, size_t stride, const void *in, unsigned word_size,
                          void *out, size_t n);
scankit_error cuda_decode(sk_device *device, const sk_piece *piece, const void *in, void *out, size_t n);
scankit_error cuda_gather(sk_device *device, size_t element_size, const void *a, size_t na, const void *b,
                          unsigned index_size, const void *index, void *out, size_t n);
scankit_error cuda_iota(sk_device *device, unsigned index_size, uint64_t first, void *out, size_t n);
scankit_error cuda_first_descent(sk_device *device, unsigned word_size, unsigned columns, const void *words, size_t n,
                                 size_t *first);

#endif
