/* rle.c - runs are found wherever they begin and end: encoded, decoded, made unique and reduced, of every type and of
 * records of many sizes, by all bytes and by keys, in place and not, with every structure of runs, at odd alignments.
 */
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

#define LONGEST 70000
#define MOST_BYTES 1000000 /* of one case of large elements */

static bool yes_or_no(random_state *random)
{
    return random_next(random) & 1;
}

static void draw_reduction(rle_case *c, random_state *random)
{
    c->type = (scankit_type)random_below(random, ORACLE_TYPES);
    do
        c->op = (scankit_operator)random_below(random, ORACLE_OPERATORS);
    while (!oracle_applies(c->op, c->type));
}

/* Draws the members of a case other than element, size, structure, want and keys. */
static void draw_rest(rle_case *c, random_state *random)
{
    draw_reduction(c, random);
    c->in_place = yes_or_no(random);
    c->values_in_place = yes_or_no(random);
    c->want_count = random_below(random, 4) != 0 || c->want == RLE_NUMBER;
    c->exact_room = yes_or_no(random);
    c->zeros = yes_or_no(random);
    c->in_lead = yes_or_no(random) ? random_below(random, 80) : 0;
    c->out_lead = yes_or_no(random) ? random_below(random, 80) : 0;
    c->value_lead = yes_or_no(random) ? random_below(random, 20) : 0;
    c->seed = random_next(random);
}

static void draw(rle_case *c, random_state *random)
{
    c->structure = (run_structure)random_below(random, RUN_STRUCTURE_COUNT);
    c->want = (rle_want)random_below(random, RLE_WANT_COUNT);
    draw_rest(c, random);
}

/* Powers of two, and every multiple of `step` elements, each with its neighbours. */
static size_t next_edge(size_t n, size_t step)
{
    for (size_t next = n + 1;; next++)
        for (size_t edge = next - 1; edge <= next + 1; edge++)
            if (edge % step == 0 || (edge & (edge - 1)) == 0)
                return next;
}

static void every_size(device *d, size_t size, bool by_keys)
{
    random_state random = random_seeded(2 * size + by_keys);
    rle_case c = {.element_size = size};
    size_t longest = MOST_BYTES / size < LONGEST ? MOST_BYTES / size : LONGEST;
    size_t step = longest > 20000 ? 2048 : longest > 1000 ? 128 : 8;
    tap_begin("%s: %zu bytes%s: sizes around edges", d->name, size, by_keys ? " by keys" : "");
    for (c.n = 0; c.n <= longest; c.n = next_edge(c.n, step)) {
        draw(&c, &random);
        if (by_keys)
            random_run_keys(&c, &random);
        if (random_below(&random, 3) == 0) {
            c.in_lead *= size;
            c.out_lead *= size;
        }
        check_rle(d, &c);
        if (!by_keys)
            check_decode(d, &c);
    }
    tap_end();
}

/* The GPU's tiles, and the parts of its warps, in bytes of elements, or in elements where values are reduced. */
static void tile_edges(device *d, size_t size)
{
    static const size_t bytes[] = {3584, 4608, 16384, 32768, 39424, 41472},
                        elements[] = {288, 2304, 736, 5888, 480, 3840};
    enum { BYTES = sizeof bytes / sizeof *bytes, EDGES = BYTES + sizeof elements / sizeof *elements };
    random_state random = random_seeded(size + 5000);
    rle_case c = {.element_size = size};
    tap_begin("%s: %zu bytes: edges of tiles and parts", d->name, size);
    for (size_t e = 0; e < EDGES; e++)
        for (size_t times = 1; times < 6; times += times == 1 ? 2 : 1)
            for (int over = -2; over < 3; over++) {
                draw(&c, &random);
                c.n = times * (e < BYTES ? bytes[e] / size : elements[e - BYTES]) + (size_t)over;
                c.in_lead = random_below(&random, 16 / size) * size;
                c.out_lead *= size;
                if (e < BYTES && yes_or_no(&random))
                    c.n -= c.in_lead / size; /* ends where a tile ends that begins at a multiple of 16 bytes */
                check_rle(d, &c);
                check_decode(d, &c);
            }
    tap_end();
}

