/* work.c - see work.h */
#include "work.h"

#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/tap.h"

#define N ((size_t)1 << 24)
#define BYTES (N * sizeof(uint32_t))

/* ---- the calls: each sets how many bytes of `out` and of `more` are its result ---- */

typedef struct extent {
    size_t out, more;
} extent;

static void did(work_place *p, scankit_error error)
{
    p->failed = p->failed || error != SCANKIT_OK;
}

static extent scan_narrow(work_place *p)
{
    did(p, scankit_scan(p->context, SCANKIT_U32, SCANKIT_SUM, SCANKIT_EXCLUSIVE, NULL, p->in, p->out, N));
    return (extent){BYTES, 0};
}

static extent scan_wide(work_place *p)
{
    did(p, scankit_scan(p->context, SCANKIT_U64, SCANKIT_AFFINE, SCANKIT_INCLUSIVE, NULL, p->in, p->out, N / 2));
    return (extent){BYTES, 0};
}

static extent reduce(work_place *p)
{
    uint32_t sum = 0;
    did(p, scankit_reduce(p->context, SCANKIT_U32, SCANKIT_SUM, p->in, &sum, N));
    did(p, scankit_upload(p->context, p->out, &sum, sizeof sum));
    return (extent){sizeof sum, 0};
}

static extent segmented_scan(work_place *p)
{
    did(p, scankit_segmented_scan(p->context, SCANKIT_U32, SCANKIT_SUM, SCANKIT_EXCLUSIVE, NULL, p->in,
                                  (const uint8_t *)p->beside, p->out, N));
    return (extent){BYTES, 0};
}

/* The offsets of the segments between flags. */
static extent segmented_reduce(work_place *p)
{
    size_t count = 0;
    did(p, scankit_compact_flags_positions(p->context, (const uint8_t *)p->beside, p->more, N, NULL, &count));
    did(p, scankit_segmented_reduce(p->context, SCANKIT_U32, SCANKIT_SUM, p->in, p->more, p->out, count - 1));
    return (extent){(count - 1) * sizeof(uint32_t), 0};
}

/* Not "auto": it could compile beside the neighbour, and loading code waits for running kernels. */
static const scankit_compact_options interpreted = {.evaluation = SCANKIT_INTERPRET};

static extent compact(work_place *p, scankit_evaluation evaluation)
{
    const scankit_compact_options options = {.evaluation = evaluation};
    size_t count = 0;
    did(p, scankit_copy(p->context, p->out, p->in, BYTES));
    scankit_error error = scankit_compact(p->context, p->predicate, p->out, p->out, N, &options, &count);
    if (evaluation == SCANKIT_COMPILE && error == SCANKIT_E_NO_DEVICE) /* no compiler here */
        return compact(p, SCANKIT_INTERPRET);
    did(p, error);
    return (extent){count * sizeof(uint32_t), 0};
}

static extent compact_interpreted(work_place *p)
{
    return compact(p, SCANKIT_INTERPRET);
}

static extent compact_compiled(work_place *p)
{
    return compact(p, SCANKIT_COMPILE);
}

static extent compact_flags(work_place *p)
{
    size_t count = 0;
    did(p, scankit_copy(p->context, p->out, p->in, BYTES));
    did(p, scankit_compact_flags(p->context, sizeof(uint32_t), p->out, (const uint8_t *)p->beside, p->out, N, NULL,
                                 &count));
    return (extent){count * sizeof(uint32_t), 0};
}

static extent split_predicate(work_place *p)
{
    size_t count = 0;
    did(p, scankit_split_predicate(p->context, p->predicate, p->in, p->out, p->more, N, &interpreted, &count));
    return (extent){count * sizeof(uint32_t), (N - count) * sizeof(uint32_t)};
}

static extent positions(work_place *p)
{
    size_t count = 0;
    did(p, scankit_compact_positions(p->context, p->predicate, p->in, p->more, N, &interpreted, &count));
    return (extent){0, count * sizeof(uint64_t)};
}

static extent split_flags(work_place *p)
{
    did(p, scankit_split_flags(p->context, sizeof(uint32_t), p->in, (const uint8_t *)p->beside, p->out, N, NULL));
    return (extent){BYTES, 0};
}

