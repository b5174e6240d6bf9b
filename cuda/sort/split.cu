// split.cu - split by a digit, and the passes that sorts consist of.
#include <cstdlib>
#include <cstring>

#include "common/shape.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "sort/choose/choose.h"
#include "sort/chunk_sort.cuh"
#include "sort/few_words.cuh"
#include "sort/lane_order.cuh"
#include "sort/radix/digits.cuh"
#include "sort/radix/pass.cuh"

// SCANKIT_CUDA_RANK=ballots does not rely on the order of lanes.
scankit_error split_way(cuda_device *gpu, rank_by *way)
{
    // The first call tries it, and every rehearsal counts the workspace for that. A capture cannot try.
    if (sk_rehearses(&gpu->base) || (gpu->lane_order == 0 && !gpu->captures)) {
        const char *wanted = std::getenv("SCANKIT_CUDA_RANK");
        workspace scratch(gpu);
        unsigned *on_device, violations;
        if (!scratch.take(&on_device, 1))
            return SCANKIT_E_MEMORY;
        *way = rank_by::BALLOTS;
        END_REHEARSAL(gpu);
        CHECK(cudaMemsetAsync(on_device, 0, sizeof *on_device, gpu->stream));
        try_lane_order<<<4 * gpu->processors, MAP_THREADS, 0, gpu->stream>>>(on_device);
        CHECK_LAUNCH();
        TRY(cuda_fetch(gpu, &violations, on_device, sizeof violations));
        gpu->lane_order = violations == 0 && (wanted == nullptr || std::strcmp(wanted, "ballots") != 0) ? 1 : -1;
    }
    *way = gpu->lane_order > 0 ? rank_by::ATOMICS : rank_by::BALLOTS;
    return SCANKIT_OK;
}

// Into counters that are cleared.
static scankit_error count_cleared(cuda_device *gpu, unsigned key_size, const void *keys, size_t n, digit_range digits,
                                   unsigned long long *counts, unsigned *blocks_done, const sk_piece *order)
{
    size_t most = (n - 1) * key_size / (SORT_THREADS * DIGIT_VECTORS * 16) + 1, full = size_t(gpu->processors) * 4;
    unsigned blocks = unsigned(most < full ? most : full);
    return dispatch_word(key_size, [&](auto key) {
        using K = decltype(key);
        return launch(gpu, count_digits<K>, blocks, SORT_THREADS, 0, static_cast<const K *>(keys), n,
                      order_of<K>(order), digits, counts, blocks_done);
    });
}

scankit_error split_count(cuda_device *gpu, unsigned key_size, const void *keys, size_t n, digit_range digits,
                          unsigned long long *counts, const sk_piece *order)
{
    END_REHEARSAL(gpu);
    CHECK(cudaMemsetAsync(counts, 0, key_size * RADIX * sizeof *counts, gpu->stream));
    return count_cleared(gpu, key_size, keys, n, digits, counts, nullptr, order);
}

scankit_error split_places(cuda_device *gpu, unsigned key_size, const void *keys, size_t n, digit_range digits,
                           unsigned long long *places, const sk_piece *order)
{
    return count_cleared(gpu, key_size, keys, n, digits, places,
                         reinterpret_cast<unsigned *>(places + key_size * RADIX), order);
}

scankit_error split_offsets(cuda_device *gpu, unsigned long long *counts, unsigned positions)
{
    END_REHEARSAL(gpu);
    digit_offsets<<<positions, RADIX, 0, gpu->stream>>>(counts);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

bool split_has_records(const cuda_device *gpu, sk_shape shape)
{
    using memory = pass_tile<uint32_t, uint32_t, pairs_as::RECORDS>::shared_memory;
    return shape.key_size == 4 && shape.value_size == 4 && sizeof(memory) <= gpu->shared_most;
}

size_t split_state_bytes(const cuda_device *gpu, sk_shape shape, size_t n)
{
    size_t bytes = 0;
    dispatch_any_shape(shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        bytes = pass_state_bytes<K, V, pairs_as::COLUMNS>(n);
        if constexpr (HAS_RECORD<K, V>)
            if (split_has_records(gpu, shape))
                bytes = pass_state_bytes<K, V, pairs_as::RECORDS>(n);
        return SCANKIT_OK;
    });
    return bytes;
}

// Calls go(read, write) with the orders of the keys' ends.
template <class K, class Go> static scankit_error with_orders(const pass_ends &ends, Go go)
{
    same_order<K> same;
    if (ends.read == nullptr && ends.write == nullptr)
        return go(same, same);
    if (ends.write == nullptr)
        return go(order_of<K>(ends.read), same);
    if (ends.read == nullptr)
        return go(same, order_of<K>(ends.write));
    return go(order_of<K>(ends.read), order_of<K>(ends.write));
}

