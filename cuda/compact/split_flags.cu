// split_flags.cu - the stable split of elements of any size by flags. Few tiles are split in one launch
// (split_tiles.cuh). Otherwise the zeros are counted. Then the elements with flag 0 are compacted, and the others go
// behind them. Elements that are too large for a tile of that have a pass of their own, with look-back over the zeros.
#include "common/ballot_ranks.cuh"
#include "common/block_sum.cuh"
#include "common/key_vectors.cuh"
#include "common/lookback.cuh"
#include "common/lookback_state.cuh"
#include "common/map.cuh"
#include "common/op.cuh"
#include "common/shape.cuh"
#include "common/unit.cuh"
#include "compact/launcher.cuh"
#include "compact/split_tiles.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "device/launch.cuh"
#include "device/overlap.cuh"
#include "device/tuning.cuh"

constexpr int FLAG_ITEMS = 8;
constexpr int FLAG_TILE = MAP_THREADS * FLAG_ITEMS;

// What the blocks of a count share. It is zero between launches.
struct zero_counter {
    unsigned long long sum, tickets;
};

// *zeros gets the number of flags that are 0.
static __global__ void __launch_bounds__(MAP_THREADS)
    count_zeros(const uint8_t *flags, size_t n, zero_counter *counter, unsigned long long *zeros)
{
    constexpr int VECTORS = 4;
    __shared__ block_sum<unsigned long long, MAP_THREADS> sum;
    unsigned long long count = 0;
    const key_vectors<uint8_t> all(flags, n);
    all.stream<MAP_THREADS, VECTORS>(
        [&](const uint4(&found)[VECTORS], int valid) {
#pragma unroll
            for (int i = 0; i < VECTORS; i++)
                if (i < valid)
                    count += count_zeros_of(found[i]);
        },
        [&](size_t at, bool is_there) { count += is_there && flags[at] == 0; });
    sum.publish(sum.warp_inclusive(count));
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&counter->sum, sum.total());
        if (is_last_to_finish(&counter->tickets, gridDim.x)) {
            *zeros = atomicExch(&counter->sum, 0ull);
            counter->tickets = 0;
        }
    }
}

using flag_ranks = ballot_ranks<MAP_THREADS, FLAG_ITEMS>;

// Moves the elements of a tile. Neighbouring threads move neighbouring units.
template <class U>
__device__ __forceinline__ void move_by_ranks(const flag_ranks &zeros, const U *in, U *out, size_t begin, int valid,
                                              size_t units, size_t zeros_before_tile, size_t all_zeros)
{
    for (size_t unit = threadIdx.x; unit < valid * units; unit += MAP_THREADS) {
        size_t at = unit / units, before = zeros_before_tile + zeros.rank(unsigned(at));
        size_t to = zeros.is_chosen(unsigned(at)) ? before : all_zeros + (begin + at - before);
        out[to * units + unit % units] = in[begin * units + unit];
    }
}

// U: the unit in which elements move. An element is `units` of them.
template <class U>
__global__ void __launch_bounds__(MAP_THREADS)
    split_by_flags(const U *in, const uint8_t *flags, U *out, size_t n, size_t units, const unsigned long long *zeros,
                   lookback_state<sk_u64> state)
{
    __shared__ flag_ranks ranks; // of the zeros
    __shared__ unsigned long long zeros_before_tile;
    lookback_ticket ticket = take_ticket(state.tickets);
    size_t begin = size_t(ticket.tile) * FLAG_TILE;
    int valid = n - begin < FLAG_TILE ? int(n - begin) : FLAG_TILE;

    // Rank
    unsigned is_zero = ranks.rank_in_warp([&](int at) { return unsigned(at < valid && flags[begin + at] == 0); });
    __syncthreads();
    warp_share<unsigned> share = ranks.totals.fold();

    // Look-back
    if (threadIdx.x < WARP) {
        sk_u64 before = look_back<op_sum<sk_u64>>(state.descriptors, ticket, share.total, 0);
        if (threadIdx.x == 0)
            zeros_before_tile = before;
    }
    ranks.rank_in_tile(is_zero, share.before);
    __syncthreads();

    // Store
    move_by_ranks(ranks, in, out, begin, valid, units, zeros_before_tile, *zeros);
}

// ---- many tiles: a count, and then a compaction or a pass with look-back ----

