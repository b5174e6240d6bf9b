/* cases.h - one call of a primitive, described so that tests can enumerate calls or draw them at random. A check_...()
 * makes the data from the seed, calls the library on the device, and compares with the oracle: the output, bytes around
 * it, and inputs that must stay as they are. Differences fail the current property of tap.h. */
#ifndef CASES_H
#define CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "data.h"
#include "device.h"
#include "scankit.h"

/* A lead is the distance of an array from a 256-byte boundary: in elements for arrays of a type, in bytes for values,
 * records and other data without alignment. */

typedef struct scan_case {
    scankit_type type;
    scankit_operator op;
    scankit_scan_kind kind;
    bool initial, in_place;
    const char *gallery; /* by this algorithm of the gallery; NULL: by production */
    data_shape shape;    /* not for sums and products of floats, which get values that no order of addition rounds */
    size_t n, in_lead, out_lead;
    uint64_t seed;
} scan_case;

void check_scan(device *d, const scan_case *c);
void check_reduce(device *d, const scan_case *c); /* ignores kind, initial, in_place and out_lead */

/* Fills in the input. */
void fill_operands(const scan_case *c, void *out);

enum { KEYS_IN, KEYS_OUT, VALUES_IN, VALUES_OUT, LEADS };

typedef struct split_case {
    scankit_type type;
    data_shape shape;
    size_t n, value_size; /* 0: keys only */
    unsigned bit, bits;
    bool want_offsets;
    size_t lead[LEADS];
    uint64_t seed;
} split_case;

void check_split(device *d, const split_case *c);

typedef struct flags_case {
    size_t element_size, n;
    unsigned ones; /* of 256 flags, about this many are set */
    bool want_zeros;
    size_t in_lead, flags_lead, out_lead;
    uint64_t seed;
} flags_case;

void check_split_flags(device *d, const flags_case *c);

/* Which elements match: X(enumerator, name). */
#define COMPACT_SHARES(X)                                                             \
    X(NONE, "none")                                                                   \
    X(RARE, "1/1000")                                                                 \
    X(HALF, "1/2")                                                                    \
    X(ALL, "all")                                                                     \
    X(CLUSTERED, "clustered") /* runs of both kinds, from one element to thousands */ \
    X(ENDS, "ends")           /* the first and the last alone */

typedef enum compact_share {
#define X(enumerator, name) SHARE_##enumerator,
    COMPACT_SHARES(X)
#undef X
        SHARE_COUNT
} compact_share;

/* The requested outputs: X(enumerator, name). With flags, only elements and positions exist. */
#define COMPACT_WANTS(X)                            \
    X(ELEMENTS, "elements") /* scankit_compact() */ \
    X(POSITIONS, "positions")                       \
    X(BOTH, "both parts") /* of the split */        \
    X(MATCHING, "matching")                         \
    X(OTHERS, "others")                             \
    X(COUNT, "count")

typedef enum compact_want {
#define X(enumerator, name) COMPACT_##enumerator,
    COMPACT_WANTS(X)
#undef X
        COMPACT_WANT_COUNT
} compact_want;

/* True if matching elements are requested; these may be written in place. */
static inline bool compact_goes_in_place(compact_want want)
{
    return want == COMPACT_ELEMENTS || want == COMPACT_BOTH || want == COMPACT_MATCHING;
}

typedef struct compact_case {
    bool by_flags, by_records; /* neither: a predicate on elements of the type */
    const char *gallery; /* by flags, elements of the type, by this algorithm of the gallery; NULL: by production */
    scankit_type type;
    size_t element_size; /* of records and by flags */
    size_t n;
    compact_share share;
    compact_want want;
    bool in_place, invert, want_count;
    bool exact_room; /* outputs have no room to spare */
    uint64_t first;
    scankit_evaluation evaluation;
    size_t in_lead, out_lead; /* in elements for a type, else in bytes */
    uint64_t seed;
} compact_case;

/* Returns false if this machine does not have the evaluation. */
bool check_compact(device *d, const compact_case *c);

typedef struct sort_case {
    scankit_type type;
    data_shape shape;
    size_t n, value_size;         /* of pairs */
    scankit_sort_options options; /* with algorithm AUTO and nothing else set, the library gets NULL on even seeds */
    const char *gallery; /* by this algorithm of the gallery; of the options, it gets the direction. NULL: production */
    bool keys_in_place, values_in_place;
    size_t lead[LEADS];
    uint64_t seed;
} sort_case;

/* A case of few elements, around the sizes up to which a GPU sorts in one launch and by one block: size <
 * FEW_SORT_SIZES selects their number. Its shape and seed are drawn. */
#define FEW_SORT_SIZES 34
sort_case few_sort_case(scankit_type type, size_t size, size_t value_size, random_state *random);