/* Each structure with each choice of outputs, long enough for several tiles. */
static void every_want(device *d, size_t size, bool by_keys)
{
    random_state random = random_seeded(2 * size + by_keys + 1000);
    size_t longest = MOST_BYTES / size < 2 * LONGEST ? MOST_BYTES / size : 2 * LONGEST;
    rle_case c = {.element_size = size};
    tap_begin("%s: %zu bytes%s: every structure, all outputs", d->name, size, by_keys ? " by keys" : "");
    for (int structure = 0; structure < RUN_STRUCTURE_COUNT; structure++)
        for (int want = 0; want < RLE_WANT_COUNT; want++) {
            c.n = longest / 2 + 1 + random_below(&random, longest / 2);
            c.structure = (run_structure)structure;
            c.want = (rle_want)want;
            draw_rest(&c, &random);
            if (by_keys)
                random_run_keys(&c, &random);
            check_rle(d, &c);
        }
    tap_end();
}

/* In place, where a tile that writes too early destroys input of another tile. */
static void in_place(device *d, size_t size)
{
    static const run_structure structures[] = {RUNS_DISTINCT, RUNS_GEOMETRIC, RUNS_STRADDLE, RUNS_ALTERNATING};
    size_list edges = data_edge_sizes(131072);
    rle_case c = {.element_size = size, .type = SCANKIT_U32, .in_place = true, .values_in_place = true};
    c.want_count = true;
    tap_begin("%s: %zu bytes: in place at every alignment", d->name, size);
    for (size_t s = 0; s < edges.count; s++)
        for (c.in_lead = 0; c.in_lead < 64; c.in_lead += s < 30 ? 1 : 13) {
            c.n = edges.size[s];
            c.seed++;
            c.structure = structures[c.seed % 4];
            c.want = c.seed % 3 == 0 ? RLE_REDUCE : RLE_UNIQUE;
            c.value_lead = c.in_lead % 5;
            check_rle(d, &c);
        }
    tap_end();
}

/* Runs of every length around powers of two, which begin anywhere in a tile and end anywhere in another. */
static void every_length(device *d, size_t size)
{
    random_state random = random_seeded(size + 2000);
    rle_case c = {.element_size = size, .structure = RUNS_EVEN};
    tap_begin("%s: %zu bytes: lengths around powers of two", d->name, size);
    for (int i = 0; i < 36; i++) {
        c.n = 140000 + random_below(&random, 70000);
        c.structure = i % 3 == 0 ? RUNS_EDGES : i % 3 == 1 ? RUNS_EVEN : RUNS_STRADDLE;
        c.want = i % 2 == 0 ? RLE_ENCODE : RLE_REDUCE;
        draw_rest(&c, &random);
        check_rle(d, &c);
        check_decode(d, &c);
    }
    tap_end();
}

/* Numbers of runs and of elements up to which a GPU decodes in one launch, one less and one more. */
static void few_runs(device *d, size_t size)
{
    static const size_t edges[] = {(size_t)1 << 14, (size_t)1 << 18};
    static const run_structure structures[] = {RUNS_DISTINCT, RUNS_GEOMETRIC, RUNS_EVEN, RUNS_EDGES};
    random_state random = random_seeded(size + 6000);
    rle_case c = {.element_size = size};
    tap_begin("%s: %zu bytes: few runs, and one more", d->name, size);
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++)
        for (size_t s = 0; s < sizeof structures / sizeof *structures; s++)
            for (int over = -1; over < 2; over++) {
                c.n = edges[e] + (size_t)over;
                c.structure = structures[s];
                draw_rest(&c, &random);
                c.exact_room = over != 0 || yes_or_no(&random);
                check_decode(d, &c);
            }
    tap_end();
}

