/* choose.h - which algorithm the CPU runs: pure functions from sizes and what was found out about the data to one of
 * SK_CPU_ALGORITHMS. */
#ifndef SK_CHOOSE_H
#define SK_CHOOSE_H

#include "algorithms.h"
#include "backend.h"

typedef enum sk_cpu_algorithm {
#define X(enumerator, name, text, source) SK_CPU_##enumerator,
    SK_CPU_ALGORITHMS(X)
#undef X
} sk_cpu_algorithm;

/* Sets what scankit_last_algorithm() returns. */
void sk_cpu_ran(sk_device *device, sk_cpu_algorithm algorithm);

/* One thread sorts this much within its L2. Its scratch takes two and a half times as much. */
#define SK_LOCAL_BYTES ((size_t)384 << 10)

/* Up to this many keys, sorts in registers take less than the search for an order. */
#define SK_FEW_KEYS 256

/* Fewer keys are sorted before a sample of them has told anything. */
#define SK_SAMPLED_KEYS 2048

/* The order in which keys were found. */
typedef enum sk_order { SK_ORDER_NONE, SK_ORDER_RISING, SK_ORDER_FALLING } sk_order;

typedef struct sk_sort_facts {
    size_t n;
    sk_shape shape;
    unsigned bits;     /* of the key that count */
    int threads;       /* that this much data is worth */
    int pivot_threads; /* that share a sort by pivots of it */
    bool in_registers; /* the kernels can sort such keys in registers */
    bool by_pivots;    /* ... and one thread's sort partitions more of them in place */
    bool by_records;   /* the kernels can sort pairs side by side */
    bool encodes;      /* keys are to be encoded and decoded by the sort */
    bool in_place;     /* little workspace is wanted, and a partition in place can be used */
    bool heavy;        /* most keys have one of a few values */
    bool one_digit;    /* pairs that one pass of a radix sort puts in order */
    sk_order order;
    scankit_algorithm wanted;
} sk_sort_facts;

/* A counting sort clears and adds up a counter for each value of a key. That pays from about four keys a counter: on
 * one thread 2^18 keys of 2 bytes take 0.7 ms (hybrid: 1.5 ms), but 2^16 keys 0.45 ms (local: 0.17 ms). */
#define SK_COUNTING_KEYS(key_size) ((size_t)4 << 8 * (key_size))

/* Few threads sort by pivots from this many keys on: two of a Xeon with AVX-512 sort 2^16 u32 and f32 at 786 and 844
 * million a second (hybrid: 525 and 362; by one thread 470 and 490), and 2^15 u64 and f64 at 454 and 466 (307, 215). A
 * thread alone sorts fewer by itself. */
#define SK_PIVOT_KEYS ((size_t)1 << 15)
#define SK_PIVOT_KEYS_ALONE ((size_t)1 << 17)

/* Threads that sort by pivots together, at most, and the least keys of a size that more threads sort. */
#define SK_PIVOT_THREADS 4
#define SK_PIVOT_KEYS_OF_MORE(key_size) ((SK_PIVOT_THREADS + 1) * SK_WORK_PER_THREAD / (key_size))

/* Keys alone that one thread sorts by itself with AVX2, at most: see choose.c. */
#define SK_LOCAL_KEYS(key_size) (((size_t)1 << 22) / (key_size))

/* Each of these is the least number of keys for a sort that takes less workspace than the one for fewer keys. */
#define SK_SORT_TURNS                                                                                           \
    {                                                                                                           \
        SK_COUNTING_KEYS(1), SK_COUNTING_KEYS(2), SK_PIVOT_KEYS, SK_PIVOT_KEYS_ALONE, SK_PIVOT_KEYS_OF_MORE(4), \
            SK_PIVOT_KEYS_OF_MORE(8), SK_LOCAL_KEYS(4) + 1, SK_LOCAL_KEYS(8) + 1                                \
    }

/* Fewer keys alone of 1 or 2 bytes than this are sorted as words of 4, with the kernels' sorts of these. */
size_t sk_choose_words(unsigned key_size, bool in_registers, bool by_pivots);

/* Pairs of keys of which a sample puts this share into the fullest of some buckets: true if records pay. */
bool sk_choose_records(double fullest, size_t buckets);

/* The same for one thread that could sort all keys by pivots. */
bool sk_choose_pivots(double fullest, size_t buckets);

sk_cpu_algorithm sk_choose_sort(const sk_sort_facts *facts);

/* True if a split by that many bits counts and then moves the elements of each digit together. compresses: kernels
 * compress a register's lanes by a mask. */
bool sk_choose_few_ways(sk_shape shape, unsigned bits, bool compresses);

/* The same of a split by flags. */
bool sk_choose_two_ways(size_t element_size);

/* True if that many threads count keys in bins by parts of bins, instead of in a table each. */
bool sk_choose_parts(size_t bins, int threads);

/* moves: elements are written, and not only positions or a count. */
sk_cpu_algorithm sk_choose_compact(size_t element_size, bool moves);
sk_cpu_algorithm sk_choose_encode(size_t element_size);
sk_cpu_algorithm sk_choose_decode(size_t element_size);

#endif