static extent encode(work_place *p)
{
    size_t runs = 0;
    did(p, scankit_run_length_encode(p->context, sizeof(uint32_t), p->in, p->out, p->more, N, NULL, &runs));
    return (extent){runs * sizeof(uint32_t), runs * sizeof(uint64_t)};
}

static extent unique(work_place *p)
{
    size_t runs = 0;
    did(p, scankit_copy(p->context, p->out, p->in, BYTES));
    did(p, scankit_unique(p->context, sizeof(uint32_t), p->out, p->out, N, NULL, &runs));
    return (extent){runs * sizeof(uint32_t), 0};
}

static extent reduce_by_key(work_place *p)
{
    size_t runs = 0;
    did(p, scankit_reduce_by_key(p->context, sizeof(uint32_t), p->in, SCANKIT_U32, SCANKIT_SUM, p->beside, p->out,
                                 p->more, N, NULL, &runs));
    return (extent){runs * sizeof(uint32_t), runs * sizeof(uint32_t)};
}

static extent split_digit(work_place *p)
{
    did(p, scankit_split(p->context, SCANKIT_U32, p->in, p->out, N, 8, 8, NULL));
    return (extent){BYTES, 0};
}

static extent sort_by(work_place *p, scankit_algorithm algorithm)
{
    const scankit_sort_options options = {.algorithm = algorithm};
    did(p, scankit_sort(p->context, SCANKIT_U32, p->in, p->out, N, &options));
    return (extent){BYTES, 0};
}

static extent sort_hybrid(work_place *p)
{
    return sort_by(p, SCANKIT_HYBRID);
}

static extent sort_radix(work_place *p)
{
    return sort_by(p, SCANKIT_RADIX);
}

static extent sort_chunk_merge(work_place *p)
{
    return sort_by(p, SCANKIT_CHUNK_MERGE);
}

static extent sort_wide(work_place *p)
{
    did(p, scankit_sort(p->context, SCANKIT_F64, p->in, p->out, N / 2, NULL));
    return (extent){BYTES, 0};
}

static extent sort_pairs(work_place *p)
{
    did(p, scankit_sort_pairs(p->context, SCANKIT_U32, p->in, p->out, sizeof(uint32_t), p->beside, p->more, N, NULL));
    return (extent){BYTES, BYTES};
}

static extent argsort(work_place *p)
{
    did(p, scankit_argsort(p->context, SCANKIT_U32, p->in, p->more, N, NULL));
    return (extent){0, N * sizeof(uint64_t)};
}

static extent merge(work_place *p)
{
    uint32_t *halves = p->more;
    did(p, scankit_sort(p->context, SCANKIT_U32, p->in, halves, N / 2, NULL));
    did(p, scankit_sort(p->context, SCANKIT_U32, p->in + N / 2, halves + N / 2, N / 2, NULL));
    did(p, scankit_merge(p->context, SCANKIT_U32, halves, N / 2, halves + N / 2, N / 2, p->out, NULL));
    return (extent){BYTES, 0};
}

/* Workspace, as stated in scankit.h. */
#define MIB ((size_t)1 << 20)
#define A_TILE (N / 4096 * 16)
#define DIGITS (N / 3584 * 1024)
#define SORT (BYTES + BYTES / 5 * 3 + 40 * MIB)

static const struct {
    const char *name;
    extent (*run)(work_place *place);
    size_t space;
} jobs[] = {
    {"scan of u32", scan_narrow, A_TILE},
    {"scan of u64", scan_wide, A_TILE},
    {"reduce", reduce, MIB / 16},
    {"segmented scan", segmented_scan, A_TILE},
    {"segmented reduce", segmented_reduce, A_TILE + MIB / 16},
    {"compact in place, interpreted", compact_interpreted, A_TILE},
    {"compact in place, compiled", compact_compiled, A_TILE},
    {"compact by flags in place", compact_flags, A_TILE},
    {"split by a predicate", split_predicate, A_TILE},
    {"positions", positions, A_TILE},
    {"split by flags", split_flags, A_TILE},
    {"run-length encode", encode, A_TILE},
    {"unique in place", unique, A_TILE},
    {"reduce by key", reduce_by_key, A_TILE},
    {"split by a digit", split_digit, DIGITS},
    {"hybrid sort", sort_hybrid, SORT},
    {"radix sort", sort_radix, SORT},
    {"chunk-merge sort", sort_chunk_merge, SORT},
    {"sort of f64", sort_wide, SORT},
    {"sort of pairs", sort_pairs, 4 * BYTES + 40 * MIB},
    {"argsort", argsort, 6 * BYTES + 40 * MIB},
    {"merge", merge, SORT},
};

