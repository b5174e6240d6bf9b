// tuning.cuh - sizes of blocks and tiles, in one place. Measured on an H100; right on every GPU since sm_75.
#ifndef SK_CUDA_TUNING_CUH
#define SK_CUDA_TUNING_CUH

#include <cstddef>

// Scan: vectors of 16 bytes a thread; a tile of 32 KiB. Narrow types have enough elements in half of that.
constexpr int SCAN_THREADS = 256;
template <class T> constexpr int SCAN_VECTORS = sizeof(T) < 4 ? 4 : 8;

// The ring: vectors of 16 bytes a consumer's lane, an odd number, so that lanes read their own without bank conflicts;
// slots; tiles between a tile's reduction and its completion; bytes from which on it is faster than a block a tile.
constexpr int RING_VECTORS = 7;
constexpr int RING_SLOTS = 7;
constexpr int RING_LAG = 4;
constexpr int RING_COMPACT_SLOTS = 8, RING_COMPACT_LAG = 4; // it stores less, and so is at the next tile sooner
constexpr size_t RING_LEAST_BYTES = size_t(24) << 20;

// Segmented scan: vectors of 16 bytes a thread, and blocks on a multiprocessor: as registers allow without spills.
template <class T> constexpr int SEGMENTED_SCAN_VECTORS = sizeof(T) < 4 ? 4 : sizeof(T) == 4 ? 7 : 8;
template <class T> constexpr int SEGMENTED_SCAN_BLOCKS = sizeof(T) == 8 ? 2 : 3;

// Segmented reduce: steps a thread, an odd number of words, so that lanes read their own without bank conflicts; blocks
// on a multiprocessor; vectors that a thread has in flight where no segment ends. Parts, this many at most, whatever
// the GPU, so that float results are the same everywhere; and as many as run at a time, until each has so many tiles.
constexpr int SEGMENTED_THREADS = 256;
template <class T> constexpr int SEGMENTED_STEPS = sizeof(T) == 1 ? 28 : sizeof(T) == 2 ? 22 : sizeof(T) == 4 ? 23 : 13;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int SEGMENTED_BLOCKS = 4; // there are no more threads
#else
constexpr int SEGMENTED_BLOCKS = 5;
#endif
constexpr int SEGMENTED_LOADS = 4;
constexpr int SEGMENTED_PARTS = 2048, SEGMENTED_WAVE = 512, SEGMENTED_FEW_TILES = 8;

// Reduce: a tile of 32 KiB in flight.
constexpr int REDUCE_THREADS = 512;
constexpr int REDUCE_VECTORS = 4;

// Reduce: this many partial results whatever the GPU and n, so that float results are the same everywhere.
constexpr int REDUCE_BLOCKS = 1024;

// Split by digit, and the passes of sorts: keys (and values) a thread, by their bytes. The tile and its counts fit 64
// KiB of shared memory, which is what the smallest GPU (sm_75) has. More blocks are slower: the fewer tiles are being
// written, the sooner a line is whole.
constexpr int PASS_THREADS = 384;
constexpr int PASS_BLOCKS = 2;
template <int KEY, int VALUE>
constexpr int PASS_ITEMS = VALUE == 0 && KEY <= 4 ? 22
                           : KEY + VALUE <= 8     ? 16
                           : KEY + VALUE <= 12    ? 12
                                                  : 10;

// Counting of digits: vectors of 16 bytes a thread.
constexpr int DIGIT_VECTORS = 2;

// Sort of a tile on chip: the same.
constexpr int SORT_THREADS = 512;
template <int KEY, int VALUE>
constexpr int SORT_ITEMS = KEY + VALUE <= 4    ? 16
                           : KEY + VALUE <= 8  ? 10
                           : KEY + VALUE <= 12 ? 8
                                               : 7;

// Hybrid sort of keys. Counting of buckets: vectors of 16 bytes a thread. Passes: keys a thread, fewer where there are
// too few tiles for all multiprocessors; and bins. Buckets: keys a thread, fine bins, keys of a bin from which on a
// radix sort is faster, and blocks on a multiprocessor.
constexpr int SURVEY_THREADS = 1024;
constexpr int COUNT_THREADS = 1024;
constexpr int COUNT_VECTORS = 4;
constexpr int SCATTER_THREADS = 512;
constexpr int SCATTER_BINS = 1024;
template <class K> constexpr int SCATTER_ITEMS = sizeof(K) == 8 ? 16 : 30;
template <class K> constexpr int SCATTER_ITEMS_CDF = sizeof(K) == 8 ? 15 : 20;
constexpr int SCATTER_ITEMS_FEW = 8;
template <class K> constexpr int BUCKET_THREADS = sizeof(K) == 8 ? 512 : 256;
template <class K> constexpr int BUCKET_ITEMS = sizeof(K) == 8 ? 9 : 18;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <class K> constexpr int BUCKET_BLOCKS = 1024 / BUCKET_THREADS<K>; // there are no more threads
#else
template <class K> constexpr int BUCKET_BLOCKS = sizeof(K) == 8 ? 3 : 4;
#endif
template <class K, class V> constexpr int PAIR_BLOCKS = sizeof(V) == 4 ? BUCKET_BLOCKS<K> : BUCKET_BLOCKS<K> - 1;
constexpr int BUCKET_FINE_BITS = 12;
// Few keys in one launch: threads of a block, and keys per thread that it has room for.
constexpr int SMALL_THREADS = 512;
template <class K> constexpr int SMALL_ITEMS = sizeof(K) == 8 ? 7 : 8;
constexpr int OVERFULL_BIN = 64;