template <class U>
static scankit_error run(cuda_device *gpu, size_t element_size, const void *in, const uint8_t *flags, void *out,
                         size_t n, const unsigned long long *zeros)
{
    size_t tiles = (n - 1) / FLAG_TILE + 1;
    lookback_state<sk_u64> state;
    TRY(take_state(gpu, tiles, &state));
    END_REHEARSAL(gpu);
    split_by_flags<U><<<unsigned(tiles), MAP_THREADS, 0, gpu->stream>>>(
        static_cast<const U *>(in), flags, static_cast<U *>(out), n, element_size / sizeof(U), zeros, state);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

static scankit_error count_all_zeros(cuda_device *gpu, const uint8_t *flags, size_t n, unsigned long long *count)
{
    char *counter;
    TRY(cuda_take_clear(gpu, sizeof(zero_counter), &counter));
    END_REHEARSAL(gpu);
    size_t blocks = n / (MAP_THREADS * sizeof(uint4)) + 1, most = size_t(gpu->processors) * 8;
    count_zeros<<<unsigned(blocks < most ? blocks : most), MAP_THREADS, 0, gpu->stream>>>(
        flags, n, reinterpret_cast<zero_counter *>(counter), count);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

static scankit_error compact_both(cuda_device *gpu, size_t element_size, const void *in, const uint8_t *flags,
                                  void *out, size_t n, const unsigned long long *zeros)
{
    sk_selection selection = {};
    selection.flags = flags;
    selection.invert = true;
    selection.element_size = element_size;
    selection.n = n;
    selection.in = in;
    selection.matching = selection.others = out;
    return compact_in_single_pass(gpu, selection, nullptr, zeros);
}

static scankit_error split_by_count(cuda_device *gpu, size_t element_size, const void *in, const uint8_t *flags,
                                    void *out, size_t n, size_t *zeros)
{
    workspace scratch(gpu);
    unsigned long long *count;
    if (!scratch.take(&count, 1))
        return SCANKIT_E_MEMORY;
    TRY(count_all_zeros(gpu, flags, n, count));
    if (element_size <= RECORD_MOST) {
        TRY(compact_both(gpu, element_size, in, flags, out, n, count));
    } else {
        uintptr_t places = uintptr_t(in) | uintptr_t(out) | element_size;
        TRY(with_unit(places,
                      [&](auto unit) { return run<decltype(unit)>(gpu, element_size, in, flags, out, n, count); }));
        report(gpu, compact_algorithm::LOOKBACK);
    }
    return zeros == nullptr ? SCANKIT_OK : cuda_fetch(gpu, zeros, count, sizeof *zeros);
}

// ---- few tiles: one launch ----

using split_kernel = void (*)(split_arguments);

template <class U, int VECTORS>
static __global__ void __launch_bounds__(COMPACT_THREADS, COMPACT_BLOCKS) scalars_kernel(split_arguments split)
{
    wait_for_launches();
    split_scalars<U, VECTORS>(split);
}

template <class U>
static __global__ void __launch_bounds__(COMPACT_THREADS, COMPACT_BLOCKS) records_kernel(split_arguments split)
{
    wait_for_launches();
    split_records<U>(split);
}

static size_t tiles_of(const split_arguments &split)
{
    return (split.to.lead + split.to.n - 1) / split.size + 1;
}

// Blocks that run at once. They are fewer if the GPU has other work; then some waits last longer.
static size_t blocks_at_once(const cuda_device *gpu)
{
    constexpr size_t ROOM = RECORD_TILE_BYTES + (8 << 10); // shared memory of a block, at most
    size_t fit = gpu->shared_most / ROOM;
    return size_t(gpu->processors) * (fit < 1 ? 1 : fit < COMPACT_BLOCKS ? fit : COMPACT_BLOCKS);
}

// Small tiles if all run at once.
template <class U> static split_kernel kernel_for_scalars(const cuda_device *gpu, split_arguments &split)
{
    constexpr int SMALL = COMPACT_SMALL_VECTORS<U>, LARGE = COMPACT_VECTORS<U>;
    split.to.lead = unsigned(uintptr_t(split.to.in) % 16 / sizeof(U));
    split.size = compact_tile<U, SMALL>::SIZE;
    if (tiles_of(split) <= blocks_at_once(gpu))
        return scalars_kernel<U, SMALL>;
    split.size = compact_tile<U, LARGE>::SIZE;
    return scalars_kernel<U, LARGE>;
}

template <class U> static split_kernel kernel_for_records(size_t element_size, split_arguments &split)
{
    split.to.units = element_size / sizeof(U);
    split.size = split.to.tile_size = record_tile_size(element_size);
    return records_kernel<U>;
}

static scankit_error choose_kernel(const cuda_device *gpu, size_t element_size, split_arguments &split,
                                   split_kernel &kernel)
{
    uintptr_t places = uintptr_t(split.to.in) | uintptr_t(split.to.matching);
    if (is_word(element_size, places))
        return dispatch_word(unsigned(element_size), [&](auto word) {
            kernel = kernel_for_scalars<decltype(word)>(gpu, split);
            return SCANKIT_OK;
        });
    return with_unit(places | element_size, [&](auto unit) {
        kernel = kernel_for_records<decltype(unit)>(element_size, split);
        return SCANKIT_OK;
    });
}

static scankit_error launch_once(cuda_device *gpu, split_arguments &split, split_kernel kernel, const size_t *zeros)
{
    size_t tiles = tiles_of(split), at_once = blocks_at_once(gpu);
    split.first_tiles = unsigned(tiles < at_once ? tiles : at_once);
    TRY(take_state(gpu, tiles, &split.to.state));
    END_REHEARSAL(gpu);
    tell_host(gpu, split.to.state, zeros);
    return launch_usual(gpu, kernel, unsigned(tiles), COMPACT_THREADS, 0, split);
}

scankit_error cuda_split_flags(sk_device *device, size_t element_size, const void *in, const uint8_t *flags, void *out,
                               size_t n, size_t *zeros)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    if (element_size > RECORD_MOST)
        return split_by_count(gpu, element_size, in, flags, out, n, zeros);
    split_arguments split = {};
    split_kernel kernel = nullptr;
    split.to.in = in;
    split.to.matching = split.to.others = out;
    split.to.n = n;
    split.to.invert = true;
    split.flags = flags;
    TRY(choose_kernel(gpu, element_size, split, kernel));
    if (!splits_at_once(tiles_of(split), n * element_size, gpu->ring_least))
        return split_by_count(gpu, element_size, in, flags, out, n, zeros);
    report(gpu, compact_algorithm::LOOKBACK);
    TRY(launch_once(gpu, split, kernel, zeros));
    return wait_for_count(gpu, zeros);
}
