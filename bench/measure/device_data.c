/* device_data.c - see device_data.h. */
#include "device_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/element.h"

#define BLOCK_BYTES ((size_t)1 << 24)

static uint64_t element_at(const char *block, size_t size, size_t i)
{
    uint64_t bits = 0;
    memcpy(&bits, block + i * size, size);
    return bits;
}

/* One loop per element size, which the compiler vectorises. */
#define X(bits)                                                                             \
    static void digest_add_##bits(bench_digest *digest, const uint##bits##_t *in, size_t n) \
    {                                                                                       \
        for (size_t i = 0; i < n; i++) {                                                    \
            uint64_t value = in[i];                                                         \
            digest->sum += value;                                                           \
            digest->mix += value * value;                                                   \
        }                                                                                   \
    }
X(8)
X(16)
X(32)
X(64)
#undef X

static void digest_add(bench_digest *digest, const void *block, scankit_type type, size_t n)
{
    size_t size = scankit_type_size(type);
    switch (size) {
    case 1: digest_add_8(digest, block, n); break;
    case 2: digest_add_16(digest, block, n); break;
    case 4: digest_add_32(digest, block, n); break;
    default: digest_add_64(digest, block, n);
    }
    if (element_is_float(type))
        for (size_t i = 0; i < n; i++)
            digest->real += element_load(type, (const char *)block + i * size);
}

bool data_same(bench_digest a, bench_digest b)
{
    return a.sum == b.sum && a.mix == b.mix;
}

/* A large sum of halves is infinite. */
static bool real_sum_fits(double exact, scankit_type type, double sum)
{
    uint64_t bits;
    element_store(type, exact, &bits);
    double nearest = element_load(type, &bits);
    return sum == nearest || fabs(sum - exact) <= 1e-3 * fabs(exact) + 1e-3;
}

bool data_sum_fits(bench_digest digest, scankit_type type, const void *sum)
{
    size_t size = scankit_type_size(type);
    if (element_is_float(type))
        return real_sum_fits(digest.real, type, element_load(type, sum));
    uint64_t value = 0;
    memcpy(&value, sum, size);
    return value == (digest.sum & UINT64_MAX >> (64 - 8 * size));
}

bench_digest data_load(const bench_state *bench, void *to, shape_id shape, scankit_type type, size_t n, uint64_t seed)
{
    size_t size = scankit_type_size(type);
    size_t room = BLOCK_BYTES / size;
    char *block = bench_allocate(BLOCK_BYTES);
    bench_digest digest = {0, 0, 0};
    shape_stream stream;
    shape_open(&stream, shape, type, n, seed);
    for (size_t done = 0; done < n; done += room) {
        size_t part = n - done < room ? n - done : room;
        shape_fill(&stream, block, part);
        digest_add(&digest, block, type, part);
        bench_try(bench, scankit_upload(bench->context, (char *)to + done * size, block, part * size), "upload");
    }
    free(block);
    return digest;
}

bench_digest data_digest(const bench_state *bench, const void *from, scankit_type type, size_t n)
{
    size_t size = scankit_type_size(type);
    size_t room = BLOCK_BYTES / size;
    char *block = bench_allocate(BLOCK_BYTES);
    bench_digest digest = {0, 0, 0};
    for (size_t done = 0; done < n; done += room) {
        size_t part = n - done < room ? n - done : room;
        const char *at = (const char *)from + done * size;
        bench_try(bench, scankit_download(bench->context, block, at, part * size), "download");
        digest_add(&digest, block, type, part);
    }
    free(block);
    return digest;
}

/* The value that belongs to a key. */
static uint32_t value_of(uint64_t key)
{
    return (uint32_t)(random_mix(key) >> 32);
}

void data_load_values(const bench_state *bench, const void *keys, scankit_type type, size_t n, void *values)
{
    size_t size = scankit_type_size(type);
    size_t room = BLOCK_BYTES / 8;
    char *block = bench_allocate(BLOCK_BYTES);
    uint32_t *made = bench_allocate(room * sizeof *made);
    for (size_t done = 0; done < n; done += room) {
        size_t part = n - done < room ? n - done : room;
        const char *at = (const char *)keys + done * size;
        bench_try(bench, scankit_download(bench->context, block, at, part * size), "download");
        for (size_t i = 0; i < part; i++)
            made[i] = value_of(element_at(block, size, i));
        char *to = (char *)values + done * sizeof *made;
        bench_try(bench, scankit_upload(bench->context, to, made, part * sizeof *made), "upload");
    }
    free(block);
    free(made);
}

bool data_values_fit(const bench_state *bench, const void *keys, scankit_type type, size_t n, const void *values)
{
    size_t size = scankit_type_size(type);
    size_t room = BLOCK_BYTES / 8;
    char *block = bench_allocate(BLOCK_BYTES);
    uint32_t *found = bench_allocate(room * sizeof *found);
    size_t wrong = 0;
    for (size_t done = 0; done < n; done += room) {
        size_t part = n - done < room ? n - done : room;
        const char *from_keys = (const char *)keys + done * size;
        const char *from_values = (const char *)values + done * sizeof *found;
        bench_try(bench, scankit_download(bench->context, block, from_keys, part * size), "download");
        bench_try(bench, scankit_download(bench->context, found, from_values, part * sizeof *found), "download");
        for (size_t i = 0; i < part; i++)
            wrong += found[i] != value_of(element_at(block, size, i));
    }
    free(block);
    free(found);
    return wrong == 0;
}
