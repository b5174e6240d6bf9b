/* large-gallery.c - the gallery's algorithms past 2^32 elements. The same arrays serve all rows of a device: their
 * results are looked at where they are, by reductions, and on the host around 2^32 and at the end. */
#include <stdlib.h>
#include <string.h>

#include "large.h"

#define CHUNK ((size_t)1 << 20)

/* n elements that repeat every CHUNK. */
static char *repeated(size_t size, size_t n, bulk_value *value)
{
    char *array = bulk_allocate(n * size);
    bulk_fill(array, size, CHUNK, value);
    for (size_t done = CHUNK; done < n; done *= 2)
        DEVICE_DID(dev, scankit_copy(ctx, array + done * size, array, (done < n - done ? done : n - done) * size));
    return array;
}

static void look_at(char *array, size_t size, size_t begin, size_t n, bulk_value *value)
{
    char *part = data_allocate(n, size);
    size_t wrong = 0;
    DEVICE_DID(dev, scankit_download(ctx, part, array + begin * size, n * size));
    for (size_t i = 0; i < n; i++) {
        uint64_t should = value(begin + i);
        wrong += memcmp(part + i * size, &should, size) != 0;
    }
    if (wrong > 0)
        tap_fail("%zu of %zu elements from %zu on are wrong", wrong, n, begin);
    free(part);
}

/* sum and exclusive or: of all elements, in the type's width. */
static void expect_all(scankit_type type, char *array, uint64_t sum, uint64_t exclusive_or, bulk_value *value)
{
    size_t size = scankit_type_size(type);
    uint64_t result = 0;
    if (DEVICE_DID(dev, scankit_reduce(ctx, type, SCANKIT_SUM, array, &result, PAST)))
        TAP_CHECK(memcmp(&result, &sum, size) == 0);
    if (DEVICE_DID(dev, scankit_reduce(ctx, type, SCANKIT_XOR, array, &result, PAST)))
        TAP_CHECK(memcmp(&result, &exclusive_or, size) == 0);
    look_at(array, size, ((size_t)1 << 32) - 50000, 100000, value);
    look_at(array, size, PAST - 50000, 50000, value);
}

static uint64_t position(size_t i)
{
    return i;
}

static uint64_t position_plus_one(size_t i)
{
    return i + 1;
}

/* 0 ^ 1 ^ ... ^ n. */
static uint64_t exclusive_or_to(uint64_t n)
{
    return n % 4 == 0 ? n : n % 4 == 1 ? 1 : n % 4 == 2 ? n + 1 : 0;
}

static bool runs_here(const scankit_gallery_row *row, scankit_gallery_kind first, scankit_gallery_kind last)
{
    return strncmp(dev->name, row->device, strlen(row->device)) == 0 && row->kind >= first && row->kind <= last;
}

/* Sums of ones: each element of the scan is its position plus one. */
static void scans_and_reductions(void)
{
    const uint64_t n = PAST;
    if (!bulk_suffices(3 * PAST * 4 + PAST / 8, "gallery: scans and reductions"))
        return;
    char *in = repeated(4, PAST, one), *out = bulk_allocate(PAST * 4);
    for (size_t i = 0; scankit_gallery(i) != NULL; i++) {
        const scankit_gallery_row *row = scankit_gallery(i);
        uint32_t result = 0;
        if (!runs_here(row, SCANKIT_BLOCK_SCAN, SCANKIT_REDUCTION))
            continue;
        tap_begin("%s: gallery: %s of u32, sum", dev->name, row->name);
        if (row->kind == SCANKIT_REDUCTION) {
            if (DEVICE_DID(dev, scankit_gallery_reduce(ctx, row->name, SCANKIT_U32, SCANKIT_SUM, in, &result, PAST)))
                TAP_CHECK(result == (uint32_t)PAST);
        } else if (DEVICE_DID(dev, scankit_gallery_scan(ctx, row->name, SCANKIT_U32, SCANKIT_SUM, SCANKIT_INCLUSIVE,
                                                        NULL, in, out, PAST))) {
            expect_all(SCANKIT_U32, out, (n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n), exclusive_or_to(n),
                       position_plus_one);
        }
        tap_end();
    }
    scankit_free(ctx, in);
    scankit_free(ctx, out);
}

/* All are kept, which is every place and every count; bytes that are their own position. */
static void compactions(void)
{
    if (!bulk_suffices(11 * PAST + PAST / 4, "gallery: compactions"))
        return;
    char *in = repeated(1, PAST, position), *flags = repeated(1, PAST, one), *out = bulk_allocate(PAST);
    uint64_t sum = 0, exclusive_or = 0;
    for (size_t i = PAST - PAST % 512; i < PAST; i++) {
        sum += i; /* of 512 bytes in a row, the sum and the exclusive or are 0 */
        exclusive_or ^= i;
    }
    for (size_t i = 0; scankit_gallery(i) != NULL; i++) {
        const scankit_gallery_row *row = scankit_gallery(i);
        size_t count = 0;
        if (!runs_here(row, SCANKIT_COMPACTION, SCANKIT_COMPACTION))
            continue;
        tap_begin("%s: gallery: %s compaction of u8", dev->name, row->name);
        if (DEVICE_DID(dev, scankit_gallery_compact(ctx, row->name, SCANKIT_U8, in, (const uint8_t *)flags, out, PAST,
                                                    &count))) {
            TAP_CHECK(count == PAST);
            expect_all(SCANKIT_U8, out, sum, exclusive_or, position);
        }
        tap_end();
    }
    scankit_free(ctx, in);
    scankit_free(ctx, flags);
    scankit_free(ctx, out);
}

void large_gallery(void)
{
    scans_and_reductions();
    compactions();
}
