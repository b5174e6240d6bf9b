// chunk_sort.cu - see chunk_sort.cuh.
#include "sort/chunk_sort.cuh"

#include <algorithm>
#include <type_traits>

#include "common/shape.cuh"
#include "device/launch.cuh"
#include "device/overlap.cuh"
#include "sort/choose/choose.h"
#include "sort/radix/radix_sort.cuh"
#include "sort/survey/key_order.cuh"

namespace
{

template <class K, class V> struct chunks {
    const K *keys_in;
    const V *values_in;
    K *keys_out;
    V *values_out;
    size_t n;
    digit_range bits;
    bool has_order; // keys are mapped by `order`
    number_order<K> order;
    rank_by way;
    unsigned long long *own_begin; // NULL: not wanted
};

// Returns the share of the thread's digit, if there is one digit.
template <class Tile, class K, class V, class Used>
__device__ __forceinline__ digit_share sort_items(Tile &items, typename Tile::shared_memory &shared,
                                                  const chunks<K, V> &all, Used used)
{
    if constexpr (std::is_same_v<Used, int>)
        if (all.bits.end - all.bits.bit <= FEW_DIGIT_BITS)
            return items.split_few(shared, all.bits.bit, all.bits.end, used);
    return items.sort(shared, all.bits.bit, all.bits.end, all.way, used);
}

// Block b sorts the b-th chunk. used: items of a thread; fewer than there are suffice for a chunk that is alone.
template <class K, class V, class Used> __device__ __forceinline__ void sort_chunk(const chunks<K, V> &all, Used used)
{
    using tile = sort_tile<K, V>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);
    size_t begin = size_t(blockIdx.x) * tile::TILE;
    int valid = int(min(all.n - begin, size_t(tile::TILE)));
    tile items;
    bool maps_keys = !std::is_same_v<Used, int> || all.has_order; // many chunks have no registers for the choice
    wait_for_launches();
    items.load(all.keys_in + begin, all.values_in + begin, valid, used);
    if (maps_keys) {
#pragma unroll
        for (int i = 0; i < tile::ITEMS_EACH; i++)
            if (i < used && tile::ranker::place(i, used) < valid)
                items.key[i] = all.order.key(items.key[i]);
    }
    digit_share share = sort_items(items, shared, all, used);
    if (all.own_begin != nullptr && threadIdx.x < 1u << (all.bits.end - all.bits.bit))
        all.own_begin[threadIdx.x] = share.begin;
    if (maps_keys) {
#pragma unroll
        for (K &key : items.key)
            key = all.order.value(key);
    }
    items.store(all.keys_out + begin, all.values_out + begin, valid, used);
}

template <class K, class V> __global__ void __launch_bounds__(SORT_THREADS, 2) sort_many(chunks<K, V> all)
{
    sort_chunk(all, typename sort_tile<K, V>::all_items());
}

template <class K, class V> __global__ void __launch_bounds__(SORT_THREADS) sort_one(chunks<K, V> all)
{
    sort_chunk(all, int((unsigned(all.n) - 1) / SORT_THREADS + 1));
}

} // namespace

scankit_error sort_chunks(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                          digit_range bits, const sk_piece *order, unsigned long long *own_begin, rank_by way)
{
    return dispatch_chunk_shape(shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        using tile = sort_tile<K, V>;
        static_assert(tile::TILE == chunk_size(sizeof(K), VALUE_SIZE<V>), "the choice knows the size");
        chunks<K, V> all = {static_cast<const K *>(in.keys),
                            static_cast<const V *>(in.values),
                            static_cast<K *>(out.keys),
                            static_cast<V *>(out.values),
                            n,
                            bits,
                            order != nullptr,
                            order_of<K>(order),
                            way,
                            own_begin};
        unsigned blocks = unsigned((n - 1) / tile::TILE + 1);
        auto kernel = sort_one<K, V>;
        if constexpr (sizeof(K) >= 4 && (sizeof(V) == 4 || sizeof(V) == 8 || !HAS_VALUE<V>)) // others are alone
            kernel = blocks == 1 ? kernel : sort_many<K, V>;
        // Elements that are not there need no room.
        constexpr size_t EACH = std::max(sizeof(K), size_t(VALUE_SIZE<V>));
        size_t used = std::min(n, size_t(tile::TILE)), room = sizeof(typename tile::shared_memory);
        room -= (tile::TILE - (used + SORT_THREADS - 1) / SORT_THREADS * SORT_THREADS) * EACH;
        return room <= USUAL_ROOM ? launch_usual(gpu, kernel, blocks, SORT_THREADS, room, all)
                                  : launch(gpu, kernel, blocks, SORT_THREADS, room, all);
    });
}
