/* gallery.c - every algorithm of the gallery but the sorts (gallery-sorts.c) passes the same tests: its results equal
 * sequential ones, at sizes around powers of two and edges of tiles and of tiles of tiles, in place and not, at odd
 * alignments, with and without an initial value, by a non-commutative operator unless the table excludes it. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

static bool is_scan(const scankit_gallery_row *row)
{
    return row->kind == SCANKIT_BLOCK_SCAN || row->kind == SCANKIT_GRID_SCAN;
}

/* The rows of this file's tests. */
static bool runs_on(const device *d, const scankit_gallery_row *row)
{
    return row->kind != SCANKIT_SORT && strncmp(d->name, row->device, strlen(row->device)) == 0;
}

/* ---- the table ---- */

static const scankit_gallery_row *find(scankit_gallery_kind kind, const char *name)
{
    for (size_t i = 0; scankit_gallery(i) != NULL; i++)
        if (scankit_gallery(i)->kind == kind && strcmp(scankit_gallery(i)->name, name) == 0)
            return scankit_gallery(i);
    return NULL;
}

static void classics_are_there(scankit_gallery_kind kind, const char *const *names)
{
    for (; *names != NULL; names++) {
        tap_case("%s", *names);
        TAP_CHECK(find(kind, *names) != NULL);
    }
}

static void texts(const scankit_gallery_row *row)
{
    const char *const all[] = {row->name, row->device, row->work, row->steps, row->passes, row->source};
    tap_case("%s", row->name != NULL ? row->name : "no name");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        TAP_CHECK(all[i] != NULL && *all[i] != '\0');
    TAP_CHECK(row->limits != NULL);
    TAP_CHECK(strcmp(row->device, "cpu") == 0 || strcmp(row->device, "cuda") == 0);
    TAP_CHECK(scankit_gallery_applies(row, SCANKIT_U32, SCANKIT_SUM) == 1);
    TAP_CHECK(scankit_gallery_applies(row, SCANKIT_F32, SCANKIT_MAX) == 1);
    TAP_CHECK(scankit_gallery_applies(row, SCANKIT_BYTES, SCANKIT_SUM) == 0);
    TAP_CHECK(row->is_stable == 0 || row->is_stable == 1);
    if (row->kind != SCANKIT_COMPACTION && row->kind != SCANKIT_SORT) {
        TAP_CHECK(scankit_gallery_applies(row, SCANKIT_F32, SCANKIT_XOR) == 0);
        TAP_CHECK(scankit_gallery_applies(row, SCANKIT_U32, SCANKIT_AFFINE) ==
                  (strstr(row->limits, "commutative") == NULL));
    }
}

static void table(void)
{
    static const char *const blocks[] = {"double-buffered", "work-efficient",
                                         "conflict-free",   "vectorised",
                                         "kogge-stone",     "kogge-stone-double-buffered",
                                         "brent-kung",      "coarsened",
                                         "warp-shuffle",    NULL};
    static const char *const grids[] = {
        "naive",         "sengupta-hybrid", "three-kernel", "chained",        "lookback-thread",
        "lookback-warp", "sequential",      "two-pass",     "vectorised-cpu", NULL};
    static const char *const reductions[] = {"interleaved-divergent", "interleaved-strided", "sequential-addressing",
                                             "warp-shuffle",          "single-pass",         NULL};
    static const char *const compactions[] = {"scan-scatter", "gather-search", "single-pass", NULL};
    static const char *const sorts[] = {"split-radix",
                                        "gems",
                                        "split",
                                        "bitonic",
                                        "odd-even-merge",
                                        "digit-sort",
                                        "merge-path",
                                        "sample",
                                        "onesweep",
                                        "hybrid-radix",
                                        "lsd-radix",
                                        "american-flag",
                                        "merge",
                                        "hybrid",
                                        "radix",
                                        "chunk-merge",
                                        NULL};
    tap_begin("the table has the classics, and every row its texts");
    classics_are_there(SCANKIT_BLOCK_SCAN, blocks);
    classics_are_there(SCANKIT_GRID_SCAN, grids);
    classics_are_there(SCANKIT_REDUCTION, reductions);
    classics_are_there(SCANKIT_COMPACTION, compactions);
    classics_are_there(SCANKIT_SORT, sorts);
    for (size_t i = 0; scankit_gallery(i) != NULL; i++)
        texts(scankit_gallery(i));
    tap_case("past the end");
    TAP_CHECK(scankit_gallery((size_t)-1) == NULL);
    TAP_CHECK(scankit_gallery_applies(NULL, SCANKIT_U32, SCANKIT_SUM) == 0);
    tap_end();

    tap_begin("a name means one row on a device");
    for (size_t i = 0; scankit_gallery(i) != NULL; i++)
        for (size_t k = 0; k < i; k++) {
            const scankit_gallery_row *a = scankit_gallery(i), *b = scankit_gallery(k);
            bool one_call = a->kind == b->kind || (is_scan(a) && is_scan(b));
            tap_case("%s", a->name);
            TAP_CHECK(!one_call || strcmp(a->device, b->device) != 0 || strcmp(a->name, b->name) != 0);
        }
    tap_end();
}