template <class K, class V>
static scankit_error run_pair_pass(cuda_device *gpu, const partition_pass<K, V> &pass, size_t n, const pass_ends &ends,
                                   char *state)
{
    constexpr pairs_as COLUMNS = pairs_as::COLUMNS, RECORDS = pairs_as::RECORDS;
    same_order<K> same;
    // Keys of 1 and 2 bytes, and odd shapes, have one kernel for all orders.
    if constexpr ((sizeof(K) < 4 && HAS_VALUE<V>) || IS_ODD_SHAPE<K, V>)
        return run_pass<COLUMNS, COLUMNS>(gpu, pass, n, order_of<K>(ends.read), order_of<K>(ends.write), state);
    if constexpr (HAS_RECORD<K, V>) {
        if (ends.from_records && ends.to_records)
            return run_pass<RECORDS, RECORDS>(gpu, pass, n, same, same, state);
        if (ends.from_records && ends.write == nullptr)
            return run_pass<RECORDS, COLUMNS>(gpu, pass, n, same, same, state);
        if (ends.from_records)
            return run_pass<RECORDS, COLUMNS>(gpu, pass, n, same, order_of<K>(ends.write), state);
        if (ends.to_records && ends.read == nullptr)
            return run_pass<COLUMNS, RECORDS>(gpu, pass, n, same, same, state);
        if (ends.to_records)
            return run_pass<COLUMNS, RECORDS>(gpu, pass, n, order_of<K>(ends.read), same, state);
    }
    return with_orders<K>(
        ends, [&](auto read, auto write) { return run_pass<COLUMNS, COLUMNS>(gpu, pass, n, read, write, state); });
}

scankit_error split_pass(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                         digit_range digits, unsigned p, const unsigned long long *begin, pass_ends ends,
                         pass_setup setup)
{
    return dispatch_any_shape(shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        partition_pass<K, V> pass = pass_over<K, V>(in, out, digits, p);
        pass.begin = begin;
        pass.wanted = setup.wanted;
        if constexpr (HAS_VALUE<V> || sizeof(K) == 2)
            return run_pair_pass(gpu, pass, n, ends, setup.state);
        else
            return run_pass<pairs_as::COLUMNS, pairs_as::COLUMNS>(gpu, pass, n, same_order<K>{}, same_order<K>{},
                                                                  setup.state);
    });
}

// A split by one block, if it has room: then *done, and begin[0..RADIX) = where the digits begin.
static scankit_error split_tile(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                                digit_range digits, unsigned long long *begin, bool *done)
{
    return dispatch_shape(shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        using tile = pass_tile<K, V, pairs_as::COLUMNS>;
        constexpr int BYTES = sizeof(typename tile::shared_memory);
        *done = n <= tile::SIZE;
        if (!*done)
            return SCANKIT_OK;
        partition_pass<K, V> pass = pass_over<K, V>(in, out, digits, 0);
        pass.n = n;
        pass.own_begin = begin;
        TRY(split_way(gpu, &pass.way));
        END_REHEARSAL(gpu);
        same_order<K> same;
        auto kernel = partition_tiles<tile, pairs_as::COLUMNS, same_order<K>, same_order<K>>;
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
        kernel<<<1, tile::THREADS, BYTES, gpu->stream>>>(pass, same, same);
        CHECK_LAUNCH();
        return SCANKIT_OK;
    });
}

// The same for the elements of a chunk: a block that divides few elements among all of its warps.
static scankit_error split_chunk(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                                 digit_range digits, unsigned long long *begin)
{
    rank_by way;
    TRY(split_way(gpu, &way));
    return sort_chunks(gpu, shape, in, out, n, digits, nullptr, begin, way);
}

// By a count, which turns into `begin`, and a pass. The state and `begin` are next to one another.
static scankit_error split_all(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                               digit_range digits, char *state, unsigned long long *begin)
{
    if (!sk_rehearses(&gpu->base)) {
        size_t bytes = size_t(reinterpret_cast<char *>(begin) - state) + split_places_bytes(shape.key_size);
        CHECK(cudaMemsetAsync(state, 0, bytes, gpu->stream));
    }
    TRY(split_places(gpu, shape.key_size, in.keys, n, digits, begin, nullptr));
    return split_pass(gpu, shape, in, out, n, digits, 0, begin, {}, {nullptr, state});
}

scankit_error cuda_split(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, size_t n, unsigned bit,
                         unsigned bits, size_t *offsets)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    digit_range digits = {bit, bit + bits};
    sort_request request = {n,     shape.key_size, shape.value_size, bits, false, SCANKIT_AUTO,
                            false, false,          gpu->shared_most};
    gpu->base.algorithm = "look-back";
    if (offsets == nullptr && can_be_ranges(request))
        return sort_few_words(gpu, request, in, out, bit, nullptr);
    workspace scratch(gpu);
    size_t state_bytes = (split_state_bytes(gpu, shape, n) + 7) / 8 * 8;
    char *state;
    if (!scratch.take(&state, state_bytes + split_places_bytes(shape.key_size)))
        return SCANKIT_E_MEMORY;
    auto *begin = reinterpret_cast<unsigned long long *>(state + state_bytes);
    bool done = n <= chunk_size(shape.key_size, shape.value_size);
    if (done)
        TRY(split_chunk(gpu, shape, in, out, n, digits, begin));
    else
        TRY(split_tile(gpu, shape, in, out, n, digits, begin, &done));
    if (!done)
        TRY(split_all(gpu, shape, in, out, n, digits, state, begin));
    if (offsets == nullptr)
        return SCANKIT_OK;
    static_assert(sizeof(size_t) == sizeof *begin, "counts are copied as they are");
    offsets[size_t(1) << bits] = n;
    return cuda_fetch(gpu, offsets, begin, (size_t(1) << bits) * sizeof *begin);
}
