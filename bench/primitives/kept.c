/* kept.c - see kept.h. */
#include "kept.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t)1 << 20)

/* flags[i] is 1 if element i matches, else 0. */
#define X(name, type, ctype, label, expression)                       \
    static void flag_##name(const char *in, uint8_t *flags, size_t n) \
    {                                                                 \
        for (size_t i = 0; i < n; i++) {                              \
            ctype x;                                                  \
            memcpy(&x, in + i * sizeof x, sizeof x);                  \
            flags[i] = (expression) ? 1 : 0;                          \
        }                                                             \
    }
PREDICATES(X)
#undef X

static const struct {
    scankit_type type;
    const char *label, *text;
    void (*flag)(const char *in, uint8_t *flags, size_t n);
} predicates[] = {
#define X(name, type, ctype, label, expression) {SCANKIT_##type, label, #expression, flag_##name},
    PREDICATES(X)
#undef X
};

scankit_type predicate_type(predicate_id predicate)
{
    return predicates[predicate].type;
}

const char *predicate_label(predicate_id predicate)
{
    return predicates[predicate].label;
}

const char *predicate_text(predicate_id predicate)
{
    return predicates[predicate].text;
}

/* A walk over job->in, block by block. */
typedef struct kept_walk {
    const bench_state *bench;
    const bench_job *job;
    size_t size, at, n; /* the block: elements [at, at + n) */
    char *block;
    uint8_t *flags;
    char *expected, *found; /* 8 bytes for each element of the block */
} kept_walk;

static kept_walk walk_open(const bench_state *bench, const bench_job *job)
{
    kept_walk walk = {.bench = bench, .job = job, .size = scankit_type_size(job->type)};
    walk.block = bench_allocate(BLOCK * walk.size);
    walk.flags = bench_allocate(BLOCK);
    walk.expected = bench_allocate(BLOCK * sizeof(uint64_t));
    walk.found = bench_allocate(BLOCK * sizeof(uint64_t));
    return walk;
}

/* Loads the next block and its flags. Returns false at the end. */
static bool walk_next(kept_walk *walk)
{
    const bench_job *job = walk->job;
    walk->at += walk->n;
    walk->n = job->n - walk->at < BLOCK ? job->n - walk->at : BLOCK;
    const char *from = (const char *)job->in + walk->at * walk->size;
    bench_try(walk->bench, scankit_download(walk->bench->context, walk->block, from, walk->n * walk->size), "download");
    predicates[job->predicate].flag(walk->block, walk->flags, walk->n);
    return walk->n > 0;
}

static void walk_close(kept_walk *walk)
{
    free(walk->block);
    free(walk->flags);
    free(walk->expected);
    free(walk->found);
}

void kept_load_flags(const bench_state *bench, const bench_job *job, void *flags)
{
    kept_walk walk = walk_open(bench, job);
    while (walk_next(&walk))
        bench_try(bench, scankit_upload(bench->context, (char *)flags + walk.at, walk.flags, walk.n), "upload");
    walk_close(&walk);
}

/* Writes the block's share of the part to walk->expected. Returns its number of elements. */
static size_t expect(kept_walk *walk, kept_part part)
{
    uint8_t wanted = part != KEPT_OTHERS;
    size_t count = 0;
    for (size_t i = 0; i < walk->n; i++) {
        if (walk->flags[i] != wanted)
            continue;
        uint64_t position = walk->at + i;
        if (part == KEPT_POSITIONS)
            memcpy(walk->expected + count * sizeof position, &position, sizeof position);
        else
            memcpy(walk->expected + count * walk->size, walk->block + i * walk->size, walk->size);
        count++;
    }
    return count;
}

bool kept_is_right(const bench_state *bench, const bench_job *job, kept_part part, const void *found, size_t count)
{
    kept_walk walk = walk_open(bench, job);
    size_t size = part == KEPT_POSITIONS ? sizeof(uint64_t) : walk.size, done = 0;
    bool same = true;
    while (walk_next(&walk)) {
        size_t bytes = expect(&walk, part) * size;
        const char *from = (const char *)found + done;
        bench_try(bench, scankit_download(bench->context, walk.found, from, bytes), "download");
        same = same && memcmp(walk.expected, walk.found, bytes) == 0;
        done += bytes;
    }
    walk_close(&walk);
    return same && done / size == (part == KEPT_OTHERS ? job->n - count : count);
}