/* ---- arrays and digests ---- */

static void *allocate(work_place *p, size_t bytes)
{
    void *memory;
    if (scankit_allocate(p->context, &memory, bytes) != SCANKIT_OK)
        tap_bail_out("no memory: %s", scankit_error_detail(p->context));
    return memory;
}

static void make_data(work_place *p)
{
    random_state random = random_seeded(24);
    uint32_t *in = (uint32_t *)(void *)p->host, *beside = in + N, value = 0;
    for (size_t i = 0; i < N; i++) {
        uint64_t r = random_next(&random);
        value = r % 3 == 0 ? value : (uint32_t)(r >> 32);
        in[i] = value;
        beside[i] = (uint32_t)(r >> 8) & 0x010101;
    }
    if (scankit_upload(p->context, p->in, in, BYTES) != SCANKIT_OK ||
        scankit_upload(p->context, p->beside, beside, BYTES) != SCANKIT_OK)
        tap_bail_out("upload: %s", scankit_error_detail(p->context));
}

void work_open(work_place *p, const char *name, const char *engine)
{
    *p = (work_place){.engine = engine, .host = data_allocate(N, sizeof(uint64_t))};
    if (scankit_open(&p->context, name) != SCANKIT_OK)
        tap_bail_out("%s does not open", name);
    if (scankit_predicate_compile(&p->predicate, SCANKIT_U32, "x & 1", NULL, NULL) != SCANKIT_OK)
        tap_bail_out("no predicate");
    p->in = allocate(p, BYTES);
    p->beside = allocate(p, BYTES);
    p->out = allocate(p, N * sizeof(uint64_t));
    p->more = allocate(p, N * sizeof(uint64_t));
    make_data(p);
}

void work_close(work_place *p)
{
    void *all[] = {p->in, p->beside, p->out, p->more};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        scankit_free(p->context, all[i]);
    scankit_predicate_destroy(p->predicate);
    scankit_close(p->context);
    free(p->host);
}

unsigned work_count(void)
{
    return sizeof jobs / sizeof *jobs;
}

const char *work_name(unsigned job)
{
    return jobs[job].name;
}

size_t work_space(unsigned job)
{
    return jobs[job].space;
}

static uint64_t mix(uint64_t digest, uint64_t word)
{
    digest = (digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return digest ^ digest >> 29;
}

/* Four digests, each of every fourth 8-byte word, and then a digest of these. */
static uint64_t digest_of(work_place *p, const void *array, size_t bytes, uint64_t digest)
{
    enum { LANES = 4 };
    uint64_t lane[LANES] = {1, 2, 3, 4}, word[LANES];
    size_t rest = bytes % sizeof word;
    did(p, scankit_download(p->context, p->host, array, bytes));
    if (rest > 0)
        memset(p->host + bytes, 0, sizeof word - rest);
    for (size_t i = 0; i < bytes; i += sizeof word) {
        memcpy(word, p->host + i, sizeof word);
        for (int l = 0; l < LANES; l++)
            lane[l] = mix(lane[l], word[l]);
    }
    for (int l = 0; l < LANES; l++)
        digest = mix(digest, lane[l]);
    return mix(digest, bytes);
}

void work_warm(work_place *p)
{
    for (unsigned job = 0; job < work_count(); job++)
        jobs[job].run(p);
}

uint64_t work_do(work_place *p, unsigned job)
{
    p->failed = false;
    extent result = jobs[job].run(p);
    uint64_t digest = digest_of(p, p->out, result.out, 1);
    digest = digest_of(p, p->more, result.more, digest);
    return p->failed ? 0 : digest;
}