// Sort of keys by a sample: keys of it that a warp ranks, and of how many at most, since a larger one is sorted as few
// keys are; bins of one value that a block writes alone have at most FILL_ALONE keys.
constexpr int RANK_THREADS = 256, RANKED = 4;
constexpr unsigned RANKED_MOST = 4096;
constexpr int CLASSIFY_THREADS = 1024;
constexpr int BIN_SCATTER_THREADS = 512;
constexpr unsigned FILL_ALONE = 32 << 10;
template <class K> constexpr int BIN_THREADS = sizeof(K) == 8 ? 512 : 256;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <class K> constexpr int BIN_BLOCKS = 1024 / BIN_THREADS<K>; // there are no more threads
#else
template <class K> constexpr int BIN_BLOCKS = sizeof(K) == 8 ? 3 : 6;
#endif

// One launch of a split: what bounds its state in memory.
constexpr size_t SPLIT_PORTION = size_t(1) << 27;

// Compaction: blocks on a multiprocessor (an interpreter needs more registers), and vectors of 16 bytes a thread; a
// tile of 32 KiB, half of that where an element has less than 4 bytes. Tiles up to which each looks at all before it,
// and bytes from which on the ring is faster. Records: items a thread, and bytes that a tile has room for.
constexpr int COMPACT_THREADS = 256;
constexpr int COMPACT_BLOCKS = 4;
constexpr int INTERPRET_BLOCKS = 3;
template <class U> constexpr int COMPACT_VECTORS = sizeof(U) < 4 ? 4 : 8;
constexpr unsigned COMPACT_FEW_TILES = 2048;
constexpr size_t COMPACT_RING_BYTES = size_t(64) << 20;
constexpr int RECORD_ITEMS = 8;
constexpr int RECORD_TILE_BYTES = 32 << 10;

// Run-length encoding: as compaction. Decoding: a tile of output of 32 KiB, 16 KiB where an element has less than 4
// bytes. On the ring: its lag, and heads that a consumer stages at a time. Reduction by key: elements a thread, an odd
// number, so that lanes read their own without bank conflicts, and blocks on a multiprocessor. Elements that are
// compared by a thread alone, and not by a warp.
constexpr int ENCODE_THREADS = 256;
template <class U> constexpr int ENCODE_BLOCKS = sizeof(U) == 1 ? 3 : 4;
template <class U> constexpr int ENCODE_VECTORS = sizeof(U) < 4 ? 4 : 8;
constexpr int RING_ENCODE_LAG = 4;
constexpr unsigned RING_ENCODE_PLACES = 896;
constexpr int EXPAND_THREADS = 256;
constexpr int EXPAND_BLOCKS = 4;
template <class U> constexpr int EXPAND_VECTORS = sizeof(U) < 4 ? 4 : 8;
constexpr int REDUCE_RUNS_THREADS = 256;
template <class T> constexpr int REDUCE_RUNS_ITEMS = sizeof(T) == 8 ? 15 : 23;
template <class T> constexpr int REDUCE_RUNS_BLOCKS = sizeof(T) == 8 ? 3 : 4;
constexpr int COMPARE_ALONE = 256;

// Elements that a thread interprets at a time, by the bytes of a register.
template <class Slot> constexpr int INTERPRET_ITEMS = sizeof(Slot) == 4 ? 8 : 4;

// Merge: blocks on a multiprocessor where keys alone are merged, two runs at a time or four; with places, outputs a
// thread, a power of two for the bitonic network.
constexpr int MERGE_THREADS = 256;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <int RUNS> constexpr int MERGE_BLOCKS = RUNS == 4 ? 1 : 4; // there is less shared memory
#else
template <int RUNS> constexpr int MERGE_BLOCKS = RUNS == 4 ? 6 : 7;
#endif
constexpr int BITONIC_BLOCKS = MERGE_BLOCKS<2> < 5 ? MERGE_BLOCKS<2> / 2 : 6; // and where chunks are sorted
constexpr int MERGE_PLACE_ITEMS = 8;

// Merge of keys alone: how far around the guessed point a merge path is searched first; bytes from which on a separate
// kernel finds where all tiles of two arrays begin.
constexpr size_t MERGE_NEAR = 128;
constexpr size_t MERGE_SPLIT_LEAST_BYTES = size_t(64) << 20;

// Simple elementwise kernels.
constexpr int MAP_THREADS = 256;

#endif
