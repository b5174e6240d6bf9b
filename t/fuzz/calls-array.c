/* calls-array.c - scans, reductions, splits, compactions and the gallery: see calls.h */
#include <string.h>

#include "calls.h"
#include "support/oracle.h"

static void *draw_initial(caller *c, size_t size)
{
    return fuzz_chance(c->in, 2) ? draw_array(c, 1, size) : NULL;
}

static scankit_scan_kind draw_kind(caller *c)
{
    return (scankit_scan_kind)fuzz_below(c->in, 3); /* one past the last */
}

void call_scan(caller *c)
{
    scankit_type type = draw_type(c);
    scankit_operator op = draw_operator(c);
    scankit_scan_kind kind = draw_kind(c);
    size_t size = scankit_type_size(type), n = draw_count(c, size);
    void *initial = draw_initial(c, size), *in = draw_array(c, n, size), *out = draw_output(c, in, n, size);
    uint64_t result = 0;
    bool reduced = call_did(scankit_reduce(c->ctx, type, op, in, &result, n));
    bool scanned = call_did(scankit_scan(c->ctx, type, op, kind, initial, in, out, n));
    FUZZ_CHECK(reduced || !scanned);
    if (scanned && n > 0 && kind == SCANKIT_INCLUSIVE && initial == NULL && oracle_kind(type) != ORACLE_FLOAT)
        FUZZ_CHECK(memcmp(&result, (char *)out + (n - 1) * size, size) == 0);
}

void call_segmented_scan(caller *c)
{
    scankit_type type = draw_type(c);
    scankit_operator op = draw_operator(c);
    scankit_scan_kind kind = draw_kind(c);
    size_t size = scankit_type_size(type), n = draw_count(c, size > 0 ? size : 1);
    void *initial = draw_initial(c, size), *in = draw_array(c, n, size), *out = draw_output(c, in, n, size);
    call_did(scankit_segmented_scan(c->ctx, type, op, kind, initial, in, draw_array(c, n, 1), out, n));
}

void call_segmented_reduce(caller *c)
{
    scankit_type type = draw_type(c);
    scankit_operator op = draw_operator(c);
    size_t size = scankit_type_size(type), n = draw_count(c, size), segments = draw_count(c, sizeof(uint64_t));
    uint64_t *offsets = draw_array(c, segments + 1, sizeof *offsets), at = 0;
    for (size_t s = 0; s <= segments; s++) {
        at += n > at ? offsets[s] % (n - at + 1) % 50 : 0;
        offsets[s] = at;
    }
    void *in = draw_array(c, n, size), *results = draw_array(c, segments, size > 0 ? size : 8);
    call_did(scankit_segmented_reduce(c->ctx, type, op, in, offsets, results, segments));
}

/* Offsets rise to n. */
static void check_offsets(const size_t *offsets, unsigned bits, size_t n)
{
    FUZZ_CHECK(offsets[0] == 0 && offsets[(size_t)1 << bits] == n);
    for (size_t d = 0; d < (size_t)1 << bits; d++)
        FUZZ_CHECK(offsets[d] <= offsets[d + 1]);
}

void call_split(caller *c)
{
    scankit_type type = draw_type(c);
    size_t size = scankit_type_size(type), n = draw_count(c, size), offsets[257] = {0};
    unsigned bit = (unsigned)fuzz_below(c->in, 70), bits = (unsigned)fuzz_below(c->in, 12);
    void *in = draw_array(c, n, size), *out = draw_array(c, n, size);
    bool wanted = fuzz_chance(c->in, 2);
    if (call_did(scankit_split(c->ctx, type, in, out, n, bit, bits, wanted ? offsets : NULL)) && wanted)
        check_offsets(offsets, bits, n);
}

void call_split_pairs(caller *c)
{
    scankit_type type = draw_type(c);
    size_t size = scankit_type_size(type), value_size = draw_size(c);
    size_t n = draw_count(c, size + value_size), offsets[257];
    unsigned bit = (unsigned)fuzz_below(c->in, 70), bits = (unsigned)fuzz_below(c->in, 12);
    void *keys = draw_array(c, n, size), *values = draw_array(c, n, value_size);
    void *keys_out = draw_array(c, n, size), *values_out = draw_array(c, n, value_size);
    if (call_did(
            scankit_split_pairs(c->ctx, type, keys, keys_out, value_size, values, values_out, n, bit, bits, offsets)))
        check_offsets(offsets, bits, n);
}

