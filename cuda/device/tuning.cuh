// tuning.cuh - sizes of blocks and tiles. They were measured on an H100, and are valid on every GPU since sm_75.
#ifndef SK_CUDA_TUNING_CUH
#define SK_CUDA_TUNING_CUH

#include <cstddef>

// Scan: vectors of 16 bytes per thread; the layout of a tile (array_tile.cuh); blocks per multiprocessor. A tile has 36
// KiB, or 16 KiB for types of 1 and 2 bytes. sm_75 has too little shared memory for lanes.
constexpr int SCAN_THREADS = 256;
template <class T> constexpr int SCAN_VECTORS = sizeof(T) < 4 ? 4 : 9;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <class T> constexpr bool SCAN_IN_LANES = false;
template <class T> constexpr int SCAN_BLOCKS = sizeof(T) == 8 ? 2 : 3;
#else
template <class T> constexpr bool SCAN_IN_LANES = sizeof(T) >= 4;
template <class T> constexpr int SCAN_BLOCKS = sizeof(T) < 4 ? 3 : 4;
#endif

// The ring (ring.cuh): warps that consume; vectors of 16 bytes per lane of a consumer, an odd number, which avoids bank
// conflicts; slots; the lag, tiles between a tile's reduction and its completion; teams of consumers. For runs of
// elements of 8 bytes two teams are faster. Narrower ones may have more heads than the memory of two teams holds.
template <int CONSUMERS, int VECTORS, int SLOTS, int LAG, int TEAMS = 1> struct ring_shape;
using scan_shape = ring_shape<8, 9, 6, 3>;
using compact_shape = ring_shape<10, 9, 5, 2>;
template <class U>
using encode_shape =
    ring_shape<sizeof(U) == 2 ? 11 : 9, sizeof(U) == 2 ? 7 : 9, 5, sizeof(U) == 8 ? 1 : 2, sizeof(U) == 8 ? 2 : 1>;

// Segmented scan: vectors of 16 bytes per thread, and blocks per multiprocessor. More of either spills more registers.
template <class T> constexpr int SEGMENTED_SCAN_VECTORS = sizeof(T) < 4 ? 4 : sizeof(T) == 4 ? 7 : 6;
constexpr int SEGMENTED_SCAN_BLOCKS = 3;

// Segmented reduce. Steps of the merge path per thread in a tile: an odd number of words, which avoids bank conflicts.
// Blocks per multiprocessor. Vectors that a thread has in flight, in chunks and in tiles in which no segment ends; more
// spill registers.
constexpr int SEGMENTED_THREADS = 256;
template <class T> constexpr int SEGMENTED_STEPS = sizeof(T) == 1 ? 28 : sizeof(T) == 2 ? 22 : sizeof(T) == 4 ? 23 : 13;
constexpr int SEGMENTED_BLOCKS = 4;
template <class E> constexpr int SEGMENTED_LOADS = sizeof(E) < 4 ? 4 : 8;
template <class E> constexpr int SEGMENTED_RUN_LOADS = sizeof(E) == 4 ? 8 : 4;

// Parts of a segmented reduce: their number, and their least steps. Steps by which a tile is longer than its share of a
// part, so that few parts need another tile for their last segment. Elements of a segment behind a part that do not cut
// it there. None depends on the GPU, so float results are the same on all.
constexpr int SEGMENTED_PARTS = 512;
constexpr size_t SEGMENTED_LEAST = 2048, SEGMENTED_LEAST_BY_TILES = 4096, SEGMENTED_SLACK = 256;
template <class E> constexpr size_t SEGMENTED_LATE = sizeof(E) == 1 ? 32768 : 65536 / sizeof(E);

// Chunks: the steps a segment from which on there are chunks; chunks of a batch.
constexpr size_t SEGMENTED_CHUNKS_FROM = 24;
constexpr unsigned SEGMENTED_CHUNKS = 1024;

// Few segments: the blocks that reduce them, as many as run at a time, and segments, at most. The number of blocks is a
// prime. They take segments in rounds. Some rounds begin with another block: by their number's bits 1, 2 and 3. Of long
// segments at each D-th place, D up to 1100, a block has at most two more than in the best dealing, and mostly no more.
// Vectors that a lane loads together.
constexpr unsigned FEW_BLOCKS = 521, FEW_TURN_2 = 481, FEW_TURN_4 = 42, FEW_TURN_8 = 300;
constexpr size_t SEGMENTED_FEW = 16 * FEW_BLOCKS;
template <class E> constexpr unsigned FEW_LOADS = sizeof(E) < 4 ? 4 : 8;