/* Elements up to which a GPU reduces runs in small tiles, one less and one more. */
static void few_reduced(device *d, size_t size)
{
    static const run_structure structures[] = {RUNS_DISTINCT, RUNS_GEOMETRIC, RUNS_EDGES};
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_F32, SCANKIT_I16, SCANKIT_U64};
    random_state random = random_seeded(size + 7000);
    rle_case c = {.element_size = size, .want = RLE_REDUCE};
    tap_begin("%s: %zu bytes: few reduced elements, and one more", d->name, size);
    for (size_t i = 0; i < 12; i++) {
        draw_rest(&c, &random);
        c.want = RLE_REDUCE;
        c.structure = structures[i % 3];
        c.type = types[i % 4];
        c.op = SCANKIT_SUM;
        c.n = ((size_t)1 << 19) + i / 4 - 1;
        check_rle(d, &c);
    }
    tap_end();
}

/* Long enough for many tiles on every thread and every multiprocessor, and too long for caches. */
static void long_arrays(device *d, size_t size)
{
    random_state random = random_seeded(size + 3000);
    size_t least = scankit_is_host(d->context) ? size < 4 ? 500003 : 10000003 / size : 2500003;
    rle_case c = {.element_size = size};
    tap_begin("%s: %zu bytes: long arrays", d->name, size);
    for (int structure = 0; structure < RUN_STRUCTURE_COUNT; structure++)
        for (int want = 0; want < 2; want++) {
            c.n = least + random_below(&random, 100000);
            c.structure = (run_structure)structure;
            c.want = want == 0 ? RLE_ENCODE : RLE_REDUCE;
            draw_rest(&c, &random);
            check_rle(d, &c);
            check_decode(d, &c);
        }
    tap_end();
}

static void every_operator(device *d, scankit_type type, scankit_operator op)
{
    static const size_t sizes[] = {1, 4, 8, 2, 12, 4};
    random_state random = random_seeded(100 * type + op + 4000);
    rle_case c;
    tap_begin("%s: reduce by key: %s %s", d->name, scankit_type_name(type), scankit_operator_name(op));
    for (int structure = 0; structure < RUN_STRUCTURE_COUNT; structure++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            c = (rle_case){.element_size = sizes[s], .structure = (run_structure)structure};
            c.want = s % 3 == 2 ? RLE_REDUCED : RLE_REDUCE;
            c.n = 1 + (s % 2 == 0 ? random_size(&random, LONGEST) : random_below(&random, LONGEST / 2));
            draw_rest(&c, &random);
            c.type = type;
            c.op = op;
            if (s == 3)
                random_run_keys(&c, &random);
            check_rle(d, &c);
        }
    tap_end();
}

/* ---- elements are equal if their bytes are ---- */

static void floats(device *d)
{
    static const uint32_t in[] = {0x00000000, 0x80000000, 0x80000000, 0x7fc00000, 0x7fc00000, 0x7fc00001,
                                  0xffc00000, 0x7f800000, 0x7f800001, 0x00000000, 0x00000000};
    static const uint32_t values[] = {0x00000000, 0x80000000, 0x7fc00000, 0x7fc00001,
                                      0xffc00000, 0x7f800000, 0x7f800001, 0x00000000};
    static const uint64_t counts[] = {1, 2, 2, 1, 1, 1, 1, 2};
    enum { N = sizeof in / sizeof *in, RUNS = sizeof values / sizeof *values };
    const scankit_key key = {.type = SCANKIT_F32};
    const scankit_run_options by_key = {&key, 1};
    tap_begin("%s: both zeros, and NaNs of different bits, are different", d->name);
    for (int keyed = 0; keyed < 2; keyed++) {
        size_t runs = 0;
        const void *from = device_put(d, 0, in, sizeof in, 0);
        void *to = device_put(d, 1, NULL, sizeof in, 0);
        uint64_t *lengths = device_put(d, 2, NULL, N * sizeof *lengths, 0);
        tap_case("%s", keyed ? "by a key of f32" : "by all bytes");
        if (!DEVICE_DID(d,
                        scankit_run_length_encode(d->context, 4, from, to, lengths, N, keyed ? &by_key : NULL, &runs)))
            continue;
        TAP_CHECK(runs == RUNS);
        device_expect_part(d, 1, values, RUNS, 4, "values");
        device_expect_part(d, 2, counts, RUNS, 8, "counts");
    }
    tap_end();
}

