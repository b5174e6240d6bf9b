/* gallery-sorts.c - every sort of the gallery passes the tests of production's sorts: every type that it takes, every
 * shape of data, both directions, in place and not, odd alignments, sizes around powers of two and chunks, values where
 * it is stable. */
#include <stdio.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

static bool is_here(const device *d, const scankit_gallery_row *row)
{
    return row->kind == SCANKIT_SORT && strncmp(d->name, row->device, strlen(row->device)) == 0;
}

/* ---- results ---- */

/* Chunks, tiles and bins have 256 elements times a power of two, or 384 or 512 times an odd number. */
static size_list edges(void)
{
    static const size_t tiles[] = {1024, 2048, 3072, 4096, 5120, 6144, 8192};
    size_list sizes = data_edge_sizes((size_t)1 << 13);
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
        for (size_t at = 2 * tiles[i] - 1; at <= 2 * tiles[i] + 1; at++)
            sizes.size[sizes.count++] = at;
    return sizes;
}

/* Draws the members that are not enumerated. */
static void check_one(device *d, sort_case c, random_state *random)
{
    c.options.descending = (int)(random_next(random) & 1);
    c.keys_in_place = random_next(random) & 1;
    c.values_in_place = random_next(random) & 1;
    c.seed = random_next(random);
    for (int i = 0; i < LEADS; i++)
        c.lead[i] = random_below(random, 3) == 0 ? random_below(random, 17) : 0;
    c.lead[VALUES_IN] *= c.value_size;
    c.lead[VALUES_OUT] *= c.value_size;
    if (c.value_size == 0)
        check_sort(d, &c);
    else
        check_sort_pairs(d, &c);
}

static void every_size(device *d, sort_case c, random_state *random)
{
    size_list sizes = edges();
    for (size_t i = 0; i < sizes.count; i++) {
        c.n = sizes.size[i];
        c.shape = (data_shape)random_below(random, DATA_SHAPE_COUNT);
        check_one(d, c, random);
    }
}

static void every_shape(device *d, sort_case c, random_state *random)
{
    static const size_t sizes[] = {0, 1, 2, 3, 33, 1000, 4097, 20011};
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            c.n = sizes[i];
            c.shape = (data_shape)shape;
            check_one(d, c, random);
        }
}

/* Many tiles, several levels of merges and of buckets. */
static void large(device *d, sort_case c, random_state *random)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_ZIPF,  DATA_EQUAL,         DATA_OUTLIERS,
                                        DATA_BITS,    DATA_STEPS, DATA_ALMOST_SORTED, DATA_UNSEEN};
    static const size_t sizes[] = {131073, 262144, 700001, ((size_t)1 << 20) + 3};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < 2; k++) {
            c.n = sizes[i];
            c.shape = shapes[(2 * i + k) % (sizeof shapes / sizeof *shapes)];
            check_one(d, c, random);
        }
}

static void check_row(device *d, const scankit_gallery_row *row)
{
    static const size_t value_sizes[] = {0, 4, 8};
    random_state random = random_seeded(row->name[0]);
    for (size_t v = 0; v < (row->is_stable ? 3 : 1); v++) {
        tap_begin("%s: %s: sort of every type that it takes, with values of %zu bytes", d->name, row->name,
                  value_sizes[v]);
        for (int type = 0; type < ORACLE_TYPES; type++) {
            sort_case c = {.type = (scankit_type)type, .value_size = value_sizes[v], .gallery = row->name};
            if (!scankit_gallery_applies(row, c.type, SCANKIT_SUM))
                continue;
            every_size(d, c, &random);
            every_shape(d, c, &random);
            if (c.type == SCANKIT_U32 || c.type == SCANKIT_F64)
                large(d, c, &random);
        }
        tap_end();
    }
}

/* Any block scan serves split-radix. */
static void block_scans(device *d)
{
    random_state random = random_seeded(11);
    tap_begin("%s: split-radix with every block scan", d->name);
    for (size_t i = 0; scankit_gallery(i) != NULL; i++) {
        char name[64];
        sort_case c = {.type = i % 2 == 0 ? SCANKIT_U32 : SCANKIT_F32, .gallery = name};
        if (scankit_gallery(i)->kind != SCANKIT_BLOCK_SCAN)
            continue;
        (void)snprintf(name, sizeof name, "split-radix:%s", scankit_gallery(i)->name);
        every_shape(d, c, &random);
    }
    tap_end();
}

