/* runs.c - see runs.h: walks through the elements and through the results side by side. */
#include "runs.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t)1 << 20)

/* A walk through an array in device memory, block by block. */
typedef struct runs_walk {
    const bench_state *bench;
    const char *from;           /* NULL: an empty walk */
    size_t size, n, at, loaded; /* bytes of an element; elements in all, passed, downloaded */
    char *block;
} runs_walk;

static runs_walk walk_open(const bench_state *bench, const void *from, size_t size, size_t n)
{
    runs_walk walk = {.bench = bench, .from = from, .size = size, .n = n};
    if (from != NULL)
        walk.block = bench_allocate(BLOCK * size);
    return walk;
}

/* The next element as a number; 0 at the end. */
static uint64_t walk_next(runs_walk *walk)
{
    uint64_t value = 0;
    if (walk->from == NULL || walk->at == walk->n)
        return 0;
    if (walk->at == walk->loaded) {
        size_t some = walk->n - walk->at < BLOCK ? walk->n - walk->at : BLOCK;
        bench_try(
            walk->bench,
            scankit_download(walk->bench->context, walk->block, walk->from + walk->at * walk->size, some * walk->size),
            "download");
        walk->loaded += some;
    }
    memcpy(&value, walk->block + walk->at++ % BLOCK * walk->size, walk->size);
    return value;
}

/* The elements beside the results. */
typedef struct runs_check {
    runs_walk elements, summed, values, counts, sums;
    size_t runs;
    bool same;
} runs_check;

/* Compares the next results with a run of the elements. */
static void check_run(runs_check *check, uint64_t value, uint64_t count, uint32_t sum)
{
    check->runs++;
    check->same = check->same && (check->values.from == NULL || walk_next(&check->values) == value) &&
                  (check->counts.from == NULL || walk_next(&check->counts) == count) &&
                  (check->sums.from == NULL || walk_next(&check->sums) == sum);
}

bool runs_are_right(const bench_state *bench, const bench_job *job, const runs_found *found)
{
    size_t size = scankit_type_size(job->type), runs = found->runs;
    runs_check check = {.same = true,
                        .elements = walk_open(bench, found->elements, size, job->n),
                        .summed = walk_open(bench, found->summed, sizeof(uint32_t), job->n),
                        .values = walk_open(bench, found->values, size, runs),
                        .counts = walk_open(bench, found->counts, sizeof(uint64_t), runs),
                        .sums = walk_open(bench, found->sums, sizeof(uint32_t), runs)};
    uint64_t value = walk_next(&check.elements), count = 1;
    uint32_t sum = (uint32_t)walk_next(&check.summed);
    for (size_t i = 1; i < job->n; i++) {
        uint64_t next = walk_next(&check.elements);
        uint32_t added = (uint32_t)walk_next(&check.summed);
        if (next != value) {
            check_run(&check, value, count, sum);
            value = next;
            count = sum = 0;
        }
        count++;
        sum += added;
    }
    check_run(&check, value, count, sum);
    char *blocks[] = {check.elements.block, check.summed.block, check.values.block, check.counts.block,
                      check.sums.block};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]);
    return check.same && check.runs == runs;
}
