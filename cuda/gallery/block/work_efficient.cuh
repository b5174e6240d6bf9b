// work_efficient.cuh - the block scan by a balanced tree in shared memory, two elements a thread, of O(n) operations
// (Blelloch, Prefix Sums and Their Applications, 1990, section 1.2; GPU Gems 3, chapter 39, listing 2).
#ifndef SK_CUDA_WORK_EFFICIENT_CUH
#define SK_CUDA_WORK_EFFICIENT_CUH

#include "gallery/block/block_scan.cuh"

// The place of element i in shared memory.
struct unpadded {
    static __host__ __device__ constexpr int at(int i)
    {
        return i;
    }
};

// The tree over N elements, one node per thread. UNROLL: steps to unroll. Up-sweep: from the leaves to the root, every
// node becomes the sum of its two children, at the place of the right one.
template <class Op, class Place, int N, int UNROLL = 1> __device__ __forceinline__ void up_sweep(typename Op::type *x)
{
#pragma unroll UNROLL
    for (int distance = 1; distance < N; distance *= 2) {
        __syncthreads();
        int right = (threadIdx.x + 1) * 2 * distance - 1;
        if (right < N) {
            int left = Place::at(right - distance);
            right = Place::at(right);
            x[right] = Op::combine(x[left], x[right]);
        }
    }
    __syncthreads();
}

// Down-sweep: the prefix of the root is the identity. A node's prefix is also its left child's; with the left child's
// sum it is the right child's.
template <class Op, class Place, int N, int UNROLL = 1> __device__ __forceinline__ void down_sweep(typename Op::type *x)
{
    if (threadIdx.x == 0)
        x[Place::at(N - 1)] = Op::identity();
#pragma unroll UNROLL
    for (int distance = N / 2; distance > 0; distance /= 2) {
        __syncthreads();
        int right = (threadIdx.x + 1) * 2 * distance - 1;
        if (right < N) {
            int left = Place::at(right - distance);
            right = Place::at(right);
            typename Op::type left_sum = x[left];
            x[left] = x[right];
            x[right] = Op::combine(x[right], left_sum);
        }
    }
    __syncthreads();
}

// The exclusive scan of x[0, N), and for every thread its total.
template <class Op, class Place, int N, int UNROLL = 1>
__device__ __forceinline__ typename Op::type sweep(typename Op::type *x)
{
    up_sweep<Op, Place, N, UNROLL>(x);
    typename Op::type total = x[Place::at(N - 1)];
    __syncthreads();
    down_sweep<Op, Place, N, UNROLL>(x);
    return total;
}

template <class Op, class Place> struct swept_pairs {
    using T = typename Op::type;
    static constexpr int SIZE = 2 * BLOCK_SCAN_THREADS;
    struct shared_memory {
        T x[Place::at(SIZE)];
    };

    static __device__ T scan(const block_tile<Op> &tile, shared_memory &shared)
    {
        int a = threadIdx.x, b = threadIdx.x + BLOCK_SCAN_THREADS;
        T in_a = tile.load(a), in_b = tile.load(b);
        shared.x[Place::at(a)] = in_a;
        shared.x[Place::at(b)] = in_b;
        T total = sweep<Op, Place, SIZE>(shared.x);
        T before_a = shared.x[Place::at(a)], before_b = shared.x[Place::at(b)];
        tile.store(a, tile.inclusive ? Op::combine(before_a, in_a) : before_a);
        tile.store(b, tile.inclusive ? Op::combine(before_b, in_b) : before_b);
        return total;
    }
};

template <class Op> struct work_efficient : swept_pairs<Op, unpadded> {
};

#endif
