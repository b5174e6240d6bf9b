// wide_pairs.cu - the pairs are one segment, which all slices share.
#include "sort/wide_pairs.cuh"

#include "common/shape.cuh"
#include "device/launch.cuh"
#include "sort/segments/slices.cuh"

namespace
{

template <class K, class V>
__global__ void __launch_bounds__(SLICE_THREADS, SLICES_RESIDENT) sort_segment(segment_columns<K, V> columns, size_t n)
{
    __shared__ slice_memory<K> shared;
    wait_for_launches();
    let_next_begin();
    sort_range(shared, columns, 0, n, blockIdx.x, gridDim.x);
}

} // namespace

scankit_error sort_wide_pairs(cuda_device *gpu, unsigned value_size, sk_const_columns in, sk_columns out, size_t n,
                              const sk_piece *order)
{
    const segment_data data = {{8, value_size}, order, in, out, nullptr};
    auto run = [&](auto value) {
        using V = decltype(value);
        return launch(gpu, sort_segment<uint64_t, V>, unsigned((n - 1) / SLICE) + 1, SLICE_THREADS, 0,
                      columns_of<uint64_t, V>(data), n);
    };
    switch (value_size) {
    case 1: return run(uint8_t());
    case 2: return run(uint16_t());
    case 4: return run(uint32_t());
    case 8: return run(uint64_t());
    default: return run(uint4());
    }
}
