// split_flags.cu - the stable split of elements of any size by flags. The zeros are counted. Then the elements with
// flag 0 are compacted, and the others go behind them. Elements that are too large for a tile of that have a pass of
// their own, with look-back over the zeros.
#include "common/aggregate.cuh"
#include "common/ballot_ranks.cuh"
#include "common/key_vectors.cuh"
#include "common/lookback.cuh"
#include "common/lookback_state.cuh"
#include "common/map.cuh"
#include "common/op.cuh"
#include "common/unit.cuh"
#include "compact/launcher.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "device/tuning.cuh"

constexpr int FLAG_ITEMS = 8;
constexpr int FLAG_TILE = MAP_THREADS * FLAG_ITEMS;

// Adds the number of flags that are 0 to *zeros.
static __global__ void __launch_bounds__(MAP_THREADS)
    count_zeros(const uint8_t *flags, size_t n, unsigned long long *zeros)
{
    constexpr int VECTORS = 4;
    unsigned long long count = 0;
    const key_vectors<uint8_t> all(flags, n);
    auto count_vector = [&](const uint4 &vector) {
        unsigned ones = __popc(nonzero_bytes(vector.x)) + __popc(nonzero_bytes(vector.y)) +
                        __popc(nonzero_bytes(vector.z)) + __popc(nonzero_bytes(vector.w));
        count += sizeof(uint4) - ones;
    };
    all.stream<MAP_THREADS, VECTORS>(
        [&](const uint4(&found)[VECTORS], int valid) {
#pragma unroll
            for (int i = 0; i < VECTORS; i++)
                if (i < valid)
                    count_vector(found[i]);
        },
        [&](size_t at, bool is_there) { count += is_there && flags[at] == 0; });
    warp_add(zeros, count);
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

// ---- the launch ----

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
    END_REHEARSAL(gpu);
    CHECK(cudaMemsetAsync(count, 0, sizeof *count, gpu->stream));
    size_t blocks = n / (MAP_THREADS * sizeof(uint4)) + 1, most = size_t(gpu->processors) * 8;
    count_zeros<<<unsigned(blocks < most ? blocks : most), MAP_THREADS, 0, gpu->stream>>>(flags, n, count);
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

scankit_error cuda_split_flags(sk_device *device, size_t element_size, const void *in, const uint8_t *flags, void *out,
                               size_t n, size_t *zeros)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
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
