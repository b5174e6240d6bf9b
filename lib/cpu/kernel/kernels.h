/* kernels.h - the single-thread steps of all primitives. The folder is compiled once an instruction set,
 * SK_ISA, and each time gives one table; cpu.c chooses the table when a device is opened. */
#ifndef SK_KERNELS_H
#define SK_KERNELS_H

#include "backend.h"

#define SK_PASTE_(a, b) a##b
#define SK_PASTE(a, b) SK_PASTE_(a, b)

/* The name with this instruction set's suffix. */
#define SK_ISA_NAME(name) SK_PASTE(name##_, SK_ISA)

static inline size_t sk_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The next of a sequence of random numbers, whose upper bits are the best (Knuth's MMIX). */
static inline uint64_t sk_next_random(uint64_t random)
{
    return random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

typedef struct sk_range {
    size_t begin, end;
} sk_range;

/* Mask of `bits` bits, 1 to 64. */
static inline uint64_t sk_low_mask(unsigned bits)
{
    return UINT64_MAX >> (64 - bits);
}

/* Kernels for columns have a row for each shape. */
#define SK_SHAPE_ROWS 12
static inline unsigned sk_shape_row(sk_shape shape)
{
    return (unsigned)__builtin_ctz(shape.key_size) + shape.value_size;
}

/* ---- partition.c: distribution by a monotone digit ---- */

/* What digits are even in. Of keys of 4 and 8 bytes, the last two are numbers that rise with the field. */
typedef enum sk_digit_scale {
    SK_OF_FIELDS,
    SK_OF_LOGARITHMS, /* sk_logarithm() */
    SK_OF_FLOATS,     /* sk_float_number() */
} sk_digit_scale;

/* digit(key) = min((max(number, low) - low) >> shift, last) where number = field = (key >> begin) & mask, or a number
 * of the field. */
typedef struct sk_digits {
    uint64_t mask, low, last;
    unsigned begin, shift;
    sk_digit_scale scale;
    uint64_t turn;         /* SK_OF_FLOATS: all bits of words that fall while floats rise, else 0 */
    double first, steps;   /* ... a float, and numbers for each 1 from there on */
    const sk_piece *piece; /* keys are values, and come to lie as the words of this piece; NULL: they are words */
} sk_digits;

/* The bits of a floating-point number rise with it, by the same for each power of two. */
static inline uint64_t sk_logarithm(uint64_t field, unsigned key_size)
{
    if (key_size == 8) {
        double wide = (double)field;
        memcpy(&field, &wide, sizeof wide);
        return field;
    }
    float narrow = (float)(uint32_t)field;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

#define SK_FLOAT_NUMBERS 0x1p30 /* the greatest of them */

/* A float's distance from the first one, for the word of a float or double. NaNs are last. */
static inline uint64_t sk_float_number(uint64_t word, unsigned key_size, const sk_digits *digits)
{
    const int32_t turn = digits->turn == 0 ? 0 : (int32_t)SK_FLOAT_NUMBERS;
    int32_t number;
    if (key_size == 8) {
        const uint64_t bits = sk_value_f64(word ^ digits->turn);
        double distance;
        memcpy(&distance, &bits, sizeof distance);
        distance = (distance - digits->first) * digits->steps;
        distance = distance < SK_FLOAT_NUMBERS ? distance : SK_FLOAT_NUMBERS;
        number = (int32_t)(distance > 0 ? distance : 0);
    } else {
        const uint32_t bits = sk_value_f32((uint32_t)(word ^ digits->turn));
        float distance;
        memcpy(&distance, &bits, sizeof distance);
        distance = (distance - (float)digits->first) * (float)digits->steps;
        distance = distance < (float)SK_FLOAT_NUMBERS ? distance : (float)SK_FLOAT_NUMBERS;
        number = (int32_t)(distance > 0 ? distance : 0);
    }
    return (uint64_t)(turn == 0 ? number : turn - number);
}

#define SK_DIGITS_MAX 2048 /* the greatest last + 1 */

/* A thread's part of a partition to blocks: where its next block of SK_LINE bytes goes, and that one's digit. Behind
 * `end`, both go on elsewhere. */
typedef struct sk_block_writer {
    char *lines;    /* SK_LINE bytes a digit, aligned: blocks that are not full yet */
    size_t *counts; /* by digit: its keys so far */
    char *next, *end, *beyond, *beyond_end;
    uint32_t *place, *beyond_place;
} sk_block_writer;

static inline void sk_write_beyond(sk_block_writer *writer)
{
    writer->next = writer->beyond;
    writer->end = writer->beyond_end;
    writer->place = writer->beyond_place;
}

typedef struct sk_partition_kernels {
    /* Adds to counts[digit]. */
    void (*count)(const sk_digits *digits, const void *keys, size_t n, size_t *counts);
    /* Moves each element to out[cursor[digit]++]. */
    void (*scatter)(const sk_digits *digits, sk_const_columns in, sk_columns out, size_t n, size_t *cursor);
    /* The same around the caches, by way of lines of SK_LINE bytes, SK_LINE_BYTES a digit, aligned; columns of `out`
     * are aligned to their elements. Does not change the cursors. */
    void (*scatter_lines)(const sk_digits *digits, sk_const_columns in, sk_columns out, size_t n, const size_t *cursor,
                          char *lines);
    /* Writes blocks of keys with one digit, around the caches, not stable; NULL where there are values. The next block
     * may lie where keys have been read: at `keys`, or before. */
    void (*gather)(const sk_digits *digits, const void *keys, size_t n, sk_block_writer *to);
} sk_partition_kernels;

/* Moves each pair to a record, its key and its value side by side, at out[cursor[digit]++]; for columns of the same
 * size. in.values NULL: values are `first` and so on. lines NULL: through the caches; else as scatter_lines(). */
typedef void sk_scatter_records_function(const sk_digits *digits, sk_const_columns in, uint64_t first, void *out,
                                         size_t n, size_t *cursor, char *lines);

/* Bytes of a digit's line: 64, 128 or 256. One thread sorts 2^24 u32 at 163, 222 and 227 million a second with these,
 * on a Zen 4. */
#define SK_LINE 256
#define SK_LINE_BYTES(shape) ((size_t)((shape).value_size > 0 ? 2 * SK_LINE : SK_LINE))

/* ---- staged.c: keys alone to the places of their digits, by way of a stage ---- */

#define SK_STAGED_DIGITS 256
#define SK_STAGE_BYTES ((size_t)128 << 10) /* of a block, at most: it lies in the second cache */
#define SK_STAGED_KEYS(size) sk_min(SK_STAGE_BYTES / (size), (size_t)1 << 15)
#define SK_STAGE_ROOM (SK_STAGE_BYTES + 2 * 64 * SK_STAGED_DIGITS + 64)

/* Where a digit's next line goes. */
typedef struct sk_outlet {
    char *line;      /* aligned; may begin before the array */
    uint32_t first;  /* bytes of the line that are not this thread's */
    uint32_t filled; /* and those that are, up to this one, are held */
} sk_outlet;

typedef struct sk_staged_kernels {
    /* Sets counts[digit], where the digit is (key >> bit) & mask, of SK_STAGED_KEYS keys at most. */
    void (*count)(const void *keys, size_t n, unsigned bit, unsigned mask, uint16_t *counts);
    /* Moves keys that were counted so; held: a line a digit; stage: SK_STAGE_ROOM bytes; both aligned to lines. The end
     * of streaming is still to come. */
    void (*move)(const void *keys, size_t n, unsigned bit, unsigned mask, const uint16_t *counts, sk_outlet *outlets,
                 char *held, char *stage);
} sk_staged_kernels;

/* ---- blocks.c: blocks of SK_LINE bytes to their places ---- */

/* What `place` says of a slot if it does not hold a block that has to go to place[slot]. Slots have lesser numbers. */
#define SK_PLACE_FREE UINT32_MAX       /* no block lies there, and any may be written */
#define SK_PLACE_BUSY (UINT32_MAX - 1) /* its block is being picked up */
#define SK_PLACE_DONE (UINT32_MAX - 2) /* its own block lies there */

typedef struct sk_blocks {
    char *slots;
    char *beyond; /* where slot `last` is */
    size_t last;
    uint32_t *place; /* by slot: where its block has to go; all of them are different */
} sk_blocks;

/* Moves blocks from slots [begin, end), and those that lie in their places, until all these are in their own. Threads
 * with other ranges may run meanwhile. */
typedef void sk_move_blocks_function(const sk_blocks *blocks, size_t begin, size_t end);

/* ---- local.c: a whole sort by one thread. scratch: SK_LOCAL_ROOM(n) elements; src may be dst. Where by_pivots is set,
 * keys alone, all of whose bits count, need no more than SK_LOCAL_ROOM(SK_LOCAL_FEW) ---- */

#define SK_LOCAL_FEW ((size_t)1 << 17)

typedef void sk_local_sort(sk_const_columns src, sk_columns scratch, sk_columns dst, size_t n, uint64_t mask);

/* The same for keys alone of 4 or 8 bytes. from, to: the pieces of which the values in src and dst are; NULL: words. */
typedef void sk_local_values(const sk_piece *from, const sk_piece *to, const void *src, void *dst, void *scratch,
                             size_t n);

/* Up to as many keys alone may be sorted by bins: a mean bucket of 2^16 keys of 4 bytes, and some more. Rows of 32 keys
 * for each seven take more room than others need. */
#define SK_BINNED_MOST ((size_t)135 << 9)
#define SK_BINNED_ROOM(n) (4 * (n) + (n) / 4 * 3 + 512)

/* Others take two arrays of n elements. What is sorted in blocks is filled up to blocks of the same length: by a
 * quarter for wide registers, by half for narrow ones, which sort few elements so. */
#define SK_SORTED_ROOM(n) (2 * (n) + (n) / 2 + 2176)
#define SK_LOCAL_ROOM(n)                                                                   \
    ((n) <= SK_BINNED_MOST                                ? SK_BINNED_ROOM(n)              \
     : SK_SORTED_ROOM(n) < SK_BINNED_ROOM(SK_BINNED_MOST) ? SK_BINNED_ROOM(SK_BINNED_MOST) \
                                                          : SK_SORTED_ROOM(n))

/* Where sorted records go: to columns, or only their values to positions. */
typedef struct sk_records_target {
    sk_columns columns;
    uint64_t *positions;   /* or NULL */
    const sk_piece *piece; /* of which words become keys; NULL: they stay words */
    bool stream;           /* write around the caches */
} sk_records_target;

typedef struct sk_record_kernels {
    /* Stable, by the bits of the mask. scratch: SK_LOCAL_ROOM(n) elements. */
    void (*sort)(const void *records, sk_columns scratch, const sk_records_target *to, size_t n, uint64_t mask);
    void (*unpack)(const void *records, sk_columns to, size_t n);
} sk_record_kernels;

/* ---- pivot.c: keys alone, of 4 or 8 bytes. Writes the keys that are less than the pivot to the beginning of out and
 * the others behind them; returns how many are less. in may be out ---- */

typedef size_t sk_pivot_function(const void *in, void *out, size_t n, uint64_t pivot);

/* The same of the values of a piece, whose bytes are not swapped, to words. */
typedef size_t sk_pivot_values_function(const sk_piece *piece, const void *in, void *out, size_t n, uint64_t pivot);

/* ---- heavy.c: keys alone, of 4 or 8 bytes ---- */

#define SK_HEAVY_MAX 16 /* values at a time */

/* Adds to counts[v] the keys that are values[v], each another one. Moves the others together and returns their number:
 * `out` may be `in`. */
typedef size_t sk_sift_function(const void *values, unsigned count, const void *in, size_t n, void *out,
                                size_t *counts);

/* The same of one value, in one pass: all of out[0, n) becomes the value, and the others go to `others`, which lies in
 * the same array, at `out` or before. Slots between their end and out + n may become the value too. stream: around the
 * caches, unless in is out. */
typedef size_t sk_sift_one_function(const void *value, const void *in, size_t n, void *out, void *others, bool stream);

/* Writes n times the value; around the caches where stream. */
typedef void sk_fill_function(const void *value, void *out, size_t n, bool stream);

/* ---- merge.c, bitonic.c. Keys are compared by the bits of `mask`. Neither array is NULL ---- */

typedef void sk_merge_function(sk_const_columns a, size_t na, sk_const_columns b, size_t nb, sk_columns out,
                               uint64_t mask);

/* How keys compare; for words of records, with their addresses as values, also who decides if words are equal. */
typedef struct sk_merge_order {
    uint64_t mask;
    const sk_record_order *records; /* NULL: equal words are equal keys */
} sk_merge_order;

#define SK_MERGE_STEP 32

/* Merges the first m elements of the output: m is a multiple of SK_MERGE_STEP, and both arrays have m elements or more.
 * Returns how many of them come from a. */
typedef size_t sk_merge_some_function(sk_const_columns a, sk_const_columns b, sk_columns out, size_t m,
                                      const sk_merge_order *order);

/* Merges keys alone, which are in the order of their values; stream: writes around the caches. */
typedef void sk_merge_values_function(const void *a, size_t na, const void *b, size_t nb, void *out, bool stream);

typedef struct sk_merge_kernels {
    /* How many of the first `diagonal` merged elements come from a (merge path: Green, McColl and Bader 2012). */
    size_t (*path)(const void *a, size_t na, const void *b, size_t nb, size_t diagonal, uint64_t mask);
    sk_merge_function *merge;
    sk_merge_some_function *some;
} sk_merge_kernels;

/* ---- keys.c ---- */

typedef enum sk_direction { SK_RISING, SK_FALLING, SK_FALLING_STRICTLY } sk_direction;

typedef struct sk_key_kernels {
    /* Adds to `any` the bits that are set in some key, and takes from `all` those that are not in every one. */
    void (*masks)(const void *keys, size_t n, uint64_t *any, uint64_t *all);
    /* keys[0] to keys[n]: whether none is below the one before it, none is above, or each is below. */
    bool (*in_order)(const void *keys, size_t n, uint64_t mask, sk_direction direction);
} sk_key_kernels;

/* ---- encode.c ---- */

typedef struct sk_encode_kernels {
    /* As the backend's. */
    void (*encode)(const sk_word *word, size_t stride, const char *in, unsigned word_size, char *out, size_t n);
    void (*decode)(const sk_piece *piece, const char *in, char *out, size_t n);
    /* Keys to the order of a piece that is not bytes, and back, where they lie. */
    void (*order)(const sk_piece *piece, void *keys, size_t n);
    void (*order_from)(const sk_piece *piece, const void *in, void *out, size_t n); /* out does not overlap in */
    void (*value)(const sk_piece *piece, void *keys, size_t n);
} sk_encode_kernels;

/* Exchanges in[i] and in[n - 1 - i] on the way to out, for each i of the range; out may be in. */
typedef void sk_reverse_function(sk_const_columns in, sk_columns out, size_t n, sk_range range);

/* ---- fold.c: what an operator does to runs of elements ---- */

/* Elements are dealt in strips of this many bytes, and a strip's result depends on nothing else: so results, also of
 * floats, are the same bits for any number of threads. */
#define SK_STRIP_BYTES ((size_t)16 << 10)
#define SK_STRIPS 4 /* of a block, whose scans run side by side: each waits for its last result */

/* Partial results are what an operator combines: elements, but floats for sums and products of halves. */
typedef struct sk_fold {
    size_t size, partial; /* bytes of an element and of a partial result */
    void (*load)(const void *element, void *partial);
    void (*store)(const void *partials, size_t n, void *elements); /* may be in place */
    void (*identity)(void *partial);
    void (*combine)(void *left, const void *right);          /* left = left op right */
    void (*reduce)(const void *in, size_t n, void *partial); /* n > 0 */
    /* partials[r] = in[begin[r]] op ... op in[begin[r + 1] - 1], for each r < n. */
    void (*reduce_runs)(const void *in, const uint32_t *begin, size_t n, void *partials);
    /* results[s] = in[offsets[s]] op ... op in[offsets[s + 1] - 1], for each s < n; the identity of no elements. */
    void (*reduce_segments)(const void *in, const uint64_t *offsets, size_t n, void *results);
    /* Scans up to a block of strips; carry[s], a partial result, stands before strip s. out may be in. Begins anew at
     * each element whose head is not 0; heads may be NULL. */
    void (*scan)(const void *in, const uint8_t *heads, void *out, size_t n, const void *carry, scankit_scan_kind kind);
} sk_fold;

/* ---- running.c: a scan in one pass ---- */

typedef struct sk_pass {
    const void *in;
    const uint8_t *heads; /* or NULL */
    void *out;            /* may be in; where stream, a multiple of an element's size */
    size_t n;
    scankit_scan_kind kind;
    bool stream;               /* writes around the caches, and asks for what begins at `next`, as many bytes */
    const void *next;          /* may be outside of any array */
    const uint8_t *next_heads; /* likewise, where there are heads */
    void *sums;                /* of floats without heads: 64 bytes, for the sums that sk_fold has before it adds up its
                                * lanes; or NULL */
} sk_pass;

/* carry: the partial result before the elements. What is streamed is still to be ended. Sums of floats are added in
 * another order than by sk_fold. */
typedef void sk_running_function(const sk_pass *pass, const void *carry);

/* ---- steps.c: a predicate's steps, each over n values. `to` overlaps nothing else. Truths are bits of words. Operands
 * and results have room for whole words: those from n on are read too, and what is made of them is any. ---- */

#define SK_STEP_VALUES 512 /* the greatest n */

/* Which operands are blocks. An operand that is one value for all is where it points to. */
typedef enum sk_step_form { SK_STEP_OF_BLOCKS, SK_STEP_ONE_FIRST, SK_STEP_ONE_SECOND, SK_STEP_FORMS } sk_step_form;

/* The numbers that lie in one of the ranges, or outside of all. */
typedef void sk_within_function(const sk_set_range *ranges, size_t count, bool outside, const void *a, uint64_t *to,
                                size_t n);

typedef struct sk_step_kernels {
    /* Steps on truths take blocks alone. */
    void (*regular[SK_STEP_REGULAR][SK_STEP_FORMS])(const void *a, const void *b, void *to, size_t n);
    /* By scankit_type and whether the bytes are swapped: n fields that begin at in + i * stride, aligned or not. */
    void (*load[SCANKIT_BYTES][2])(const char *in, size_t stride, void *to, size_t n);
    void (*position)(uint64_t first, void *to, size_t n);
    void (*select_32)(const uint64_t *a, const void *b, const void *c, void *to, size_t n);
    void (*select_64)(const uint64_t *a, const void *b, const void *c, void *to, size_t n);
    void (*in_u64)(const sk_set_range *ranges, size_t count, const void *a, uint64_t *to, size_t n);
    void (*in_i64)(const sk_set_range *ranges, size_t count, const void *a, uint64_t *to, size_t n);
    void (*in_f64)(const sk_set_range *ranges, size_t count, const void *a, uint64_t *to, size_t n);
    sk_within_function *within_32, *within_64, *within_f32, *within_f64;
} sk_step_kernels;

/* ---- compress.c: moving the elements together that match ---- */

/* Bytes past their outputs that `move`, `places`, `positions` and sk_pick_function may write. */
#define SK_COMPRESS_SLACK ((size_t)128)

typedef struct sk_compress_kernels {
    /* mask[i / 64] has bit i % 64 set where flags[i] is not 0. */
    void (*masks)(const uint8_t *flags, size_t n, uint64_t *mask);
    /* chosen is the mask, or its complement if invert, without bits from n on; returns the number of bits set. */
    size_t (*choose)(const uint64_t *mask, size_t n, bool invert, uint64_t *chosen);
    /* Moves the elements whose bits are set. */
    void (*move)(const void *in, size_t element_size, const uint64_t *mask, size_t n, void *out);
    /* Puts first + i for each bit i that is set, in rising order; n bits. */
    void (*places)(const uint64_t *mask, size_t n, uint32_t first, uint32_t *out);
    void (*positions)(const uint64_t *mask, size_t n, uint64_t first, uint64_t *out);
    /* Copies around the caches. stream_part() does so too, but others may read it only after stream_end(). */
    void (*stream)(void *to, const void *from, size_t bytes);
    void (*stream_part)(void *to, const void *from, size_t bytes);
    void (*stream_end)(void);
} sk_compress_kernels;

/* ---- bits.c: digits of few bits ---- */

#define SK_FEW_BITS 2
#define SK_FEW_WAYS (1 << SK_FEW_BITS)
#define SK_FEW_KEYS_MOST ((size_t)4096) /* keys at a time */

/* Which elements have a digit, by digit: bit i % 64 of word i / 64, without bits from the number of elements on. */
typedef struct sk_digit_masks {
    uint64_t mask[SK_FEW_WAYS][SK_FEW_KEYS_MOST / 64];
    size_t count[SK_FEW_WAYS];
} sk_digit_masks;

/* Of n keys, by the `bits` bits from `bit` on. */
typedef void sk_find_digits_function(const void *keys, size_t n, unsigned bit, unsigned bits, sk_digit_masks *found);

/* ---- pick.c: tested and moved together in one pass ---- */

/* Whether a number and `mask` lie within ranges, as a WITHIN step has it, or outside of all. */
typedef struct sk_range_test {
    const sk_set_range *ranges;
    unsigned count; /* 1 to SK_WITHIN_RANGES */
    bool outside;
    uint64_t mask;
} sk_range_test;

/* Where elements go; NULL where not wanted. */
typedef struct sk_picked {
    char *matching, *others;
    uint64_t *positions, first; /* of the first element */
} sk_picked;

/* Tests n numbers, which may be the elements, and moves elements of the same size; returns how many match. */
typedef size_t sk_pick_function(const sk_range_test *test, const void *numbers, const void *in, size_t n,
                                const sk_picked *to);

/* ---- runs.c, expand.c: runs of equal elements ---- */

typedef struct sk_run_kernels {
    /* mask[i / 64] has bit i % 64 set where element i differs from the one before it, which of the first is what lies
     * before `in`; returns the number of bits set. */
    size_t (*heads)(const sk_runs *what, const void *in, size_t n, uint64_t *mask);
    /* to[i] = places[i + 1] - places[i] for i < n. */
    void (*lengths)(const uint32_t *places, size_t n, uint64_t *to);
} sk_run_kernels;

/* ---- heads.c: the first elements of runs, found and moved together in one pass ---- */

#define SK_HEADS_MOST ((size_t)1024) /* elements at a time */

/* Of n elements, as sk_run_kernels.heads has them: their first ones to values, and their numbers to places, in rising
 * order; each with SK_COMPRESS_SLACK bytes behind it, or NULL. Runs are expected to be long or not, which only matters
 * for the time. Returns how many begin a run. */
typedef size_t sk_pick_heads_function(const sk_runs *what, const void *in, size_t n, bool long_runs, void *values,
                                      uint32_t *places);

/* ---- run_sums.c: sums of runs of integers, as differences of running sums ---- */

typedef struct sk_run_sums {
    /* As sk_pick_heads_function, and sums[r] = total + what is summed before the r-th element that begins a run, with
     * SK_COMPRESS_SLACK bytes behind them. Then adds all to the total. */
    size_t (*pick)(const sk_runs *what, const void *in, const void *summed, size_t n, void *values, void *total,
                   void *sums);
    void (*differences)(const void *sums, size_t n, void *out); /* out[r] = sums[r + 1] - sums[r]; out may be sums */
} sk_run_sums;

/* Runs on their way back to elements. */
typedef struct sk_expansion {
    const char *value;            /* of the current run */
    uint64_t left;                /* of that */
    const uint64_t *counts, *end; /* of the runs after it */
} sk_expansion;

/* The next n elements to `out`; around the caches where stream. */
typedef void sk_expand_function(const sk_expansion *from, size_t element_size, void *out, size_t n, bool stream);

/* ---- bins.c ---- */

/* to[i] is the bin of key i, bins->count if it has none. */
typedef void sk_find_bins_function(const void *keys, size_t n, const sk_bins *bins, uint32_t *to);

/* Narrow counts, of which the caches hold more: tables, which take keys by turns, and bits of a count. Or parts, whose
 * counts fit in a cache: bins go to memory by their leading bits, and are counted later. */
typedef enum sk_count_layout {
    SK_COUNTS_4_OF_32,
    SK_COUNTS_2_OF_16,
    SK_COUNTS_1_OF_32,
    SK_COUNTS_BY_PARTS
} sk_count_layout;

/* What one thread writes: bins within their part, of 2 bytes each, in lines of SK_PART_LINE bytes. */
#define SK_PART_LINE ((size_t)128)
#define SK_PART_KEYS (SK_PART_LINE / 2)

typedef struct sk_bin_parts {
    unsigned shift;   /* bin >> shift is its part, up to 16 */
    char *lines;      /* a part's next line, aligned, */
    uint32_t *filled; /* and the bytes of it that are full */
    char *next;       /* where the next full line goes, */
    uint16_t *part;   /* and its part */
    bool stream;      /* around the caches */
    /* Neighbours of one bin are not written: this many are still to be counted. */
    uint32_t alike;
    uint64_t alike_count;
    uint64_t *counts; /* of all threads */
} sk_bin_parts;

/* Adds neighbours of one bin to the counts. */
static inline void sk_count_alike(sk_bin_parts *parts, const sk_bins *bins)
{
    if (parts->alike_count > 0 && parts->alike < bins->count)
        __atomic_fetch_add(&parts->counts[parts->alike], parts->alike_count, __ATOMIC_RELAXED);
    parts->alike_count = 0;
}

/* The most keys that narrow counts take until they are emptied. */
#define SK_KEYS_2_OF_16 (((size_t)1 << 17) - 256)
#define SK_KEYS_OF_32 ((size_t)1 << 24)

typedef struct sk_counts {
    sk_count_layout layout;
    size_t row;   /* counts of a table: the bins, and one for keys outside */
    void *narrow; /* the tables, one after the other */
    uint64_t *wide;
    sk_bin_parts *parts;
} sk_counts;

typedef struct sk_bin_kernels {
    sk_find_bins_function *find;
    /* Adds keys to counts, to narrow ones or to the wide ones; or to parts. */
    void (*count)(const void *keys, size_t n, const sk_bins *bins, const sk_counts *to);
    /* Moves the narrow counts to the wide ones. */
    void (*empty)(const sk_counts *from);
} sk_bin_kernels;

/* ---- image/: rows of images ---- */

#define SK_TABLE_ROWS 4    /* of a summed-area table that are made together */
#define SK_TABLE_CARRY 128 /* bytes of a row's sums so far, and of its last register */
#define SK_TABLE_PART 3840 /* bytes of a row at a time, at most */

/* Columns of some rows of a table. */
typedef struct sk_table_part {
    const char *in;   /* may be out, where types are the same */
    const char *next; /* what is read next, with the same pitch: it comes nearer meanwhile */
    char *out;
    size_t in_pitch, out_pitch;
    size_t n;    /* elements of a row: whole registers of 64 bytes and whole pixels, unless the rows end */
    char *above; /* the row of the table above, which becomes the last one here; room for whole registers of 64 bytes */
    char *carry; /* SK_TABLE_CARRY bytes a row: 0 where the row begins, else as the part before left them */
    bool begins, ends; /* the rows begin, and end, here */
    bool stream;       /* writes groups of SK_TABLE_ROWS around the caches; the end is still to come */
} sk_table_part;

typedef void sk_table_function(const sk_table_part *part, unsigned rows); /* at most SK_TABLE_ROWS */

/* Elements of u8, u16, f16 or f32, as others. */
typedef void sk_widen_function(const void *in, void *out, size_t n);

#define SK_CHANNEL_LANES 12 /* all numbers of channels divide it: lane l sums channel l % channels */

/* Adds elements to sums: element i to lane i % SK_CHANNEL_LANES. */
typedef void sk_add_lanes_function(const void *in, size_t n, void *sums);

/* out gets the transpose of a tile of rows x columns elements. What lies `ahead` bytes behind the tile, if any, comes
 * nearer meanwhile. */
typedef void sk_transpose_function(const char *in, size_t in_pitch, char *out, size_t out_pitch, size_t rows,
                                   size_t columns, size_t size, size_t ahead);

/* Division by an area: sum * scale / area. The rest serves integers: to the nearest, halves up. */
typedef struct sk_box_divisor {
    double area, scale, inverse; /* of twice the area */
    uint32_t half;               /* of the area */
    unsigned up, first, second;  /* shifts */
    uint64_t multiplier;
    bool by_floats; /* u8: means by floats of sums less the middle are exact */
    int32_t middle;
    float narrow_inverse;
} sk_box_divisor;

#define SK_BOX_CARRY 64 /* bytes of a register of sums */
#define SK_BOX_ROWS 2   /* of a pass, at most */

typedef void sk_box_windows_function(const void *enter, const void *leave, void *carry, void *sums, size_t n);
typedef void sk_box_means_function(const void *sums, const sk_box_divisor *by, void *out, size_t n);

/* Lines to write around the caches: `to` begins one. */
typedef struct sk_lines {
    char *to;
    const char *from;
    size_t bytes;
} sk_lines;

/* A row of means in the making. */
typedef struct sk_box_row {
    const char *next, *last; /* rows of pixels: one enters the windows, one leaves them */
    const char *above;       /* sums of columns that enter windows of the row above */
    char *columns;           /* where the sums of this row go; may be the same */
    const char *leave;       /* sums of columns that leave, which may lie in columns that were moved before */
    void *carry;
    sk_lines due; /* as many bytes as the means have are written meanwhile */
    char *means;
} sk_box_row;

/* slide(), windows() and means() of n elements, a multiple of 192, of some rows. The columns of a row are above the
 * next row. What lies `ahead` bytes behind rows of pixels comes nearer meanwhile. */
typedef void sk_box_pass_function(const sk_box_row *rows, size_t ahead, const sk_box_divisor *by, size_t n);

/* Steps of a box filter, over n elements of a row. Sums of columns are u16, u32, u64 or f64. Sums of windows have the
 * same type, and u32 where columns are u16. windows() and means() read and write whole registers of 64 bytes. */
typedef struct sk_box_steps {
    /* Adds weight times the row. What lies `ahead` bytes behind it comes nearer meanwhile. */
    void (*add)(const void *row, int64_t weight, void *columns, size_t n, size_t ahead);
    /* columns = above + next - last, where both may be the same. */
    void (*slide)(const void *next, const void *last, const void *above, void *columns, size_t n, size_t ahead);
    /* Sets the carry to the sum of each channel of some columns, each counted so often. */
    void (*weigh)(const void *columns, const uint32_t *counts, size_t pixels, unsigned channels, void *carry);
    /* sums[i] = sums[i - channels] + enter[i] - leave[i], where the first ones are the carry, which goes on to the next
     * elements: n is a multiple of 192 unless none follow. */
    sk_box_windows_function *windows;
    /* u64 and f64: sums[i] = SK_BOX_UNIT * sums[i] + part * (enter[i + channels] + leave[i]) */
    void (*spread)(const void *enter, const void *leave, unsigned channels, int64_t part, void *sums, size_t n);
    sk_box_divisor (*divisor)(uint64_t area, int shift); /* scale = 2^shift */
    /* u32: sum * scale + area / 2 is below 2^32. u64: twice that is below 2^53. */
    sk_box_means_function *means;
    sk_box_pass_function *pass; /* or NULL; where u8 is divided, by.by_floats */
    unsigned rows;              /* of a pass: 1 to SK_BOX_ROWS */
    unsigned least;             /* bytes of the columns of a window, from which on the pass is faster */
} sk_box_steps;

/* Rows of n values as light that is linear in them, and back: sk_linear_decode(), sk_linear_encode(). */
typedef struct sk_light_kernels {
    void (*decode_u8)(const void *values, float *light, size_t n);
    void (*decode_u16)(const void *values, float *light, size_t n);
    void (*encode_u8)(const float *light, void *values, size_t n);
    void (*encode_u16)(const float *light, void *values, size_t n);
    void (*halve[4])(const float *row, float *means, size_t n); /* of pixels 2 i and 2 i + 1, by channels - 1 */
    void (*mean)(const float *a, const float *b, float *means, size_t n);
} sk_light_kernels;

typedef struct sk_kernels {
    const sk_partition_kernels *partition;               /* by row */
    sk_scatter_records_function *const *scatter_records; /* by row; NULL: not this shape */
    const sk_staged_kernels *staged;                     /* by the logarithm of a key's size */
    sk_move_blocks_function *move_blocks;
    sk_local_sort *const *local;          /* by row */
    sk_local_values *const *local_values; /* by the logarithm of a key's size */
    /* Says if even keys of 4 or 8 bytes are sorted by bins from now on; at first they are not. NULL: never. */
    void (*use_bins)(unsigned key_size, bool yes);
    const sk_record_kernels *records;       /* by row; NULL: records are not sorted */
    bool in_registers;                      /* local sorts keys alone of 4 and 8 bytes by networks in registers */
    bool by_pivots;                         /* local partitions more than few of these in place */
    sk_pivot_function *pivot_32, *pivot_64; /* or NULL */
    sk_pivot_values_function *pivot_values_32, *pivot_values_64;
    sk_sift_function *sift_32, *sift_64;
    sk_sift_one_function *sift_one_32, *sift_one_64;
    sk_fill_function *fill_32, *fill_64;
    const sk_merge_kernels *merge;              /* by row */
    sk_merge_function *bitonic_32, *bitonic_64; /* keys alone, all bits */
    sk_merge_some_function *bitonic_some_32, *bitonic_some_64;
    sk_merge_values_function *const *merge_values_32, *const *merge_values_64; /* by sk_piece_kind, of numbers */
    sk_merge_some_function *merge_records;                                     /* of shape 64, 64 */
    const sk_key_kernels *keys;                                                /* by the logarithm of a key's size */
    const sk_encode_kernels *encode;
    sk_reverse_function *const *reverse;                            /* by row */
    const sk_fold *(*fold)(scankit_type type, scankit_operator op); /* NULL: the type has no such operator */
    /* NULL: this type and operator have none. */
    sk_running_function *(*running)(scankit_type type, scankit_operator op, bool segmented);
    const sk_step_kernels *steps;
    const sk_compress_kernels *compress;
    sk_find_digits_function *const *find_digits;  /* by the logarithm of a key's size */
    sk_pick_function *(*pick)(sk_step_code code); /* NULL: go step by step */
    const sk_run_kernels *runs;
    sk_pick_heads_function *pick_heads;
    const sk_run_sums *(*run_sums)(scankit_type type, scankit_operator op); /* or NULL */
    sk_expand_function *expand;
    const sk_bin_kernels *(*bins)(scankit_type type, scankit_binning kind);
    sk_box_steps (*box)(scankit_type pixels, scankit_type columns, unsigned channels, scankit_type results);
    /* Of u32, u64, f32 and f64, and of some types that are widened on the way; or NULL. */
    sk_table_function *(*table)(scankit_type from, scankit_type to, unsigned channels);
    sk_widen_function *(*widen)(scankit_type from, scankit_type to); /* NULL: the types are the same */
    sk_add_lanes_function *add_lanes_u32, *add_lanes_f64;            /* to sums of u64, and of f64 */
    sk_transpose_function *(*transpose)(size_t size);
    /* Copies rows of that many bytes around the caches; the end is still to come. */
    void (*stream_rows)(const char *in, size_t in_pitch, char *out, size_t out_pitch, size_t rows, size_t bytes);
    const sk_light_kernels *light;
} sk_kernels;

/* Defined by this instruction set's files, for its table. */
#ifdef SK_ISA
extern const sk_partition_kernels SK_ISA_NAME(sk_partition_table)[];
extern sk_scatter_records_function *const SK_ISA_NAME(sk_scatter_records_table)[];
extern const sk_record_kernels SK_ISA_NAME(sk_record_table)[]; /* with AVX-512 alone */
extern const sk_staged_kernels SK_ISA_NAME(sk_staged_table)[];
extern sk_move_blocks_function SK_ISA_NAME(sk_move_blocks);
extern sk_local_sort *const SK_ISA_NAME(sk_local_table)[];
extern sk_local_values *const SK_ISA_NAME(sk_local_values_table)[];
void SK_ISA_NAME(sk_use_bins)(unsigned key_size, bool yes);
extern sk_sift_function SK_ISA_NAME(sk_sift_32), SK_ISA_NAME(sk_sift_64);
extern sk_sift_one_function SK_ISA_NAME(sk_sift_one_32), SK_ISA_NAME(sk_sift_one_64);
extern sk_fill_function SK_ISA_NAME(sk_fill_32), SK_ISA_NAME(sk_fill_64);
extern const sk_merge_kernels SK_ISA_NAME(sk_merge_table)[];
/* network.c: sorts n keys, at most SK_NETWORK_KEYS; in may be out. from and to as of local_values, without swaps. */
void SK_ISA_NAME(sk_network_32)(const sk_piece *from, const sk_piece *to, const void *in, void *out, size_t n);
void SK_ISA_NAME(sk_network_64)(const sk_piece *from, const sk_piece *to, const void *in, void *out, size_t n);
/* The same, for more than SK_NETWORK_KEYS. scratch: SK_LOCAL_ROOM(n) keys. */
void SK_ISA_NAME(sk_merge_sort_32)(const sk_piece *from, const sk_piece *to, const void *in, void *out, size_t n,
                                   void *scratch);
void SK_ISA_NAME(sk_merge_sort_64)(const sk_piece *from, const sk_piece *to, const void *in, void *out, size_t n,
                                   void *scratch);
/* network.c: sorts as many keys as a register has lanes or more, up to SK_BINNED_MOST; in may be out. to: as of
 * local_values, without swaps. scratch: SK_LOCAL_ROOM(n) keys. Returns false, and has written nothing to out, if keys
 * are not spread evenly over their range. With AVX-512 alone. */
bool SK_ISA_NAME(sk_bin_sort_32)(const sk_piece *to, const void *in, void *out, size_t n, void *scratch);
bool SK_ISA_NAME(sk_bin_sort_64)(const sk_piece *to, const void *in, void *out, size_t n, void *scratch);
/* dense.c: sorts fewer than 2^32 keys of [least, least + range) in their place. */
#define SK_DENSE_RANGE ((size_t)1 << 10) /* the greatest range */
void SK_ISA_NAME(sk_dense_32)(void *keys, size_t n, uint64_t least, size_t range);
void SK_ISA_NAME(sk_dense_64)(void *keys, size_t n, uint64_t least, size_t range);
extern sk_pivot_function SK_ISA_NAME(sk_pivot_32), SK_ISA_NAME(sk_pivot_64);
extern sk_pivot_values_function SK_ISA_NAME(sk_pivot_values_32), SK_ISA_NAME(sk_pivot_values_64);
extern sk_merge_function SK_ISA_NAME(sk_bitonic_32), SK_ISA_NAME(sk_bitonic_64);
extern sk_merge_some_function SK_ISA_NAME(sk_bitonic_some_32), SK_ISA_NAME(sk_bitonic_some_64);
extern sk_merge_values_function *const SK_ISA_NAME(sk_merge_values_32)[], *const SK_ISA_NAME(sk_merge_values_64)[];
extern sk_merge_some_function SK_ISA_NAME(sk_merge_records);
extern const sk_key_kernels SK_ISA_NAME(sk_key_table)[];
extern const sk_encode_kernels SK_ISA_NAME(sk_encode_kernels);
extern sk_reverse_function *const SK_ISA_NAME(sk_reverse_table)[];
const sk_fold *SK_ISA_NAME(sk_fold)(scankit_type type, scankit_operator op);
sk_running_function *SK_ISA_NAME(sk_running)(scankit_type type, scankit_operator op, bool segmented);
extern const sk_step_kernels SK_ISA_NAME(sk_steps);
extern const sk_compress_kernels SK_ISA_NAME(sk_compress);
extern sk_find_digits_function *const SK_ISA_NAME(sk_find_digits)[];
sk_pick_function *SK_ISA_NAME(sk_pick)(sk_step_code code);
extern const sk_run_kernels SK_ISA_NAME(sk_run_kernels);
extern sk_pick_heads_function SK_ISA_NAME(sk_pick_heads);
const sk_run_sums *SK_ISA_NAME(sk_run_sums)(scankit_type type, scankit_operator op);
extern sk_expand_function SK_ISA_NAME(sk_expand);
const sk_bin_kernels *SK_ISA_NAME(sk_bin_kernels_of)(scankit_type type, scankit_binning kind);
sk_box_steps SK_ISA_NAME(sk_box_steps_of)(scankit_type pixels, scankit_type columns, unsigned channels,
                                          scankit_type results);
sk_table_function *SK_ISA_NAME(sk_table)(scankit_type from, scankit_type to, unsigned channels);
sk_widen_function *SK_ISA_NAME(sk_widen)(scankit_type from, scankit_type to);
extern sk_add_lanes_function SK_ISA_NAME(sk_add_lanes_u32), SK_ISA_NAME(sk_add_lanes_f64);
sk_transpose_function *SK_ISA_NAME(sk_transpose)(size_t size);
void SK_ISA_NAME(sk_stream_rows)(const char *in, size_t in_pitch, char *out, size_t out_pitch, size_t rows,
                                 size_t bytes);
extern const sk_light_kernels SK_ISA_NAME(sk_light_kernels);
#endif

extern const sk_kernels sk_kernels_base, sk_kernels_avx2, sk_kernels_avx512;

#endif