/* 64 keys in any order that cover some bytes of an element: each byte must count if and only if it is covered. */
static void many_keys(device *d)
{
    enum { SIZE = 150, N = 2 * SIZE };
    scankit_key keys[64];
    unsigned char in[N * SIZE] = {0};
    tap_begin("%s: 64 keys, touching, apart, one over the other", d->name);
    for (size_t k = 0; k < 64; k++) /* bytes 2p and, of each third, the next or none */
        keys[k] = (scankit_key){.type = SCANKIT_BYTES, .offset = 2 * (k * 37 % 64), .size = 1 + k % 3};
    for (size_t i = 0; i < N; i++) /* of each two elements, the second has another byte i / 2 */
        in[i * SIZE + i / 2] = (unsigned char)(i % 2);
    uint64_t begins[N + 1], counts[N];
    size_t expected = oracle_runs(SIZE, in, N, keys, 64, begins), runs = 0;
    for (size_t r = 0; r < expected; r++)
        counts[r] = begins[r + 1] - begins[r];
    const scankit_run_options options = {keys, 64};
    const void *from = device_put(d, 0, in, sizeof in, 1);
    uint64_t *lengths = device_put(d, 1, NULL, N * sizeof *lengths, 0);
    tap_case("%zu runs", expected);
    if (DEVICE_DID(d, scankit_run_length_encode(d->context, SIZE, from, NULL, lengths, N, &options, &runs))) {
        TAP_CHECK(runs == expected);
        device_expect_part(d, 1, counts, expected, sizeof *counts, "counts");
    }
    tap_end();
}

/* ---- wrong counts ---- */

/* Without an output, elements are only counted. With too little room, nothing may be written. */
static void expect_count(device *d, const uint64_t *counts, size_t runs, bool overflows, size_t total)
{
    size_t n = 7, places = 100;
    uint32_t *values = data_allocate(runs, sizeof *values);
    const void *from = device_put(d, 0, values, runs * sizeof *values, 0);
    const uint64_t *lengths = device_put(d, 1, counts, runs * sizeof *counts, 0);
    void *to = device_put(d, 2, NULL, places * sizeof *values, 0);
    scankit_error error = scankit_run_length_decode(d->context, 4, from, lengths, runs, NULL, 0, &n);
    tap_case("%zu runs, the first of %llu", runs, (unsigned long long)counts[0]);
    if (overflows)
        TAP_CHECK(error == SCANKIT_E_ARGUMENT);
    else if (device_did(d, error, "counting") && n != total)
        tap_fail("%zu elements, should be %zu", n, total);
    if (total > places || overflows) {
        error = scankit_run_length_decode(d->context, 4, from, lengths, runs, to, places, &n);
        TAP_CHECK(error == SCANKIT_E_ARGUMENT);
        device_expect_part(d, 2, NULL, 0, sizeof *values, "decoded into too little room");
    }
    free(values);
}

static void hostile_counts(device *d)
{
    static const uint64_t half = UINT64_C(1) << 63, all = UINT64_MAX;
    enum { MANY = 100000 };
    uint64_t *many = data_allocate(MANY, sizeof *many);
    tap_begin("%s: counts with too large a sum", d->name);
    expect_count(d, (uint64_t[]){all}, 1, true, 0);
    expect_count(d, (uint64_t[]){all - 1}, 1, false, SIZE_MAX - 1);
    expect_count(d, (uint64_t[]){all, 1}, 2, true, 0);
    expect_count(d, (uint64_t[]){1, all}, 2, true, 0);
    expect_count(d, (uint64_t[]){half, half - 1}, 2, true, 0);
    expect_count(d, (uint64_t[]){half, half - 2}, 2, false, SIZE_MAX - 1);
    expect_count(d, (uint64_t[]){half, half}, 2, true, 0);
    expect_count(d, (uint64_t[]){half, half, 5}, 3, true, 0);
    expect_count(d, (uint64_t[]){5, half, half, half, half}, 5, true, 0);
    expect_count(d, (uint64_t[]){half, 0, 0, half, 5, 0}, 6, true, 0);
    expect_count(d, (uint64_t[]){(uint64_t)1 << 62, (uint64_t)1 << 40, 3}, 3, false,
                 ((size_t)1 << 62) + ((size_t)1 << 40) + 3);
    for (size_t i = 0; i < MANY; i++)
        many[i] = UINT64_C(1) << 40;
    expect_count(d, many, MANY, false, (size_t)MANY << 40);
    for (size_t i = 0; i < MANY; i++)
        many[i] = UINT64_C(1) << 50;
    expect_count(d, many, 1 << 14, true, 0); /* 2^64, which looks like 0 */
    expect_count(d, many, MANY, true, 0);
    memset(many, 0, MANY * sizeof *many);
    /* Two large counts, far apart: each part's sum fits, the total does not. */
    for (size_t at = 0; at < MANY - 1; at += 1 + at / 3) {
        many[at] = many[MANY - 1] = half;
        expect_count(d, many, MANY, true, 0);
        many[at] = half - 2;
        expect_count(d, many, MANY, false, SIZE_MAX - 1);
        many[at] = 0;
    }
    tap_end();
    free(many);
}

