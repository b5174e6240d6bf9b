/* reduce_short.c - short runs by a segmented scan: the result of a run's last element is the run's. Or by a plain one,
 * if it adds up integers: a run's sum is the difference of two results. One run after the other, a processor guesses
 * where each ends: wrongly, if lengths change. */
#include "reduce_short.h"

#define BLOCK ((size_t)1024) /* elements that are scanned together, at most */
#define PROBED ((size_t)16)  /* runs whose lengths tell about as many as are then reduced one after the other */
#define REDUCED ((size_t)64)

/* Runs are short up to this length on average, and guessed wrongly if one of CHANGES is not as long as the one before.
 * One thread of a Zen 4 adds f32 in runs of 2, 8 and 16 on average in 0.9, 0.4 and 0.4 ns an element by scans, and in
 * 4.1, 1.3 and 0.7 one after the other. */
#define SHORT 24
#define CHANGES 4

/* Runs from some element on. */
typedef struct block {
    uint8_t heads[BLOCK + 64]; /* by element: 1 where a run begins */
    size_t runs, elements;
} block;

/* Place i of an array of words of that size. */
SK_INLINE size_t place(const void *places, size_t size, size_t i)
{
    return size == 4 ? ((const uint32_t *)places)[i] : ((const uint64_t *)places)[i];
}

SK_INLINE bool is_worth_a_scan(const void *begin, size_t size)
{
    size_t changes = 0;
    for (size_t r = 1; r < PROBED; r++) {
        const size_t middle = place(begin, size, r);
        changes += middle - place(begin, size, r - 1) != place(begin, size, r + 1) - middle;
    }
    return changes * CHANGES > PROBED && place(begin, size, PROBED) - place(begin, size, 0) <= SHORT * PROBED;
}

/* Takes whole runs, as many as a block has room for. */
SK_INLINE void take_runs(block *to, const void *begin, size_t size, size_t n)
{
    const size_t first = place(begin, size, 0);
    to->runs = to->elements = 0;
    while (to->runs < n) {
        const size_t end = place(begin, size, to->runs + 1) - first;
        to->heads[to->elements] = 1;
        if (end > BLOCK)
            return;
        to->elements = end;
        to->runs++;
    }
}

/* To each run the last of its results, without a branch. Before them lies what no elements come to. */
#define PICK(bytes)                                                                                     \
    case bytes:                                                                                         \
        for (size_t r = 0; r < runs; r++) {                                                             \
            const size_t from = place(begin, size, r) - first, end = place(begin, size, r + 1) - first; \
            const size_t last = end & (0 - (size_t)(end > from));                                       \
            memcpy(to + r * (bytes), scanned + last * (bytes) - (bytes), bytes);                        \
        }                                                                                               \
        return;

SK_INLINE void pick_results(const void *begin, size_t size, size_t runs, const char *scanned, size_t element_size,
                            char *to)
{
    const size_t first = place(begin, size, 0);
    switch (element_size) {
        PICK(1)
        PICK(2)
        PICK(4)
        PICK(8)
    default:;
    }
}

/* To each run the difference of the results before it and of its last element. */
#define DIFFER(T)                                                                                       \
    case sizeof(T):                                                                                     \
        for (size_t r = 0; r < runs; r++) {                                                             \
            const size_t from = place(begin, size, r) - first, end = place(begin, size, r + 1) - first; \
            T before, all;                                                                              \
            memcpy(&before, sums + from * sizeof(T), sizeof before);                                    \
            memcpy(&all, sums + end * sizeof(T), sizeof all);                                           \
            all = (T)(all - before);                                                                    \
            memcpy(to + r * sizeof(T), &all, sizeof all);                                               \
        }                                                                                               \
        return;

SK_INLINE void find_differences(const void *begin, size_t size, size_t runs, const char *scanned, size_t element_size,
                                char *to)
{
    const size_t first = place(begin, size, 0);
    const char *sums = scanned - element_size;
    switch (element_size) {
        DIFFER(uint8_t)
        DIFFER(uint16_t)
        DIFFER(uint32_t)
        DIFFER(uint64_t)
    default:;
    }
}

SK_INLINE void scan_runs(const sk_reducer *by, const block *of, const void *in, const void *begin, size_t size,
                         void *results)
{
    const size_t each = by->fold->size;
    const char *from = (const char *)in + place(begin, size, 0) * each;
    _Alignas(64) char room[64 + BLOCK * sizeof(uint64_t)];
    char *scanned = room + 64, *none = scanned - each;
    by->fold->identity(none);
    if (by->running == NULL) {
        by->fold->scan(from, NULL, scanned, of->elements, none, SCANKIT_INCLUSIVE);
        find_differences(begin, size, of->runs, scanned, each, results);
        return;
    }
    const sk_pass pass = {.in = from, .heads = of->heads, .out = scanned, .n = of->elements, .kind = SCANKIT_INCLUSIVE};
    by->running(&pass, none);
    pick_results(begin, size, of->runs, scanned, each, results);
}

/* size: of a place. */
SK_INLINE void reduce(const sk_reducer *by, const void *in, const void *begin, size_t size, size_t n, void *results)
{
    block runs = {0};
    for (size_t done = 0, some; done < n; done += some) {
        const char *from = (const char *)begin + done * size;
        char *to = (char *)results + done * by->fold->size;
        some = sk_min(REDUCED, n - done);
        if (some > PROBED && is_worth_a_scan(from, size)) {
            take_runs(&runs, from, size, n - done);
            scan_runs(by, &runs, in, from, size, to);
            memset(runs.heads, 0, runs.elements + 1);
            some = runs.runs;
        } else if (size == sizeof(uint32_t)) {
            by->fold->reduce_runs(in, (const void *)from, some, to);
        } else {
            by->fold->reduce_segments(in, (const void *)from, some, to);
        }
    }
}

sk_reducer sk_reducer_of(const sk_kernels *kernels, scankit_type type, scankit_operator op)
{
    sk_reducer by = {.fold = kernels->fold(type, op)};
    if (by.fold != NULL && by.fold->partial == by.fold->size)
        by.running = kernels->running(type, op, true);
    by.scans = by.running != NULL || (op == SCANKIT_SUM && !sk_is_float(type));
    return by;
}

void sk_reduce_runs(const sk_reducer *by, const void *in, const uint32_t *begin, size_t n, void *partials)
{
    if (by->scans)
        reduce(by, in, begin, sizeof *begin, n, partials);
    else
        by->fold->reduce_runs(in, begin, n, partials);
}

void sk_reduce_segments(const sk_reducer *by, const void *in, const uint64_t *offsets, size_t n, void *results)
{
    if (by->scans)
        reduce(by, in, offsets, sizeof *offsets, n, results);
    else
        by->fold->reduce_segments(in, offsets, n, results);
}
