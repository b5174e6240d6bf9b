/* rle-draw.c - random containers that are whole: see rle-file.h */
#include <stdlib.h>
#include <string.h>

#include "rle-file.h"

#define RUNS_MAX 40

static uint64_t draw_count(size_t width, random_state *random)
{
    static const uint64_t special[] = {
        255, 256, 300, 65535, 65536, 100000, 1u << 20, UINT64_C(1) << 32, UINT64_C(1) << 60};
    uint64_t most = width == 8 ? UINT64_MAX : (UINT64_C(1) << (8 * width)) - 1;
    uint64_t count = 1 + random_size(random, 9);
    if (random_below(random, 30) == 0)
        count = special[random_below(random, sizeof special / sizeof *special)];
    return count < most ? count : most;
}

static uint64_t runs_in(const unsigned char *elements, size_t size, size_t n)
{
    uint64_t runs = 1;
    for (size_t k = 1; k < n; k++)
        runs += memcmp(elements + k * size, elements + (k - 1) * size, size) != 0;
    return runs;
}

/* The elements have few different bytes, so that neighbours are often equal. */
static void add_block(byte_string *file, size_t size, uint64_t *elements, uint64_t *runs, random_state *random)
{
    size_t n = 1 + random_size(random, RUNS_MAX), width = (size_t)1 << random_below(random, 4);
    unsigned char *values = data_allocate(n, size);
    uint64_t counts[RUNS_MAX], different;
    for (size_t k = 0; k < n * size; k++)
        values[k] = (unsigned char)("\0\0\1a\xff"[random_below(random, 5)]);
    if (random_below(random, 2) == 0) {
        for (size_t k = 0; k < n; k++)
            *elements += counts[k] = draw_count(width, random);
        *runs += n;
        rle_add_runs(file, size, values, counts, n, width);
    } else {
        different = runs_in(values, size, n);
        *elements += n;
        *runs += different;
        rle_add_elements(file, size, values, n, different);
    }
    free(values);
}

void rle_draw(byte_string *file, random_state *random)
{
    static const struct {
        const char *schema;
        size_t size;
    } kinds[] = {{"u8", 1},  {"i8", 1},  {"u16", 2},       {"f16", 2},        {"u32", 4},          {"f32", 4},
                 {"u64", 8}, {"f64", 8}, {"a:bytes3", 3}, {"a:bytes16", 16}, {"a:bytes100", 100}, {"a:bytes5000", 5000}};
    static const char *const prefixes[] = {"", "", "", "skipped", "\x93NUMPY\1"};
    size_t kind = random_size(random, sizeof kinds / sizeof *kinds);
    uint64_t blocks = random_size(random, 6), elements = 0, runs = 0;
    rle_add_header(file, kinds[kind].schema, kinds[kind].size, prefixes[random_below(random, 5)]);
    for (uint64_t k = 0; k < blocks; k++)
        add_block(file, kinds[kind].size, &elements, &runs, random);
    rle_add_end(file, elements, runs, blocks);
}
