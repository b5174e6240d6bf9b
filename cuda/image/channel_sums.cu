// channel_sums.cu - the sum of each channel of an image: integers exactly, floats as doubles.
//
// The rows are cut into parts, and a fixed number of blocks take turns with them. The block that finishes last adds the
// sums of all blocks. The order of additions depends on the size of the image alone.
#include "common/lookback_state.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "image/channel_lanes.cuh"
#include "image/picture.cuh"

constexpr int SUMS_THREADS = 256;
constexpr int SUMS_LOADS = 16; // of a thread, in flight
constexpr unsigned SUMS_BLOCKS = 1024;

// Sums of channels.
template <class A> struct channel_totals {
    A of[CHANNELS_MOST];
};

template <class E> using channel_accumulator = std::conditional_t<std::is_integral_v<E>, uint64_t, double>;

template <class A, class E> __device__ __forceinline__ A accumulate(A sum, E element)
{
    if constexpr (std::is_integral_v<E>)
        return sum + element;
    else
        return sum + A(float_of(element));
}

template <class E> struct channel_parts {
    picture<E> in;
    size_t length, size, across; // elements of a row and of a part, and parts of a row

    explicit channel_parts(const scankit_image *image) : in(picture_of<E>(image))
    {
        length = in.width * in.channels;
        size = size_t(channel_lanes(in.channels).chunk(SUMS_THREADS)) * SUMS_LOADS;
        across = (length - 1) / size + 1;
    }

    // Adds this thread's elements of a part. Past the end of the part, its last element is read again and not added.
    template <class A> __device__ __forceinline__ A add(A sum, size_t part, const channel_lanes &lanes) const
    {
        size_t first = part % across * size;
        unsigned end = unsigned(min(length - first, size)), step = lanes.chunk(SUMS_THREADS);
        const E *from = in.row(part / across) + first;
        E element[SUMS_LOADS];
#pragma unroll
        for (int i = 0; i < SUMS_LOADS; i++)
            element[i] = from[min(lanes.column() + i * step, end - 1)];
#pragma unroll
        for (int i = 0; i < SUMS_LOADS; i++)
            sum = lanes.column() + i * step < end ? accumulate(sum, element[i]) : sum;
        return sum;
    }
};

// The sum of a channel over the block's threads, for thread `channel`.
template <class A> __device__ __forceinline__ A sum_of_block(A sum, const channel_lanes &lanes)
{
    __shared__ A of_warp[SUMS_THREADS / WARP][CHANNELS_MOST];
    A value[1] = {lanes.is_used() ? sum : A(0)};
    lanes.scan(value);
    __syncthreads(); // an earlier call has been read
    if (lanes.is_last())
        of_warp[threadIdx.x / WARP][lanes.channel()] = value[0];
    __syncthreads();
    A total = 0;
    if (threadIdx.x < lanes.channels)
        for (int w = 0; w < SUMS_THREADS / WARP; w++)
            total += of_warp[w][threadIdx.x];
    return total;
}

// sums: in the host's memory.
template <class E, class A = channel_accumulator<E>>
static __global__ void __launch_bounds__(SUMS_THREADS)
    sum_channels(const channel_parts<E> parts, channel_totals<A> *totals, unsigned long long *tickets, double *sums)
{
    __shared__ bool last;
    const channel_lanes lanes(parts.in.channels);
    A sum = 0;
    for (size_t part = blockIdx.x; part < parts.across * parts.in.height; part += gridDim.x)
        sum = parts.add(sum, part, lanes);
    sum = sum_of_block(sum, lanes);
    if (threadIdx.x < lanes.channels)
        totals[blockIdx.x].of[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        last = is_last_to_finish(tickets, gridDim.x);
    __syncthreads();
    if (!last)
        return;
    sum = 0;
    unsigned step = lanes.chunk(SUMS_THREADS) / lanes.channels;
    for (unsigned b = lanes.column() / lanes.channels; lanes.is_used() && b < gridDim.x; b += step)
        sum += totals[b].of[lanes.channel()];
    sum = sum_of_block(sum, lanes);
    if (threadIdx.x < lanes.channels)
        sums[threadIdx.x] = double(sum);
}

template <class E> static scankit_error sum_image(cuda_device *gpu, const scankit_image *in, double *sums)
{
    using A = channel_accumulator<E>;
    const channel_parts<E> parts(in);
    size_t all = parts.across * in->height;
    unsigned blocks = all < SUMS_BLOCKS ? unsigned(all) : SUMS_BLOCKS;
    workspace scratch(gpu);
    channel_totals<A> *totals;
    if (!scratch.take(&totals, blocks))
        return SCANKIT_E_MEMORY;
    lookback_state<A> state;
    TRY(take_state(gpu, 0, &state));
    if (!sk_rehearses(&gpu->base))
        sum_channels<E><<<blocks, SUMS_THREADS, 0, gpu->stream>>>(parts, totals, state.tickets,
                                                                  static_cast<double *>(cuda_result(gpu)));
    CHECK_LAUNCH();
    return cuda_wait_result(gpu, sums, in->channels * sizeof *sums);
}

scankit_error cuda_channel_sums(sk_device *device, const scankit_image *in, double *sums)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    return dispatch_picture(in->type, [&](auto from) { return sum_image<decltype(from)>(gpu, in, sums); });
}