void call_split_flags(caller *c)
{
    size_t size = draw_size(c), n = draw_count(c, size), zeros = 0;
    void *in = draw_array(c, n, size), *flags = draw_array(c, n, 1), *out = draw_array(c, n, size);
    if (call_did(scankit_split_flags(c->ctx, size, in, flags, out, n, &zeros)))
        FUZZ_CHECK(zeros <= n);
}

/* Elements and positions that flags choose are as many, and the others are the rest. */
void call_compact(caller *c)
{
    size_t size = draw_size(c), n = draw_count(c, size > 8 ? size : 8), count = 0, listed = 0, others = 0;
    scankit_compact_options options = {.first = fuzz_number(c->in, 8), .invert = (int)fuzz_below(c->in, 2)};
    void *in = draw_array(c, n, size), *flags = draw_array(c, n, 1), *positions = draw_array(c, n, 8);
    bool did = call_did(scankit_compact_flags_positions(c->ctx, flags, positions, n, &options, &listed));
    void *out = draw_output(c, in, n, size);
    if (!did || !call_did(scankit_compact_flags(c->ctx, size, in, flags, out, n, &options, &count)))
        return;
    options.invert = !options.invert;
    FUZZ_CHECK(call_did(scankit_compact_flags_positions(c->ctx, flags, positions, n, &options, &others)));
    FUZZ_CHECK(count == listed && count + others == n);
}

/* A row, of any device and kind. */
static const scankit_gallery_row *draw_row(caller *c)
{
    size_t rows = 0;
    while (scankit_gallery(rows) != NULL)
        rows++;
    return scankit_gallery(fuzz_below(c->in, rows));
}

void call_gallery(caller *c)
{
    const scankit_gallery_row *row = draw_row(c);
    scankit_type type = draw_type(c);
    scankit_operator op = draw_operator(c);
    scankit_scan_kind kind = draw_kind(c);
    size_t size = scankit_type_size(type), n = draw_count(c, size > 0 ? size : 1) % 5000, count;
    void *in = draw_array(c, n, size), *flags = draw_array(c, n, 1), *out = draw_output(c, in, n, size);
    uint64_t result;
    call_did(scankit_gallery_reduce(c->ctx, row->name, type, op, in, &result, n));
    call_did(scankit_gallery_scan(c->ctx, row->name, type, op, kind, draw_initial(c, size), in, out, n));
    call_did(scankit_gallery_compact(c->ctx, row->name, type, in, flags, out, n, &count));
}

/* Values of 4 or 8 bytes, of another size now and then, or none. */
static size_t draw_value_size(caller *c)
{
    static const size_t sizes[] = {0, 0, 4, 8};
    return fuzz_chance(c->in, 8) ? draw_size(c) : sizes[fuzz_below(c->in, sizeof sizes / sizeof *sizes)];
}

/* The keys have the same bits as by production's sort. */
void call_gallery_sort(caller *c)
{
    const scankit_gallery_row *row = draw_row(c);
    scankit_type type = draw_type(c);
    scankit_sort_options options = {.descending = fuzz_chance(c->in, 2)};
    size_t size = scankit_type_size(type), value_size = draw_value_size(c), n = draw_count(c, size + value_size);
    void *keys = draw_array(c, n, size), *sorted = draw_array(c, n, size), *keys_out = draw_output(c, keys, n, size);
    void *values = draw_array(c, n, value_size), *values_out = draw_output(c, values, n, value_size);
    bool did = call_did(scankit_sort(c->ctx, type, keys, sorted, n, &options));
    if (!call_did(scankit_gallery_sort(c->ctx, row->name, type, options.descending, keys, keys_out, value_size, values,
                                       values_out, n)))
        return;
    FUZZ_CHECK(did && row->kind == SCANKIT_SORT && (value_size == 0 || row->is_stable));
    FUZZ_CHECK(n == 0 || memcmp(keys_out, sorted, n * size) == 0);
}