// Segments are cut if they are longer than FEW_PARTS_UNCUT parts and FEW_BYTES_UNCUT bytes. Least elements of a part.
// Pieces in a part, at most: each segment that is cut is longer than a part.
constexpr size_t FEW_PARTS_UNCUT = 2, FEW_BYTES_UNCUT = 96 << 10;
template <class E> constexpr size_t FEW_PART = sizeof(E) == 8 ? 2048 : 4096;
constexpr unsigned FEW_PIECES = 2;

// Reduce: a block has a tile of 16 KiB in flight. Blocks per multiprocessor.
constexpr int REDUCE_THREADS = 256;
constexpr int REDUCE_VECTORS = 4;
constexpr int REDUCE_RESIDENT = 4;

// Partial results of a reduction. The number depends on neither the GPU nor n, so float results are the same on all.
constexpr int REDUCE_BLOCKS = 512;

// Split by digit, and LSD radix sort passes: threads of a block, and items per thread, by the bytes of a key and a
// value. A tile and its counts fit into 64 KiB of shared memory, all that sm_75 has. More blocks per multiprocessor are
// slower: with fewer tiles in flight, cache lines of the output are completed sooner. Large tiles write longer pieces
// of each digit. They are for multiprocessors that have room for two, and for arrays of many tiles, at least
// LARGE_PASS_TILES for each block that runs at a time: the last tiles leave most blocks without work.
constexpr int PASS_BLOCKS = 2;
template <int KEY, int VALUE> constexpr int PASS_THREADS = VALUE == 0 && KEY <= 4 ? 384 : 256;
template <int KEY, int VALUE>
constexpr int PASS_ITEMS = VALUE == 16                      ? 12
                           : KEY + VALUE == 16              ? 20
                           : VALUE == 8 || KEY + VALUE <= 4 ? 22
                                                            : 24;
template <int KEY, int VALUE> constexpr bool HAS_LARGE_PASS = KEY >= 4 && VALUE <= 4;
constexpr int LARGE_PASS_THREADS = 256;
template <int KEY, int VALUE> constexpr int LARGE_PASS_ITEMS = KEY + VALUE == 4 ? 40 : 30;
template <int KEY, int VALUE> constexpr size_t LARGE_PASS_TILES = KEY + VALUE == 4 ? 16 : 4;

// The same for the buckets of long segments, whose tiles hold the number of each bucket too.
constexpr int SEGMENT_THREADS = 384;
template <int KEY, int VALUE> constexpr int SEGMENT_ITEMS = KEY + VALUE <= 8 ? 16 : KEY + VALUE <= 12 ? 12 : 10;

// Digit counting: vectors of 16 bytes per thread.
constexpr int DIGIT_VECTORS = 2;

// Sort of a tile on chip: items per thread, as above.
constexpr int SORT_THREADS = 512;
template <int KEY, int VALUE>
constexpr int SORT_ITEMS = VALUE == 16         ? 4
                           : KEY + VALUE <= 4  ? 16
                           : KEY + VALUE <= 8  ? 10
                           : KEY + VALUE <= 12 ? 8
                                               : 7;

// Counting sort of bytes: threads of the block that sorts few, threads that write, and their blocks per multiprocessor.
constexpr int BYTE_SORT_THREADS = 1024, BYTE_WRITE_THREADS = 256, BYTE_WRITE_BLOCKS = 8;