/* ---- refusals ---- */

static void refused(device *d, scankit_error error)
{
    static const char function[] = "scankit_gallery_sort";
    const char *detail = scankit_error_detail(d->context);
    TAP_CHECK(error == SCANKIT_E_ARGUMENT);
    if (strncmp(detail, function, strlen(function)) != 0 || strlen(detail) < strlen(function) + 8)
        tap_fail("the detail does not help: \"%s\"", detail);
}

#define SORT(name, type, in, out, value_size, values_in, values_out, n) \
    refused(d, scankit_gallery_sort(d->context, name, type, 0, in, out, value_size, values_in, values_out, n))

static void wrong_names(device *d, void *array)
{
    tap_begin("%s: names that are none, of another kind or device; types that a row does not have", d->name);
    SORT(NULL, SCANKIT_U32, array, array, 0, NULL, NULL, 8);
    SORT("quick", SCANKIT_U32, array, array, 0, NULL, NULL, 8);
    SORT("kogge-stone", SCANKIT_U32, array, array, 0, NULL, NULL, 8);
    for (size_t i = 0; scankit_gallery(i) != NULL; i++) {
        const scankit_gallery_row *row = scankit_gallery(i);
        tap_case("%s", row->name);
        if (is_here(d, row) && *row->limits != '\0')
            SORT(row->name, SCANKIT_U16, array, array, 0, NULL, NULL, 8);
        if (is_here(d, row))
            SORT(row->name, SCANKIT_BYTES, array, array, 0, NULL, NULL, 8);
    }
    SORT("split-radix:", SCANKIT_U32, array, array, 0, NULL, NULL, 8);
    SORT("split-radix:naive", SCANKIT_U32, array, array, 0, NULL, NULL, 8);
    SORT("split-radix:kogge-stone", SCANKIT_U64, array, array, 0, NULL, NULL, 8);
    SORT(strncmp(d->name, "cpu", 3) == 0 ? "onesweep" : "lsd-radix", SCANKIT_U32, array, array, 0, NULL, NULL, 8);
    tap_end();
}

static void wrong_arguments(device *d, void *array, char *zeros, size_t bytes)
{
    char *values = array;
    tap_begin("%s: wrong arguments", d->name);
    for (size_t i = 0; scankit_gallery(i) != NULL; i++) {
        const scankit_gallery_row *row = scankit_gallery(i);
        if (!is_here(d, row))
            continue;
        tap_case("%s", row->name);
        SORT(row->name, SCANKIT_U32, NULL, array, 0, NULL, NULL, 8);
        SORT(row->name, SCANKIT_U32, array, NULL, 0, NULL, NULL, 8);
        SORT(row->name, SCANKIT_U32, array, array, 0, NULL, NULL, SIZE_MAX / 2);
        SORT(row->name, SCANKIT_U32, array, array, 3, values, values, 8);
        SORT(row->name, SCANKIT_U32, array, array, 4, NULL, values, 8);
        if (!row->is_stable)
            SORT(row->name, SCANKIT_U32, array, array, 4, values + 64, values + 64, 8);
        else if (*row->limits != '\0')
            SORT(row->name, SCANKIT_U32, array, array, 4, values + 65, values + 65, 8);
    }
    device_expect(d, 0, zeros, bytes, 1, "array");
    tap_end();
}

static void test(device *d)
{
    char zeros[256] = {0};
    void *array = device_put(d, 0, zeros, sizeof zeros, 0);
    wrong_names(d, array);
    wrong_arguments(d, array, zeros, sizeof zeros);
    for (size_t i = 0; scankit_gallery(i) != NULL; i++)
        if (is_here(d, scankit_gallery(i)))
            check_row(d, scankit_gallery(i));
    if (strncmp(d->name, "cuda", 4) == 0)
        block_scans(d);
}

int main(void)
{
    return device_each("gallery sorts", test);
}