/* ---- results ---- */

/* Sizes of tiles are multiples of 512; a tile of tiles of 512 is 2^18. */
static size_list edges(void)
{
    static const size_t tiles[] = {512, 1024, 3584, 4096, 8192};
    size_list sizes = data_edge_sizes((size_t)1 << 14);
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
        for (size_t times = 1; times <= 3; times += 2)
            for (size_t at = tiles[i] * times - 1; at <= tiles[i] * times + 1; at++)
                sizes.size[sizes.count++] = at;
    return sizes;
}

/* Sizes past a textbook algorithm's use; only production's algorithms or equally simple ones take them. */
static bool is_usual(scankit_type type, scankit_operator op)
{
    return (type == SCANKIT_U32 || type == SCANKIT_F32) &&
           (op == SCANKIT_SUM || op == SCANKIT_MAX || op == SCANKIT_AFFINE);
}

static const size_list few = {9, {0, 1, 2, 3, 511, 513, 8191, 8193, 40001}};
static const size_list large = {3, {65537, 262145, ((size_t)1 << 20) + 3}};

/* Draws the members that are not enumerated, anew for each size. */
static void scan_sizes(device *d, scan_case c, const size_list *sizes)
{
    random_state random = random_seeded((uint64_t)c.type * 64 + (uint64_t)c.op);
    for (size_t i = 0; i < sizes->count; i++)
        for (int kind = 0; kind < 2; kind++) {
            c.n = sizes->size[i];
            c.kind = kind == 0 ? SCANKIT_INCLUSIVE : SCANKIT_EXCLUSIVE;
            c.shape = random_next(&random) & 1 ? DATA_BITS : DATA_SPECIAL;
            c.initial = random_next(&random) & 1;
            c.in_place = random_below(&random, 3) == 0;
            c.in_lead = random_below(&random, 6);
            c.out_lead = random_next(&random) & 1 ? random_below(&random, 6) : c.in_lead;
            c.seed = random_next(&random);
            check_scan(d, &c);
        }
}

static void reduce_sizes(device *d, scan_case c, const size_list *sizes)
{
    for (size_t i = 0; i < sizes->count; i++) {
        c.n = sizes->size[i];
        c.shape = i & 1 ? DATA_BITS : DATA_SPECIAL;
        c.in_lead = i % 5;
        c.seed = i;
        check_reduce(d, &c);
    }
}

static void operands(device *d, const scankit_gallery_row *row, scankit_type type, scankit_operator op)
{
    size_list sizes = is_usual(type, op) ? edges() : few;
    scan_case c = {.type = type, .op = op, .gallery = row->name};
    void (*run)(device *, scan_case, const size_list *) = is_scan(row) ? scan_sizes : reduce_sizes;
    run(d, c, &sizes);
    if (is_usual(type, op))
        run(d, c, &large);
}

