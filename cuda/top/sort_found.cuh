// sort_found.cuh - the first k of the elements that were collected, in order, by one block: it narrows them down to a
// few more than k, which it sorts in shared memory.
#ifndef SK_CUDA_SORT_FOUND_CUH
#define SK_CUDA_SORT_FOUND_CUH

#include "sort/bucket/few_keys.cuh"
#include "top/narrowing.cuh"
#include "top/sample_threshold.cuh"

// As many elements are sorted at least, and twice as many as are wanted, if there is room.
constexpr unsigned SORTED_LEAST = 128, SORTED_MOST = FEW_KEYS;
static_assert(SK_TOP_FEW <= SORTED_MOST);

// Each of n items: act(item, its place), by all threads.
template <class U, class Act> __device__ __forceinline__ void for_items(const U *items, unsigned n, Act act)
{
    constexpr unsigned LOADS = 16;
    for (unsigned begin = threadIdx.x; begin < n; begin += LOADS * TOP_THREADS) {
        U item[LOADS];
#pragma unroll
        for (unsigned i = 0; i < LOADS; i++)
            if (begin + i * TOP_THREADS < n)
                item[i] = items[begin + i * TOP_THREADS];
#pragma unroll
        for (unsigned i = 0; i < LOADS; i++)
            if (begin + i * TOP_THREADS < n)
                act(item[i], begin + i * TOP_THREADS);
    }
}

// What was collected, at most `room` elements, and where the first k go.
template <class U> struct found_elements {
    U *elements;
    uint64_t *positions;
    unsigned room, k;
    U *first;
    uint64_t *first_positions;
};

// With positions, keys have 4 bytes, and a key above its position is an entry that is sorted.
template <class U, bool POSITIONS> class found_sort
{
    using K = typename element_order<U>::key_type;
    using entry = std::conditional_t<POSITIONS, uint64_t, K>;

    union memory {
        narrowing<K> narrow;
        few_keys<entry> few;
    } shared;
    unsigned taken;

  public:
    // False if the threshold misled: too few or too many elements passed it, or positions of too many equal ones are
    // wanted.
    __device__ __forceinline__ bool run(const found_elements<U> &found, const element_order<U> &order,
                                        const top_threshold<K> &threshold)
    {
        unsigned long long all = threshold.count;
        unsigned n = unsigned(all);
        if (all > found.room || all + threshold.equal < found.k)
            return false;
        ranked_span<K> span = narrow(found, order, n, threshold.key);
        bool overfull = span.count() > SORTED_MOST; // then it is one key
        if (POSITIONS && overfull)
            return false;
        K fill = overfull ? span.prefix : threshold.key; // what follows the elements that are sorted
        if (overfull && span.prefix == 0)
            n = 0;
        take(found, order, n, overfull ? K(span.prefix - 1) : span.last());
        write(found, order, sort_few_keys<TOP_THREADS>(shared.few, taken), fill);
        return true;
    }

  private:
    __device__ __forceinline__ ranked_span<K> narrow(const found_elements<U> &found, const element_order<U> &order,
                                                     unsigned n, K last)
    {
        auto for_keys = [&](auto act) {
            for_items(found.elements, n, [&](U element, unsigned) { act(order.key(element)); });
        };
        unsigned room = min(max(SORTED_LEAST, 2 * found.k), SORTED_MOST);
        auto fits = [&](const ranked_span<K> &span) { return span.count() <= room; };
        ranked_span<K> span = shared.narrow.find(for_keys, n, found.k - 1, int(bits_of(last)), fits);
        __syncthreads(); // the memory is used again
        return span;
    }

    // Takes the elements whose keys are up to `last`: there is room for them.
    __device__ __forceinline__ void take(const found_elements<U> &found, const element_order<U> &order, unsigned n,
                                         K last)
    {
        if (threadIdx.x == 0)
            taken = 0;
        __syncthreads();
        for_items(found.elements, n, [&](U element, unsigned at) {
            K key = order.key(element);
            if (key > last)
                return;
            entry own = key;
            if constexpr (POSITIONS)
                own = entry(key) << 32 | found.positions[at];
            shared.few[atomicAdd(&taken, 1)] = own;
        });
        __syncthreads();
    }

    // from: where the sorted entries begin.
    __device__ __forceinline__ void write(const found_elements<U> &found, const element_order<U> &order, unsigned from,
                                          K fill) const
    {
        for (unsigned i = threadIdx.x; i < found.k; i += TOP_THREADS) {
            if constexpr (POSITIONS)
                found.first_positions[i] = uint32_t(shared.few[from + i]);
            else
                found.first[i] = order.element(i < taken ? shared.few[from + i] : fill);
        }
    }
};

template <class U, bool POSITIONS>
__global__ void __launch_bounds__(TOP_THREADS)
    sort_found(found_elements<U> found, element_order<U> order,
               const top_threshold<typename element_order<U>::key_type> *threshold, bool *done)
{
    __shared__ found_sort<U, POSITIONS> shared;
    wait_for_launches();
    bool is_done = shared.run(found, order, *threshold);
    if (threadIdx.x == 0)
        *done = is_done;
}

#endif