void check_sort(device *d, const sort_case *c);
/* For more keys than the oracle has time for: compares with the same sort by other options, which is out of place.
 * Returns false if the case is not due. */
bool check_sort_alike(device *d, const sort_case *c, const scankit_sort_options *other);

/* Bits of the words that check_words() sorts as keys of the type. Floats of these are positive numbers. */
unsigned bits_of_words(scankit_type type);

/* By the C library. */
void sort_words(uint64_t *words, size_t n);

/* Sorts these rising words, which it shuffles, as keys of the type; words of floats are the bits of positive ones. */
void check_words(device *d, scankit_type type, uint64_t *words, size_t n, random_state *random, bool in_place);

/* The same, but each word stays within its part of `window` words. */
void check_near_words(device *d, scankit_type type, uint64_t *words, size_t n, size_t window, random_state *random,
                      bool in_place);
bool check_sort_pairs(device *d, const sort_case *c); /* false if the case is not due */
void check_argsort(device *d, const sort_case *c);

/* Keys, positions and, of value_size > 0, pairs. keys: the array, or NULL: data of c's shape. */
void check_top_k(device *d, const sort_case *c, const void *keys, size_t k);
void check_is_sorted(device *d, const sort_case *c); /* of the unsorted keys */

/* How the elements of one sorted array are distributed to a and b. */
typedef enum merge_deal { DEAL_RANDOM, DEAL_ALTERNATE, DEAL_A_FIRST, DEAL_B_FIRST, DEAL_COUNT } merge_deal;

typedef struct merge_case {
    scankit_type type;
    data_shape shape;
    merge_deal deal;
    size_t na, nb, value_size; /* 0: keys only */
    scankit_sort_options options;
    size_t lead; /* of all arrays, in elements, each a little further */
    uint64_t seed;
} merge_case;

void check_merge(device *d, const merge_case *c);

#define RECORD_KEYS 6

typedef struct record_case {
    size_t record_size, key_count, n;
    scankit_key keys[RECORD_KEYS];
    scankit_algorithm algorithm;
    bool in_place;
    size_t lead; /* in bytes: records have no alignment */
    uint64_t seed;
} record_case;

/* All of section 5 of the header on the same records: argsort, sort, is_sorted, merge. */
void check_records(device *d, const record_case *c);

/* How the elements of one sorted array are distributed to k: X(enumerator, name). */
#define MANY_DEALS(X)                                                             \
    X(RANDOM, "random")                                                           \
    X(ALTERNATE, "alternate")                                                     \
    X(RANGES, "ranges")   /* each array below the next, or the other way round */ \
    X(ONE, "one")         /* almost all to one array */                           \
    X(HALVES, "halves")   /* each array has half of the elements that are left */ \
    X(FEW, "few of many") /* random, but most arrays are empty */

typedef enum many_deal {
#define X(enumerator, name) MANY_##enumerator,
    MANY_DEALS(X)
#undef X
        MANY_DEAL_COUNT
} many_deal;

typedef struct merge_many_case {
    const record_case *records; /* NULL: keys or pairs */
    scankit_type type;
    data_shape shape;
    many_deal deal;
    size_t n, k, value_size; /* 0: keys only */
    scankit_sort_options options;
    size_t gap;  /* elements between an array and the next */
    size_t lead; /* as in merge_case; for records in bytes */
    uint64_t seed;
} merge_many_case;

void check_merge_many(device *d, const merge_many_case *c);

/* Draws a record size and keys of any type, order, direction and place, and leaves the other members. */
void random_keys(record_case *c, random_state *random);

/* Draws one key. */
void random_key(scankit_key *key, size_t record_size, random_state *random);

/* Fills records with keys that are often equal. */
void fill_records(const record_case *c, void *records);

/* The lengths of runs: X(enumerator, name). */
#define RUN_STRUCTURES(X)                                                                           \
    X(ONE, "one run")                                                                               \
    X(DISTINCT, "all distinct")       /* from their neighbours */                                   \
    X(PAIRS, "pairs across tiles")    /* of equal elements, across each second edge of GPU tiles */ \
    X(ALTERNATING, "alternating")     /* between two elements that differ in one bit */             \
    X(ENDS, "ends")                   /* the first and the last alone, all between them one run */  \
    X(EVEN, "of one length")          /* close to a power of two, and the first shorter */          \
    X(STRADDLE, "across edges")       /* of two, across each multiple of a power of two */          \
    X(EDGES, "around powers of two")  /* 2^k - 1, 2^k and 2^k + 1 for all k to 16 */                \
    X(GEOMETRIC, "geometric lengths") /* of 8 on average */                                         \
    X(SHORT, "short ones")            /* of up to 1, 2, ... 80 elements */                          \
    X(DOUBLING, "doubling lengths")   /* 1, 2, 4, 8, ... */                                         \
    X(RANDOM, "random lengths")       /* short ones as likely as long ones */