static void elements(device *d, const scankit_gallery_row *row, scankit_type type)
{
    size_list sizes = type == SCANKIT_U32 ? edges() : few;
    random_state random = random_seeded(type);
    compact_case c = {.type = type,
                      .element_size = oracle_size(type),
                      .by_flags = true,
                      .gallery = row->name,
                      .want = COMPACT_ELEMENTS};
    sizes.size[sizes.count++] = 262145;
    sizes.size[sizes.count++] = ((size_t)1 << 20) + 3;
    for (size_t i = 0; i < sizes.count; i++) {
        c.n = sizes.size[i];
        c.share = (compact_share)random_below(&random, SHARE_COUNT);
        c.in_place = random_next(&random) & 1;
        c.exact_room = random_next(&random) & 1;
        c.want_count = random_below(&random, 4) != 0;
        c.in_lead = random_below(&random, 6);
        c.out_lead = random_below(&random, 6);
        c.seed = random_next(&random);
        (void)check_compact(d, &c);
    }
}

/* ---- rounding ---- */

static double magnitude(double x)
{
    return x < 0 ? -x : x;
}

/* The error of n additions in any order is less than n epsilon times the sum of the magnitudes (Higham, Accuracy and
 * Stability of Numerical Algorithms, section 4.2). */
static void rounding(device *d, const scankit_gallery_row *row)
{
    enum { N = 100003 };
    random_state random = random_seeded(3);
    float *in = data_allocate(N, sizeof *in), *out = data_allocate(N, sizeof *out), total = 0;
    double exact = 0, scale = 0;
    bool scan = is_scan(row), done;
    for (size_t i = 0; i < N; i++)
        in[i] = (float)random_below(&random, 1 << 24) / 65536.0f - 100.0f;
    tap_begin("%s: %s%s: errors of f32 sums stay within bounds", d->name, row->name, scan ? "" : " reduction");
    void *from = device_put(d, 0, in, N * sizeof *in, 0);
    done =
        scan ? DEVICE_DID(d, scankit_gallery_scan(d->context, row->name, SCANKIT_F32, SCANKIT_SUM, SCANKIT_INCLUSIVE,
                                                  NULL, from, from, N))
             : DEVICE_DID(d, scankit_gallery_reduce(d->context, row->name, SCANKIT_F32, SCANKIT_SUM, from, &total, N));
    if (scan)
        device_get(d, 0, out);
    for (size_t i = 0; i < N && done; i++) {
        exact += (double)in[i];
        scale += magnitude((double)in[i]);
        double is = (double)(scan ? out[i] : total);
        if ((scan || i + 1 == N) && !(magnitude(is - exact) <= (double)(i + 1) * (double)FLT_EPSILON * scale)) {
            tap_fail("element %zu is %g, should be %g", i, is, exact);
            break;
        }
    }
    tap_end();
    free(in);
    free(out);
}

/* ---- refusals ---- */

static void refused(device *d, scankit_error error, const char *function)
{
    const char *detail = scankit_error_detail(d->context);
    TAP_CHECK(error == SCANKIT_E_ARGUMENT);
    if (strncmp(detail, function, strlen(function)) != 0 || strlen(detail) < strlen(function) + 8)
        tap_fail("the detail does not help: \"%s\"", detail);
}

#define SCAN(name, type, op)                                                                                \
    refused(d, scankit_gallery_scan(d->context, name, type, op, SCANKIT_INCLUSIVE, NULL, array, array, 64), \
            "scankit_gallery_scan")
#define REDUCE(name, type, op) \
    refused(d, scankit_gallery_reduce(d->context, name, type, op, array, &result, 64), "scankit_gallery_reduce")
#define COMPACT(name, type)                                                                      \
    refused(d, scankit_gallery_compact(d->context, name, type, array, flags, array, 64, &count), \
            "scankit_gallery_compact")

static void names_are_refused(device *d, void *array)
{
    const uint8_t *flags = array;
    uint64_t result;
    size_t count;
    tap_begin("%s: names that are none, of another kind or device; types and operators that a row does not have",
              d->name);
    SCAN(NULL, SCANKIT_U32, SCANKIT_SUM);
    SCAN("", SCANKIT_U32, SCANKIT_SUM);
    SCAN("kogge", SCANKIT_U32, SCANKIT_SUM);
    SCAN("single-pass", SCANKIT_U32, SCANKIT_SUM);
    REDUCE("naive", SCANKIT_U32, SCANKIT_SUM);
    COMPACT("naive", SCANKIT_U32);
    for (size_t i = 0; scankit_gallery(i) != NULL; i++) {
        const scankit_gallery_row *row = scankit_gallery(i);
        tap_case("%s", row->name);
        if (is_scan(row) && !runs_on(d, row))
            SCAN(row->name, SCANKIT_U32, SCANKIT_SUM);
        if (is_scan(row))
            SCAN(row->name, SCANKIT_F32, SCANKIT_AFFINE);
        if (row->kind == SCANKIT_REDUCTION && scankit_gallery_applies(row, SCANKIT_U32, SCANKIT_AFFINE) == 0)
            REDUCE(row->name, SCANKIT_U32, SCANKIT_AFFINE);
        if (row->kind == SCANKIT_COMPACTION)
            COMPACT(row->name, SCANKIT_BYTES);
    }
    tap_end();
}

