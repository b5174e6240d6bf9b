// pass.cuh - the launches of a stable split of a whole array by a digit.
#ifndef SK_CUDA_PASS_CUH
#define SK_CUDA_PASS_CUH

#include <algorithm>

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

template <class tile> constexpr size_t PASS_PORTION = SPLIT_PORTION / tile::SIZE *tile::SIZE;

template <class tile> size_t tile_state_bytes(size_t n)
{
    size_t tiles = (std::min(n, PASS_PORTION<tile>) - 1) / tile::SIZE + 1;
    return TICKET_BYTES + tiles * RADIX * sizeof(uint32_t);
}

// Bytes of tile descriptors: for a portion, or for n elements if they are fewer. Large tiles are fewer.
template <class K, class V, pairs_as TO> size_t pass_state_bytes(size_t n)
{
    return tile_state_bytes<pass_tile<K, V, TO>>(n);
}

// Splits the whole array, portion after portion. A state that is not NULL is cleared already for the first portion.
template <class tile, pairs_as FROM, class K, class V, class Read, class Write>
scankit_error split_portions(cuda_device *gpu, partition_pass<K, V> pass, size_t n, Read read, Write write, char *state)
{
    constexpr size_t PORTION = PASS_PORTION<tile>;
    constexpr int BYTES = sizeof(typename tile::shared_memory);
    constexpr size_t STEP = FROM == pairs_as::RECORDS ? sizeof(K) + VALUE_SIZE<V> : sizeof(K);
    static_assert(PORTION < COUNT_LIMIT, "counts of a portion fit a descriptor");
    auto kernel = partition_tiles<tile, FROM, Read, Write>;
    size_t state_bytes = tile_state_bytes<tile>(n), portions = (n - 1) / PORTION + 1;
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
        TRY(launch(gpu, kernel, unsigned((pass.n - 1) / tile::SIZE + 1), tile::THREADS, BYTES, pass, read, write));
        pass.keys_in = static_cast<const char *>(pass.keys_in) + PORTION * STEP;
        pass.values_in = static_cast<const char *>(pass.values_in) + PORTION * VALUE_SIZE<V>;
        pass.begin = begins;
        begins += RADIX;
    }
    return SCANKIT_OK;
}

// Keys are read and written in their orders. The state has pass_state_bytes().
template <pairs_as FROM, pairs_as TO, class K, class V, class Read = same_order<K>, class Write = same_order<K>>
scankit_error run_pass(cuda_device *gpu, const partition_pass<K, V> &pass, size_t n, Read read = {}, Write write = {},
                       char *state = nullptr)
{
    if constexpr (HAS_LARGE_PASS<sizeof(K), VALUE_SIZE<V>>) {
        using large = large_pass_tile<K, V, TO>;
        // A block may have nearly all of a multiprocessor's shared memory.
        constexpr size_t ROOM = PASS_BLOCKS * sizeof(typename large::shared_memory);
        size_t blocks = PASS_BLOCKS * size_t(gpu->processors);
        size_t enough = LARGE_PASS_TILES<sizeof(K), VALUE_SIZE<V>> * blocks * large::SIZE;
        if (n >= enough && ROOM <= gpu->shared_most)
            return split_portions<large, FROM>(gpu, pass, n, read, write, state);
    }
    return split_portions<pass_tile<K, V, TO>, FROM>(gpu, pass, n, read, write, state);
}

#endif