// Bucket sort of keys. Counting: vectors of 16 bytes per thread. Few values: blocks per multiprocessor. Scatter: bins,
// and keys per thread; fewer keys if there are too few tiles for all multiprocessors. Sort of a bucket: keys per
// thread, bits of the fine bins, blocks per multiprocessor.
constexpr int SURVEY_THREADS = 1024;
constexpr int COUNT_THREADS = 1024;
constexpr int COUNT_VECTORS = 4;
constexpr int VALUE_THREADS = 256, VALUE_BLOCKS = 4;
constexpr int SCATTER_THREADS = 512;
constexpr int SCATTER_BINS = 1024;
template <class K> constexpr int SCATTER_ITEMS = sizeof(K) == 8 ? 16 : 30;
template <class K> constexpr int SCATTER_ITEMS_CDF = sizeof(K) == 8 ? 15 : 20;
constexpr int SCATTER_ITEMS_FEW = 15;
template <class K> constexpr int BUCKET_THREADS = sizeof(K) == 8 ? 512 : 256;
template <class K> constexpr int BUCKET_ITEMS = sizeof(K) == 8 ? 9 : 18;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <class K> constexpr int BUCKET_BLOCKS = 1024 / BUCKET_THREADS<K>; // a multiprocessor has 1024 threads
#else
template <class K> constexpr int BUCKET_BLOCKS = sizeof(K) == 8 ? 3 : 4;
#endif
template <class K, class V>
constexpr int PAIR_BLOCKS = BUCKET_BLOCKS<K> - (sizeof(V) == 16  ? 2
                                                : sizeof(V) == 8 ? 1
                                                                 : 0);
constexpr int BUCKET_FINE_BITS = 12;
// Few keys in one launch: threads of a block, keys per thread that it has room for, and vectors per thread in flight.
// Keys of a window that a warp sorts: a power of two.
constexpr int SMALL_THREADS = 512;
template <class K, bool GATHERED> constexpr int SMALL_ITEMS = sizeof(K) < 8 ? 8 : GATHERED ? 6 : 7;
constexpr int SMALL_VECTORS = 8;
template <class K> constexpr unsigned FEW_WINDOW = sizeof(K) == 8 ? 64 : 128;
// Keys of a fine bin. A sample of a bucket tells how many keys are followed by a lesser one. If no bin has more than
// COMPARED_BIN keys, or none more than a warp and those are 1 / SEVERAL_DESCENTS or more, keys of bins that are out of
// order are compared with their bins; all keys are, if those are more than 1 / MANY_DESCENTS. Otherwise bins that are
// out of order are found: large ones with more than LARGE_BIN keys are sorted by a warp each, small ones too if there
// are up to SMALL_BINS, and crowded ones with more than CROWDED_FROM keys, at least OVERFULL_BIN, are spread over new
// bins. There, many bins are out of order if more than 1 / FEW_DESCENTS of the keys are followed by a lesser one.
constexpr int COMPARED_BIN = 16, OVERFULL_BIN = 64;
template <class K> constexpr unsigned LARGE_BIN = sizeof(K) == 8 ? 32 : 16;
template <class K> constexpr unsigned CROWDED_FROM = sizeof(K) == 8 ? 64 : 256;
constexpr unsigned SMALL_BINS = 64, FEW_DESCENTS = 12, SEVERAL_DESCENTS = 24, MANY_DESCENTS = 5;
// Bins of more keys than POPULAR_BIN may have a popular value: POPULAR_IN_BIN or more of WARP keys have it.
constexpr unsigned POPULAR_BIN = 128, POPULAR_IN_BIN = 10;
// Bins of pairs: if one has more than CROWDED_PAIRS, a warp sorts each with more than COMPARED_PAIRS; pairs per lane.
constexpr unsigned CROWDED_PAIRS = 30, COMPARED_PAIRS = 16, PAIR_EACH = 4;
// Buckets of pairs with overfull bins: blocks per multiprocessor. With values some registers are spilled, but one block
// alone waits more.
constexpr int OVERFULL_PAIR_BLOCKS = 2;
// Longer buckets of keys: the most keys, a multiple of the threads; blocks per multiprocessor.
constexpr int LONG_THREADS = 512;
template <class K> constexpr int LONG_BUCKET = sizeof(K) == 8 ? 5120 : 8192;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <class K> constexpr int LONG_BLOCKS = 1; // a multiprocessor has 64 KiB
#else
template <class K> constexpr int LONG_BLOCKS = 3;
#endif