static void arguments_are_refused(device *d, const scankit_gallery_row *row, void *array)
{
    const uint8_t *flags = array;
    const scankit_type u32 = SCANKIT_U32;
    scankit_context *ctx = d->context;
    uint64_t result;
    size_t count;
    tap_case("%s", row->name);
    if (row->kind == SCANKIT_REDUCTION) {
        refused(d, scankit_gallery_reduce(ctx, row->name, u32, SCANKIT_SUM, NULL, &result, 64), "scankit_gallery");
        refused(d, scankit_gallery_reduce(ctx, row->name, u32, SCANKIT_SUM, array, NULL, 64), "scankit_gallery");
    } else if (row->kind == SCANKIT_COMPACTION) {
        refused(d, scankit_gallery_compact(ctx, row->name, u32, NULL, flags, array, 64, &count), "scankit_gallery");
        refused(d, scankit_gallery_compact(ctx, row->name, u32, array, NULL, array, 64, &count), "scankit_gallery");
        refused(d, scankit_gallery_compact(ctx, row->name, u32, array, flags, NULL, 64, &count), "scankit_gallery");
    } else {
        scankit_scan_kind inclusive = SCANKIT_INCLUSIVE, neither = (scankit_scan_kind)2;
        refused(d, scankit_gallery_scan(ctx, row->name, u32, SCANKIT_SUM, neither, NULL, array, array, 64),
                "scankit_gallery");
        refused(d, scankit_gallery_scan(ctx, row->name, u32, SCANKIT_SUM, inclusive, NULL, NULL, array, 64),
                "scankit_gallery");
        refused(d, scankit_gallery_scan(ctx, row->name, u32, SCANKIT_SUM, inclusive, NULL, array, NULL, 64),
                "scankit_gallery");
        refused(d, scankit_gallery_scan(ctx, row->name, u32, SCANKIT_SUM, inclusive, NULL, array, array, SIZE_MAX / 2),
                "scankit_gallery");
    }
}

static void refusals(device *d)
{
    char zeros[256] = {0};
    void *array = device_put(d, 0, zeros, sizeof zeros, 0);
    names_are_refused(d, array);
    tap_begin("%s: wrong arguments", d->name);
    for (size_t i = 0; scankit_gallery(i) != NULL; i++)
        if (runs_on(d, scankit_gallery(i)))
            arguments_are_refused(d, scankit_gallery(i), array);
    device_expect(d, 0, zeros, sizeof zeros, 1, "array");
    tap_end();
}

static void check_row(device *d, const scankit_gallery_row *row)
{
    static const char *const kinds[] = {"block scan", "scan", "reduction", "compaction"};
    tap_begin("%s: %s: %s by every type and operator that it takes", d->name, row->name, kinds[row->kind]);
    for (int type = 0; type < ORACLE_TYPES; type++) {
        if (row->kind == SCANKIT_COMPACTION)
            elements(d, row, (scankit_type)type);
        for (int op = 0; op < ORACLE_OPERATORS && row->kind != SCANKIT_COMPACTION; op++)
            if (scankit_gallery_applies(row, (scankit_type)type, (scankit_operator)op))
                operands(d, row, (scankit_type)type, (scankit_operator)op);
    }
    tap_end();
    if (row->kind != SCANKIT_COMPACTION)
        rounding(d, row);
}

static void test(device *d)
{
    refusals(d);
    for (size_t i = 0; scankit_gallery(i) != NULL; i++)
        if (runs_on(d, scankit_gallery(i)))
            check_row(d, scankit_gallery(i));
}

int main(void)
{
    table();
    return device_each("gallery", test);
}