/* Short runs of many mean lengths. A warp of the GPU's ring saves the heads of a part if they are not too many. */
static void short_runs(device *d, size_t size)
{
    random_state random = random_seeded(size + 8000);
    rle_case c = {.element_size = size};
    tap_begin("%s: %zu bytes: short runs of many lengths", d->name, size);
    for (int i = 0; i < 160; i++) {
        draw_rest(&c, &random);
        c.n = 60000 + random_below(&random, 60000);
        c.structure = RUNS_SHORT;
        c.want = i % 4 == 0 ? RLE_UNIQUE : RLE_ENCODE;
        c.in_lead -= c.in_lead % size;
        c.out_lead -= c.out_lead % size;
        check_rle(d, &c);
    }
    tap_end();
}

/* Each multiprocessor has more tiles than its ring has slots. With pairs across tiles, each second tile has heads only,
 * and its last run ends in the next tile. */
static void many_tiles(device *d, size_t size)
{
    static const run_structure structures[] = {RUNS_DISTINCT, RUNS_PAIRS, RUNS_GEOMETRIC, RUNS_SHORT, RUNS_EDGES};
    random_state random = random_seeded(size + 9000);
    rle_case c = {.element_size = size};
    tap_begin("%s: %zu bytes: many tiles", d->name, size);
    for (size_t s = 0; s < sizeof structures / sizeof *structures; s++) {
        draw_rest(&c, &random);
        c.n = ((size_t)72 << 20) / size + random_below(&random, 100000);
        c.structure = structures[s];
        c.want = RLE_ENCODE;
        c.in_lead -= c.structure == RUNS_PAIRS ? c.in_lead : c.in_lead % size;
        c.out_lead -= c.out_lead % size;
        check_rle(d, &c);
    }
    tap_end();
}

/* Words, which a GPU encodes by engines of its own. */
static void words(device *d)
{
    for (size_t size = 1; size <= 8; size *= 2) {
        every_want(d, size, false);
        tile_edges(d, size);
        in_place(d, size);
        short_runs(d, size);
    }
    many_tiles(d, 4);
    many_tiles(d, 8);
}

static void test(device *d)
{
    static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 100, 4096, 20000, 40000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        every_size(d, sizes[s], false);
        every_size(d, sizes[s], true);
        every_want(d, sizes[s], false);
        every_want(d, sizes[s], true);
    }
    for (size_t size = 1; size <= 8; size *= 2) {
        tile_edges(d, size);
        few_runs(d, size);
        few_reduced(d, size);
    }
    for (size_t size = 1; size <= 16; size *= 2) {
        in_place(d, size);
        every_length(d, size);
    }
    long_arrays(d, 1);
    long_arrays(d, 4);
    long_arrays(d, 8);
    long_arrays(d, 12);
    for (int type = 0; type < ORACLE_TYPES; type++)
        for (int op = 0; op < ORACLE_OPERATORS; op++)
            if (oracle_applies((scankit_operator)op, (scankit_type)type))
                every_operator(d, (scankit_type)type, (scankit_operator)op);
    floats(d);
    many_keys(d);
    hostile_counts(d);
    if (!scankit_is_host(d->context))
        device_each_engine(d, words);
}

int main(void)
{
    return device_each("runs", test);
}