// Sample sort of keys. A sample of up to RANKED_MOST keys is sorted by ranking, RANKED keys per warp; a larger one is
// sorted in one launch, as above. A bin of one value with up to FILL_ALONE keys is written by one block.
constexpr int RANK_THREADS = 256, RANKED = 4;
constexpr unsigned RANKED_MOST = 4096;
constexpr int CLASSIFY_THREADS = 1024;
constexpr int BIN_SCATTER_THREADS = 512;
constexpr unsigned FILL_ALONE = 32 << 10;
template <class K> constexpr int BIN_THREADS = sizeof(K) == 8 ? 512 : 256;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <class K> constexpr int BIN_BLOCKS = 1024 / BIN_THREADS<K>; // a multiprocessor has 1024 threads
#else
template <class K> constexpr int BIN_BLOCKS = sizeof(K) == 8 ? 3 : 6;
#endif

// Most keys in one launch of a split. Bounds its look-back state.
constexpr size_t SPLIT_PORTION = size_t(1) << 27;

// Compaction. Blocks per multiprocessor: fewer with the interpreter, which needs more registers; more for elements of 2
// bytes, if all tiles then run at once, or if each multiprocessor gets more than COMPACT_MANY_TILES. Vectors of 16
// bytes per thread: a tile has 32 KiB, or 16 KiB for elements of 1 and 2 bytes; a small one has half of that. Tiles up
// to which each sums the counts of all tiles before it. Looks for the count of another tile of a split, before a thread
// counts that tile itself. Records: items per thread, and bytes per tile.
constexpr int COMPACT_THREADS = 256;
constexpr int COMPACT_BLOCKS = 4;
template <class U> constexpr int COMPACT_MORE_BLOCKS = sizeof(U) == 2 ? 5 : COMPACT_BLOCKS;
constexpr unsigned COMPACT_MANY_TILES = 12;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <int BLOCKS> constexpr int COMPACT_RESIDENT = BLOCKS < 4 ? BLOCKS : 4; // a multiprocessor has 1024 threads
#else
template <int BLOCKS> constexpr int COMPACT_RESIDENT = BLOCKS;
#endif
constexpr int INTERPRET_BLOCKS = 3;
template <class U> constexpr int COMPACT_VECTORS = sizeof(U) < 4 ? 4 : 8;
template <class U> constexpr int COMPACT_SMALL_VECTORS = COMPACT_VECTORS<U> / 2;
constexpr unsigned COMPACT_FEW_TILES = 2048;
constexpr int SPLIT_PATIENCE = 512;
constexpr int RECORD_ITEMS = 8;
constexpr int RECORD_TILE_BYTES = 32 << 10;

// Run-length encoding: as compaction. On the ring: heads that a consumer stages at a time. Decoding: an
// output tile has 32 KiB, or 16 KiB for elements of 1 and 2 bytes. Reduction by key: elements per thread, an odd
// number, which avoids bank conflicts; the same for few elements, up to REDUCE_RUNS_FEW, or with keys of 8 bytes up to
// REDUCE_RUNS_FEW_WIDE; blocks per multiprocessor. Most bytes of an element that a single thread compares; a warp
// compares longer ones.
constexpr int ENCODE_THREADS = 256;
template <class U> constexpr int ENCODE_BLOCKS = sizeof(U) == 1 ? 3 : 4;
template <class U> constexpr int ENCODE_VECTORS = sizeof(U) < 4 ? 4 : 8;
template <class U> constexpr int ENCODE_SMALL_VECTORS = sizeof(U) == 1 ? 2 : ENCODE_VECTORS<U>;
template <class U> constexpr unsigned RING_ENCODE_PLACES = sizeof(U) == 8 ? 576 : 1152;
constexpr int EXPAND_THREADS = 256;
constexpr int EXPAND_BLOCKS = 4;
template <class U> constexpr int EXPAND_VECTORS = sizeof(U) < 4 ? 4 : 8;
constexpr int EXPAND_SMALL_VECTORS = 2;
constexpr int EXPAND_FEW_THREADS = 512, EXPAND_FEW_VECTORS = 2;
constexpr int REDUCE_RUNS_THREADS = 256;
template <class T> constexpr int REDUCE_RUNS_ITEMS = sizeof(T) == 8 ? 15 : 23;
template <class T> constexpr int REDUCE_RUNS_SMALL_ITEMS = sizeof(T) == 8 ? 15 : 9;
constexpr size_t REDUCE_RUNS_FEW = size_t(1) << 19, REDUCE_RUNS_FEW_WIDE = size_t(1) << 22;
template <class T> constexpr int REDUCE_RUNS_BLOCKS = sizeof(T) == 8 ? 3 : 4;
constexpr int COMPARE_ALONE = 256;

