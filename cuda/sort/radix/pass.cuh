// pass.cuh - the launches of a stable split of a whole array by a digit.
#ifndef SK_CUDA_PASS_CUH
#define SK_CUDA_PASS_CUH

#include "device/arena.cuh"
#include "device/launch.cuh"
#include "sort/radix/partition.cuh"
#include "sort/radix/split.cuh"

// The pass by position p of the range.
template <class K, class V>
partition_pass<K, V> pass_over(sk_const_columns in, sk_columns out, digit_range digits, unsigned p)
{
    partition_pass<K, V> pass = {};
    pass.keys_in = in.keys;
    pass.values_in = in.values;
    pass.keys_out = out.keys;
    pass.values_out = out.values;
    pass.bit = digits.first_bit(p);
    pass.mask = digits.mask(p);
    return pass;
}

template <class K, class V, pairs_as TO>
constexpr size_t PASS_PORTION = SPLIT_PORTION / partition_tile<K, V, TO>::SIZE *partition_tile<K, V, TO>::SIZE;

// Bytes of tile descriptors: for a portion, or for n elements if they are fewer.
template <class K, class V, pairs_as TO> size_t pass_state_bytes(size_t n)
{
    constexpr size_t TILE = partition_tile<K, V, TO>::SIZE, PORTION = PASS_PORTION<K, V, TO>;
    size_t tiles = ((n < PORTION ? n : PORTION) - 1) / TILE + 1;
    return TICKET_BYTES + tiles * RADIX * sizeof(uint32_t);
}

// Splits the whole array, portion after portion. Keys are read and written in their orders. A state that is not NULL is
// cleared already for the first portion.
template <pairs_as FROM, pairs_as TO, class K, class V, class Read = same_order<K>, class Write = same_order<K>>
scankit_error run_pass(cuda_device *gpu, partition_pass<K, V> pass, size_t n, Read read = {}, Write write = {},
                       char *state = nullptr)
{
    using tile = partition_tile<K, V, TO>;
    constexpr size_t TILE = tile::SIZE, PORTION = PASS_PORTION<K, V, TO>;
    constexpr int BYTES = sizeof(typename tile::shared_memory);
    constexpr size_t STEP = FROM == pairs_as::RECORDS ? sizeof(K) + VALUE_SIZE<V> : sizeof(K);
    static_assert(PORTION < COUNT_LIMIT, "counts of a portion fit a descriptor");
    auto kernel = partition_tiles<K, V, FROM, TO, Read, Write>;
    size_t state_bytes = pass_state_bytes<K, V, TO>(n), portions = (n - 1) / PORTION + 1;
    workspace scratch(gpu);
    bool is_cleared = state != nullptr;
    unsigned long long *begins;
    if ((!is_cleared && !scratch.take(&state, state_bytes)) || !scratch.take(&begins, portions * RADIX))
        return SCANKIT_E_MEMORY;
    TRY(split_way(gpu, &pass.way));
    END_REHEARSAL(gpu);
    pass.tickets = reinterpret_cast<unsigned long long *>(state);
    pass.rows = reinterpret_cast<uint32_t *>(state + TICKET_BYTES);
    for (size_t done = 0; done < n; done += PORTION) {
        pass.n = n - done < PORTION ? n - done : PORTION;
        pass.next_begin = done + pass.n < n ? begins : nullptr;
        if (!is_cleared || done > 0)
            CHECK(cudaMemsetAsync(state, 0, state_bytes, gpu->stream));
        TRY(launch(gpu, kernel, unsigned((pass.n - 1) / TILE + 1), PASS_THREADS, BYTES, pass, read, write));
        pass.keys_in = static_cast<const char *>(pass.keys_in) + PORTION * STEP;
        pass.values_in = static_cast<const char *>(pass.values_in) + PORTION * VALUE_SIZE<V>;
        pass.begin = begins;
        begins += RADIX;
    }
    return SCANKIT_OK;
}

#endif
