/* algorithms.h - the names that scankit_last_algorithm() returns, for the backends, the manual and the tests: one list
 * for the CPU, and one per primitive for a GPU. X(enumerator, name, what it does, source) */
#ifndef SK_ALGORITHMS_H
#define SK_ALGORITHMS_H

/* Sorts on a GPU. "hybrid" partitions keys into buckets until a bucket fits on chip; the other names that begin so are
 * the same method for other data. */
#define SK_CUDA_SORTS(X)                                                                                               \
    X(SORTED, "sorted", "the keys are in order already and are copied", "")                                            \
    X(REVERSED, "reversed", "the keys are in descending order and are reversed", "")                                   \
    X(COUNTING, "counting", "counts each of a few distinct values, or each value of 1 or 2 bytes", "Seward 1954")      \
    X(BLOCK_RANGES, "block-ranges", "one launch; each block sorts one range of keys", "Frazer and McKellar 1970")      \
    X(SAMPLE, "sample", "sample sort: bins between splitters, each sorted on chip",                                    \
      "Leischner, Osipov and Sanders 2010")                                                                            \
    X(HYBRID, "hybrid", "counts buckets, scatters the keys and sorts each bucket on chip", "Stehle and Jacobsen 2017") \
    X(HYBRID_UNCOUNTED, "hybrid-uncounted", "hybrid with slack regions instead of a counting pass",                    \
      "Stehle and Jacobsen 2017")                                                                                      \
    X(HYBRID_RECOUNTED, "hybrid-recounted", "hybrid, counted after too many keys had no room",                         \
      "Stehle and Jacobsen 2017")                                                                                      \
    X(HYBRID_MERGE, "hybrid-merge", "hybrid sorts of 2 or 4 parts, merged", "Green, McColl and Bader 2012")            \
    X(HYBRID_PAIRS, "hybrid-pairs", "hybrid with stable passes, for keys with values", "Stehle and Jacobsen 2017")     \
    X(WORDS, "words", "few pairs as words of a key above a position, whose values are fetched at last", "")            \
    X(RADIX, "radix", "least significant digit radix sort in single-pass splits", "Adinets and Merrill 2022")          \
    X(CHUNK_MERGE, "chunk-merge", "sorts chunks on chip by radix splits, then merges them by bitonic networks",        \
      "Satish, Harris and Garland 2009; Batcher 1968")                                                                 \
    X(NETWORK_MERGE, "network-merge", "the same for keys alone, whose chunks are sorted by bitonic networks too",      \
      "Batcher 1968")

/* Scans, segmented scans and segmented reductions on a GPU. */
#define SK_CUDA_SCANS(X)                                                                                            \
    X(LOOKBACK, "look-back", "one pass, one block per tile, which looks back by warps", "Merrill and Garland 2016") \
    X(RING, "ring", "one pass, one block per multiprocessor over a ring of tiles", "Merrill and Garland 2016")      \
    X(THREE_KERNEL, "three-kernel", "reduces tiles, scans their totals, scans tiles",                               \
      "Sengupta, Harris, Zhang and Owens 2007")                                                                     \
    X(MERGE_PATH, "merge-path", "elements and ends of segments divided evenly", "Merrill and Garland 2016 (SpMV)")  \
    X(OWN_BLOCKS, "own-blocks", "few segments, some for each block; long ones in parts of one length", "")

/* Segmented sorts on a GPU; after long segments, the name is that of the last sort of these. */
#define SK_CUDA_SEGMENT_SORTS(X)                                                                                   \
    X(SLICES, "slices", "few elements: one launch; blocks merge slices of the array, and ranges of long segments", \
      "Green, McColl and Bader 2012; Frazer and McKellar 1970")                                                    \
    X(OWN_BLOCKS, "own-blocks", "few segments, or narrow keys: a block for each, by bins, digits or counts",       \
      "Dobosiewicz 1978")                                                                                          \
    X(NETWORKS, "networks",                                                                                        \
      "segments by length, each sorted by a thread or lanes in registers or by a block by merges or by bins",      \
      "Batcher 1968; Hou, Liu, Wang and Feng 2017")

/* Compactions, and splits by flags, on a GPU. */
#define SK_CUDA_COMPACTIONS(X)                                                                                      \
    X(LOOKBACK, "look-back", "by flags, a bound or ranges; one block per tile", "Merrill and Garland 2016")         \
    X(LOOKBACK_INTERPRETED, "look-back, interpreted", "by an interpreted predicate; one block per tile",            \
      "Merrill and Garland 2016")                                                                                   \
    X(LOOKBACK_COMPILED, "look-back, compiled", "by a compiled predicate; one block per tile",                      \
      "Merrill and Garland 2016")                                                                                   \
    X(RING, "ring", "by flags, a bound or ranges; over a ring of tiles", "Merrill and Garland 2016")                \
    X(RING_COMPILED, "ring, compiled", "by a compiled predicate; over a ring of tiles", "Merrill and Garland 2016") \
    X(COLLECT, "collect", "top-k: elements up to a threshold in any order, as warps find them", "")                 \
    X(POSITIONS, "positions", "long elements: compacts their positions, then gathers", "")

