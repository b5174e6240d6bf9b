/* algorithms.h - the names that scankit_last_algorithm() returns after a sort on a GPU, one list for the backend, the
 * manual and the tests. */
#ifndef SK_ALGORITHMS_H
#define SK_ALGORITHMS_H

/* X(enumerator, name, what it does, source). "hybrid" partitions keys into buckets until a bucket fits on chip; the
 * other names that begin so are the same method for other data. */
#define SK_CUDA_SORTS(X)                                                                                               \
    X(SORTED, "sorted", "the keys are in order already and are copied", "")                                            \
    X(REVERSED, "reversed", "the keys are in descending order and are reversed", "")                                   \
    X(COUNTING, "counting", "counts each of a few distinct values", "Seward 1954")                                     \
    X(BLOCK_RANGES, "block-ranges", "one launch; each block sorts one range of keys", "Frazer and McKellar 1970")      \
    X(SAMPLE, "sample", "sample sort: bins between splitters, each sorted on chip",                                    \
      "Leischner, Osipov and Sanders 2010")                                                                            \
    X(HYBRID, "hybrid", "counts buckets, scatters the keys and sorts each bucket on chip", "Stehle and Jacobsen 2017") \
    X(HYBRID_UNCOUNTED, "hybrid-uncounted", "hybrid with slack regions instead of a counting pass",                    \
      "Stehle and Jacobsen 2017")                                                                                      \
    X(HYBRID_RECOUNTED, "hybrid-recounted", "hybrid, counted after a slack region was too small",                      \
      "Stehle and Jacobsen 2017")                                                                                      \
    X(HYBRID_PAIRS, "hybrid-pairs", "hybrid with stable passes, for keys with values", "Stehle and Jacobsen 2017")     \
    X(RADIX, "radix", "least significant digit radix sort in single-pass splits", "Adinets and Merrill 2022")          \
    X(CHUNK_MERGE, "chunk-merge", "sorts chunks on chip and merges them", "Satish, Harris and Garland 2009")

#endif