typedef enum run_structure {
#define X(enumerator, name) RUNS_##enumerator,
    RUN_STRUCTURES(X)
#undef X
        RUN_STRUCTURE_COUNT
} run_structure;

/* The requested outputs: X(enumerator, name). The last two call scankit_reduce_by_key(). */
#define RLE_WANTS(X)                                      \
    X(ENCODE, "values and counts") /* and decodes them */ \
    X(VALUES, "values")                                   \
    X(COUNTS, "counts")                                   \
    X(NUMBER, "number of runs")                           \
    X(UNIQUE, "unique")                                   \
    X(REDUCE, "keys and reduced values")                  \
    X(REDUCED, "reduced values")

typedef enum rle_want {
#define X(enumerator, name) RLE_##enumerator,
    RLE_WANTS(X)
#undef X
        RLE_WANT_COUNT
} rle_want;

static inline bool rle_reduces(rle_want want)
{
    return want == RLE_REDUCE || want == RLE_REDUCED;
}

#define RLE_KEYS 6

typedef struct rle_case {
    size_t element_size, n, key_count; /* without keys, all bytes are compared */
    scankit_key keys[RLE_KEYS];
    run_structure structure;
    rle_want want;
    scankit_type type; /* of the values to reduce */
    scankit_operator op;
    bool in_place, values_in_place; /* of elements; of values to reduce */
    bool want_count;
    bool exact_room;                      /* outputs have no room to spare */
    bool zeros;                           /* decodes with counts of 0 among the others */
    size_t in_lead, out_lead, value_lead; /* in bytes; of counts and what is reduced in elements */
    uint64_t seed;
} rle_case;

void check_rle(device *d, const rle_case *c);
void check_decode(device *d, const rle_case *c); /* the same runs, also with too little room and with none */

void random_run_keys(rle_case *c, random_state *random);
void fill_runs(const rle_case *c, void *elements);

/* Runs as segments. */
typedef struct segments_case {
    scan_case operands; /* kind, initial and in_place count for scans alone */
    run_structure structure;
    bool head_first;   /* of scans: the first element is a head */
    size_t most_empty; /* of reductions: empty segments at one place; 0: there are none */
    size_t heads_lead; /* of heads and offsets, in elements of theirs */
} segments_case;

void check_segmented_scan(device *d, const segments_case *c);
void check_segmented_reduce(device *d, const segments_case *c);

/* One of the two, with the function that draws the members that are not enumerated. */
typedef struct segments_way {
    void (*check)(device *d, const segments_case *c);
    void (*draw_rest)(segments_case *c, random_state *random);
} segments_way;

/* Tests of both: sizes around every power of two, with segments of any kind; and many elements with each kind. */
void segments_every_size(device *d, const segments_way *way, scankit_type type, scankit_operator op);
void segments_every_structure(device *d, const segments_way *way, scankit_type type);

/* Lengths of segments to sort: X(enumerator, name). */
#define SEGMENT_LENGTHS(X)                                 \
    X(ONE, "one")                                          \
    X(SINGLE, "single elements")                           \
    X(TINY, "0 to 3")                                      \
    X(THREADS, "0 to 17")                                  \
    X(SAME, "all the same")                                \
    X(WARPS, "0 to 69")                                    \
    X(BLOCKS, "200 to 4399")                               \
    X(LONG, "4097 to 10096")                               \
    X(LONGER, "8000 to 60000")                             \
    X(VAST, "1400000 to 1600000")                          \
    X(MIXED, "0 to 16, some to 20000")                     \
    X(GIANT, "0 to 50, and half of all")                   \
    X(FEW_LONG, "1000 to 2999, some to 40000")             \
    X(EMPTY, "mostly empty")                               \
    X(ANY, "any") /* small ones as likely as large ones */ \
    X(EDGES, "0 to 39, and around edges of blocks")        \
    X(GROUPS, "mostly empty, and around edges of groups")

typedef enum segment_lengths {
#define X(enumerator, name) LENGTHS_##enumerator,
    SEGMENT_LENGTHS(X)
#undef X
        SEGMENT_LENGTHS_COUNT
} segment_lengths;

/* Lengths where each thread of a GPU's block, which sorts a segment by itself, begins to take more elements. */
enum { BLOCK_EDGES = 9 };
extern const size_t block_edges[BLOCK_EDGES];

typedef struct segmented_sort_case {
    sort_case sort; /* of its options, direction and bits count; no values: keys alone */
    segment_lengths lengths;
    size_t length;  /* of LENGTHS_SAME */
    bool gaps;      /* elements before the first segment and behind the last */
    bool positions; /* argsort */
} segmented_sort_case;

void check_segmented_sort(device *d, const segmented_sort_case *c);

#endif
