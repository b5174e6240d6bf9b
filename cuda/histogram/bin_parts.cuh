// bin_parts.cuh - more bins than shared memory has counters for are dealt to parts that have room. part_bins.cuh puts
// the bins of each tile of keys in the order of their parts, as numbers within the part; count_parts.cuh counts these.
// A number has 2 bytes, so a key costs about twice the traffic of a read, and counts leave a multiprocessor once for
// each bin of a block.
#ifndef SK_CUDA_BIN_PARTS_CUH
#define SK_CUDA_BIN_PARTS_CUH

#include "common/key_vectors.cuh"
#include "histogram/bin_counts.cuh"

constexpr int PART_THREADS = 512, PART_BLOCKS = 2;
template <class T> constexpr int PART_VECTORS = sizeof(T) == 8 ? 10 : 8; // of keys, of a thread; more spill registers
template <class T> constexpr int PART_KEYS = PART_VECTORS<T> *key_vectors<T>::EACH;

// A tile has four counters a thread for all parts. Several belong to a part, and lanes add to different ones. A group
// is the four of one thread, which are of the same part.
constexpr unsigned GROUPS = PART_THREADS;

// Numbers move as vectors. A group begins with a vector of its own, and the rest of its last one holds a number that no
// bin has.
constexpr unsigned VECTOR_NUMBERS = 16 / sizeof(uint16_t);

// Where one part has most keys, its groups are equally long, and lanes store at equal distances: an odd number of
// vectors avoids bank conflicts. Short groups cannot afford it.
constexpr unsigned LONG_GROUP = 16;
__device__ __forceinline__ unsigned group_vectors(unsigned numbers)
{
    const unsigned vectors = (numbers + VECTOR_NUMBERS - 1) / VECTOR_NUMBERS;
    return vectors < LONG_GROUP ? vectors : vectors | 1;
}

// Vectors of a tile, at most.
template <class T>
constexpr unsigned TILE_NUMBERS = PART_THREADS *PART_KEYS<T> / VECTOR_NUMBERS / LONG_GROUP *(LONG_GROUP + 1) + GROUPS;

// 2^bits bins a part, 15 bits at most.
struct bin_parts {
    unsigned bits, count;
    unsigned log_groups;   // of a part
    unsigned tile_numbers; // TILE_NUMBERS of the type of keys
    uint32_t tiles;        // whole ones, of keys
    uint4 *numbers;        // of each tile
    uint32_t *pieces;      // of each part, for each tile: its first vector, and how many in the upper half
    uint32_t *vectors;     // of each part, in all tiles
    unsigned *is_wanted;   // nonzero: these kernels count; 0: others do

    __host__ __device__ __forceinline__ unsigned bins() const
    {
        return 1u << bits;
    }
    // A bin's part, in the upper half, and its number: a row of a table.
    __device__ __forceinline__ uint32_t place_of(uint32_t bin) const
    {
        return table_row(bin) + (bin & ~(bins() - 1)) * ((1u << (16 - bits)) - 1);
    }
    __device__ __forceinline__ unsigned no_number() const
    {
        return bins();
    }
    __device__ __forceinline__ uint32_t no_place() const
    {
        return (count - 1) << 16 | no_number();
    }
};

#endif