/* Run-length encoding, unique, reduction by key and decoding on a GPU. */
#define SK_CUDA_RLE(X)                                                                                \
    X(LOOKBACK, "look-back", "one pass, one block per tile", "Merrill and Garland 2016")              \
    X(RING, "ring", "one pass over a ring of tiles", "Merrill and Garland 2016")                      \
    X(HEADS, "look-back, by flags", "flags the first elements of runs, then compacts by the flags",   \
      "Merrill and Garland 2016")                                                                     \
    X(EXPAND, "expand", "scans the lengths, finds the first run of each tile, fills tiles", "")       \
    X(EXPAND_SEARCH, "expand-search", "the same in one launch: each tile searches its first run", "") \
    X(EXPAND_FEW, "expand-few", "one launch: each tile adds up all lengths", "")                      \
    X(EXPAND_NUMBERS, "expand-numbers", "the same for the numbers of the runs, then gathers", "")

/* Summed-area tables on a GPU. */
#define SK_CUDA_TABLES(X)                                                                         \
    X(SINGLE_PASS, "single-pass", "bands of rows; each waits for the sums of the bands above it", \
      "Kasagi, Nakano and Ito 2014; Merrill and Garland 2016")                                    \
    X(TRANSPOSES, "transposes", "scans of rows, between transpositions",                          \
      "Harris, Sengupta and Owens 2007 (GPU Gems 3, 39)")                                         \
    X(ROWS_FIRST, "rows-first", "low and wide images: scans of whole rows, then sums down the columns", "")

/* All algorithms of the CPU except the gallery's. */
#define SK_CPU_ALGORITHMS(X)                                                                                         \
    X(SORTED, "sorted", "copy of keys that are in order", "")                                                        \
    X(REVERSED, "reversed", "reversal of keys in falling order", "")                                                 \
    X(COUNTING, "counting", "count of each value of keys of 1 or 2 bytes", "Seward 1954")                            \
    X(LOCAL, "local", "sort by one thread: by pivots and merges, or by digits", "")                                  \
    X(PIVOTS, "pivots", "partitions by pivots, the first by all threads, the others by one each, then local",        \
      "Hoare 1962; Heidelberger, Norton and Robinson 1990")                                                          \
    X(HYBRID, "hybrid", "partition by leading bits, then each bucket sorted within a cache",                         \
      "Stehle and Jacobsen 2017")                                                                                    \
    X(HYBRID_IN_PLACE, "hybrid-in-place", "hybrid with little workspace: the partition is in place, by blocks",      \
      "Axtmann, Witt, Ferizovic and Sanders 2022")                                                                   \
    X(RECORDS, "hybrid-records", "hybrid of pairs or positions: each key beside its value between the two",          \
      "Stehle and Jacobsen 2017")                                                                                    \
    X(HEAVY, "heavy", "values of most keys counted, and the others sorted apart", "Gu, Shun, Sun and Blelloch 2015") \
    X(RUNS, "runs", "runs of equal keys encoded, sorted as pairs of a key and a length, and decoded", "")            \
    X(RADIX, "radix", "split by digit, least significant first", "Harris, Sengupta and Owens 2007 (GPU Gems 3, 39)") \
    X(CHUNK_MERGE, "chunk-merge", "chunks sorted within a cache, then merged", "Satish, Harris and Garland 2009")    \
    X(COUNT_AND_SCATTER, "count-and-scatter", "split: count, scan of the counts, scatter",                           \
      "Harris, Sengupta and Owens 2007 (GPU Gems 3, 39)")                                                            \
    X(MERGE_PATH, "merge-path", "parts of equal size of two sequences merged", "Green, McColl and Bader 2012")       \
    X(MERGE_TREE, "merge-tree", "parts of equal size of many sequences merged, by a tree of merges within a cache",  \
      "Varman and others 1991; Brodal and Fagerberg 2002")                                                           \
    X(REDUCE_THEN_SCAN, "reduce-then-scan", "reduction and scan of blocks within a cache", "Blelloch 1990")          \
    X(SINGLE_PASS, "single-pass", "tiles compressed in a buffer, then written in turn", "Merrill and Garland 2016")  \
    X(TRANSPOSES, "transposes", "summed-area table: scans of rows, between transpositions",                          \
      "Harris, Sengupta and Owens 2007 (GPU Gems 3, 39)")                                                            \
    X(ELEMENT_WISE, "element-wise", "long elements one after the other, each by all threads", "")                    \
    X(EXPAND, "expand", "parts of the output, each from a search for its first run", "")

#endif