// Elements that a thread interprets at a time, by the bytes of a register of the predicate.
template <class Slot> constexpr int INTERPRET_ITEMS = sizeof(Slot) == 4 ? 8 : 4;

// Merge. Blocks per multiprocessor for keys alone, by the number of runs merged at a time and the windows of a warp,
// and with values. With values: outputs per thread, by the bytes of a key and a value, an odd number, which avoids bank
// conflicts. With places: outputs per thread, a power of two for the bitonic network.
constexpr int MERGE_THREADS = 256;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <int RUNS, int EACH> constexpr int MERGE_BLOCKS = RUNS == 4 ? 1 : 4 / EACH; // sm_75 has less shared memory
template <int VALUE> constexpr int MERGE_PAIR_BLOCKS = 4;                            // and fewer threads
#else
template <int RUNS, int EACH> constexpr int MERGE_BLOCKS = RUNS == 4 ? 6 : EACH == 1 ? 7 : 5;
template <int VALUE> constexpr int MERGE_PAIR_BLOCKS = VALUE == 0 ? 6 : 8;
#endif
template <int KEY, int VALUE> constexpr int MERGE_PAIR_ITEMS = KEY < 4 || VALUE == 0 ? 15 : 9;
constexpr int BITONIC_BLOCKS = MERGE_BLOCKS<2, 1> < 5 ? MERGE_BLOCKS<2, 1> / 2 : 6; // of the sort of chunks
constexpr int MERGE_PLACE_ITEMS = 8;

// Merge of records: outputs per thread. Most arrays. Most bytes that more than one round moves for each record: with
// more, words and positions are merged or sorted instead, the second if keys have several words.
constexpr int MERGE_RECORD_ITEMS = 8;
constexpr size_t MERGE_RECORD_ARRAYS = 16;
constexpr size_t MERGE_RECORD_MOST = 4096;
constexpr size_t MERGE_RECORD_MOVED = 32, MERGE_RECORD_MOVED_WORDS = 96;

// Merge of keys alone: how far around the guessed point a merge path is searched first, for tiles and for the ends of
// groups of tiles; bytes from which on a separate kernel finds where all tiles of two arrays begin, and the windows of
// a warp then. Pairs from which on it does: equal keys make guesses worse, and narrow keys are often equal. Keys of 8
// bytes to be mapped from which on they are merged as pairs are.
constexpr size_t MERGE_NEAR = 64, MERGE_NEAR_LINE = 16384;
constexpr int MERGE_EACH = 2;
constexpr size_t MERGE_SPLIT_LEAST_BYTES = size_t(64) << 20;
template <class K> constexpr size_t MERGE_SPLIT_LEAST_PAIRS = size_t(sizeof(K) < 4 ? 16 : 8) << 20;
constexpr size_t MERGE_MAPPED_LEAST = size_t(5) << 20;

// Merge of many runs: most runs of a pass. Keys alone: per thread, by bins and in rounds. With values. Sample of a
// part; elements per sample, at most. Items of rounds are odd, which avoids bank conflicts.
constexpr int MANY_RUNS = 32;
template <class K> constexpr int MANY_BUCKET_ITEMS = sizeof(K) == 8 ? 9 : 18;
constexpr int MANY_CROWDED_THREADS = 256, MANY_CROWDED_ITEMS = 21;
constexpr int MANY_PAIR_THREADS = 256, MANY_PAIR_ITEMS = 15;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <class K> constexpr int MANY_BUCKET_BLOCKS = sizeof(K) == 8 ? 1 : 2; // a multiprocessor has 64 KiB
template <class K> constexpr int MANY_CROWDED_BLOCKS = sizeof(K) == 8 ? 1 : 3;
constexpr int MANY_PAIR_BLOCKS = 1;
#else
template <class K> constexpr int MANY_BUCKET_BLOCKS = sizeof(K) == 8 ? 3 : 6;
template <class K> constexpr int MANY_CROWDED_BLOCKS = 4;
constexpr int MANY_PAIR_BLOCKS = 4;
#endif
constexpr int MANY_SAMPLE_THREADS = 512, MANY_SAMPLE_ITEMS = 7;
constexpr int MANY_SAMPLE_EACH = 64;

// Elementwise kernels.
constexpr int MAP_THREADS = 256;

#endif
