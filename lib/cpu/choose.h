/* choose.h - which algorithm the CPU runs: pure functions from sizes and what was found out about the data to one of
 * the algorithms below. */
#ifndef SK_CHOOSE_H
#define SK_CHOOSE_H

#include "backend.h"

/* All algorithms of the CPU except the gallery's: X(enumerator, name, what it does, source). */
#define SK_CPU_ALGORITHMS(X)                                                                                         \
    X(SORTED, "sorted", "copy of keys that are in order", "")                                                        \
    X(REVERSED, "reversed", "reversal of keys in falling order", "")                                                 \
    X(COUNTING, "counting", "count of each value of keys of 1 or 2 bytes", "Seward 1954")                            \
    X(LOCAL, "local", "radix sort by one thread within its cache", "")                                               \
    X(HYBRID, "hybrid", "partition by leading bits, then each bucket sorted within a cache",                         \
      "Stehle and Jacobsen 2017")                                                                                    \
    X(RADIX, "radix", "split by digit, least significant first", "Harris, Sengupta and Owens 2007 (GPU Gems 3, 39)") \
    X(CHUNK_MERGE, "chunk-merge", "chunks sorted within a cache, then merged two by two",                            \
      "Satish, Harris and Garland 2009")                                                                             \
    X(COUNT_AND_SCATTER, "count-and-scatter", "split: count, scan of the counts, scatter",                           \
      "Harris, Sengupta and Owens 2007 (GPU Gems 3, 39)")                                                            \
    X(MERGE_PATH, "merge-path", "parts of equal size of two sequences merged", "Green, McColl and Bader 2012")       \
    X(REDUCE_THEN_SCAN, "reduce-then-scan", "reduction and scan of blocks within a cache", "Blelloch 1990")          \
    X(SINGLE_PASS, "single-pass", "tiles compressed in a buffer, then written in turn", "Merrill and Garland 2016")  \
    X(ELEMENT_WISE, "element-wise", "long elements one after the other, each by all threads", "")                    \
    X(EXPAND, "expand", "parts of the output, each from a search for its first run", "")

typedef enum sk_cpu_algorithm {
#define X(enumerator, name, text, source) SK_CPU_##enumerator,
    SK_CPU_ALGORITHMS(X)
#undef X
} sk_cpu_algorithm;

/* Sets what scankit_last_algorithm() returns. */
void sk_cpu_ran(sk_device *device, sk_cpu_algorithm algorithm);

/* What one thread sorts within its L2; it has two scratch areas of this size. */
#define SK_LOCAL_BYTES ((size_t)384 << 10)

/* The order in which keys were found. */
typedef enum sk_order { SK_ORDER_NONE, SK_ORDER_RISING, SK_ORDER_FALLING } sk_order;

typedef struct sk_sort_facts {
    size_t n;
    sk_shape shape;
    unsigned bits; /* of the key that count */
    int threads;   /* that this much data is worth */
    sk_order order;
    scankit_algorithm wanted;
} sk_sort_facts;

sk_cpu_algorithm sk_choose_sort(const sk_sort_facts *facts);

/* moves: elements are written, and not only positions or a count. */
sk_cpu_algorithm sk_choose_compact(size_t element_size, bool moves);
sk_cpu_algorithm sk_choose_encode(size_t element_size);
sk_cpu_algorithm sk_choose_decode(size_t element_size);

#endif
