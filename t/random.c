/* random.c - random calls of random primitives: type, operator, length, shape of data, alignment and options are drawn.
 *
 * The seed is printed; SCANKIT_SEED in the environment repeats it, and SCANKIT_CASES changes how many calls are made.
 */
#include <stdlib.h>
#include <time.h>

#include "cases.h"
#include "oracle.h"
#include "tap.h"

static uint64_t seed;
static unsigned long cases = 800;

static scankit_type draw_type(random_state *random)
{
    return (scankit_type)random_below(random, ORACLE_TYPES);
}

static size_t draw_lead(random_state *random, size_t limit)
{
    return random_next(random) & 1 ? random_below(random, limit) : 0;
}

static scankit_sort_options draw_options(random_state *random, scankit_type type)
{
    scankit_sort_options options = {.descending = (int)random_below(random, 2)};
    options.algorithm = (scankit_algorithm)random_below(random, ORACLE_ALGORITHMS);
    if (oracle_kind(type) != ORACLE_FLOAT && random_below(random, 3) == 0) {
        options.end_bit = 1 + (unsigned)random_below(random, oracle_bits(type));
        options.begin_bit = (unsigned)random_below(random, options.end_bit);
    }
    return options;
}

static void draw_scan(device *d, random_state *random)
{
    scan_case c = {.type = draw_type(random), .n = random_size(random, 200000), .seed = random_next(random)};
    do
        c.op = (scankit_operator)random_below(random, ORACLE_OPERATORS);
    while (!oracle_applies(c.op, c.type));
    c.kind = random_next(random) & 1 ? SCANKIT_INCLUSIVE : SCANKIT_EXCLUSIVE;
    c.initial = random_next(random) & 1;
    c.in_place = random_next(random) & 1;
    c.shape = (data_shape)random_below(random, DATA_SHAPE_COUNT);
    c.in_lead = draw_lead(random, 64);
    c.out_lead = draw_lead(random, 64);
    check_scan(d, &c);
    check_reduce(d, &c);
}

static void draw_leads(size_t *lead, size_t value_size, random_state *random)
{
    bool aligned = random_next(random) & 1;
    for (int i = 0; i < LEADS; i++)
        lead[i] = draw_lead(random, 20) * (i >= VALUES_IN && aligned ? value_size : 1);
}

static size_t draw_value_size(random_state *random)
{
    static const size_t sizes[] = {0, 4, 8, 4, 8, 1, 2, 3, 12, 16, 24, 100};
    return sizes[random_below(random, sizeof sizes / sizeof *sizes)];
}

static void draw_split(device *d, random_state *random)
{
    split_case c = {.type = draw_type(random), .n = random_size(random, 100000), .seed = random_next(random)};
    c.shape = (data_shape)random_below(random, DATA_SHAPE_COUNT);
    c.value_size = draw_value_size(random);
    c.bits = 1 + (unsigned)random_below(random, 8);
    c.bit = (unsigned)random_below(random, oracle_bits(c.type) - c.bits + 1);
    c.want_offsets = random_next(random) & 1;
    draw_leads(c.lead, c.value_size, random);
    check_split(d, &c);
    flags_case f = {
        .element_size = 1 + random_size(random, 120), .n = c.n, .ones = (unsigned)random_below(random, 257)};
    f.in_lead = draw_lead(random, 70);
    f.out_lead = draw_lead(random, 70);
    f.flags_lead = draw_lead(random, 70);
    f.want_zeros = c.want_offsets;
    f.seed = c.seed;
    check_split_flags(d, &f);
}

static void draw_sort(device *d, random_state *random)
{
    sort_case c = {.type = draw_type(random), .n = random_size(random, 100000), .seed = random_next(random)};
    c.shape = (data_shape)random_below(random, DATA_SHAPE_COUNT);
    c.value_size = draw_value_size(random);
    c.options = draw_options(random, c.type);
    c.keys_in_place = random_next(random) & 1;
    c.values_in_place = random_next(random) & 1;
    draw_leads(c.lead, c.value_size, random);
    check_sort(d, &c);
    if (c.value_size > 0)
        check_sort_pairs(d, &c);
    else
        check_argsort(d, &c);
}

static void draw_merge(device *d, random_state *random)
{
    merge_case c = {.type = draw_type(random), .na = random_size(random, 60000), .nb = random_size(random, 60000)};
    c.shape = (data_shape)random_below(random, DATA_SHAPE_COUNT);
    c.deal = (merge_deal)random_below(random, DEAL_COUNT);
    c.value_size = draw_value_size(random);
    c.options = draw_options(random, c.type);
    c.lead = draw_lead(random, 20);
    c.seed = random_next(random);
    check_merge(d, &c);
}

static void draw_records(device *d, random_state *random)
{
    record_case c = {.n = random_size(random, 10000), .seed = random_next(random)};
    random_keys(&c, random);
    c.algorithm = (scankit_algorithm)random_below(random, ORACLE_ALGORITHMS);
    c.in_place = random_next(random) & 1;
    c.lead = draw_lead(random, 20);
    check_records(d, &c);
}

static void draw_compact(device *d, random_state *random)
{
    compact_case c = {.type = draw_type(random), .n = random_size(random, 200000), .seed = random_next(random)};
    c.by_flags = random_below(random, 3) == 0;
    c.by_records = !c.by_flags && (random_next(random) & 1);
    if (c.by_flags || c.by_records) {
        c.element_size = 1 + random_size(random, 300);
        c.n /= 1 + c.element_size / 16;
    }
    c.share = (compact_share)random_below(random, SHARE_COUNT);
    c.want = (compact_want)random_below(random, c.by_flags ? COMPACT_BOTH : COMPACT_WANT_COUNT);
    c.in_place = (random_next(random) & 1) && compact_goes_in_place(c.want);
    c.invert = random_next(random) & 1;
    c.want_count = random_next(random) & 1;
    c.exact_room = random_next(random) & 1;
    c.first = random_next(random) >> (1 + random_below(random, 63));
    c.evaluation = random_next(random) & 1 ? SCANKIT_INTERPRET : SCANKIT_EVALUATE_AUTO;
    c.in_lead = draw_lead(random, 70);
    c.out_lead = draw_lead(random, 70);
    check_compact(d, &c);
}

static void draw_rle(device *d, random_state *random)
{
    rle_case c = {.element_size = 1 + random_size(random, 300), .n = random_size(random, 200000)};
    c.n /= 1 + c.element_size / 16;
    c.structure = (run_structure)random_below(random, RUN_STRUCTURE_COUNT);
    c.want = (rle_want)random_below(random, RLE_WANT_COUNT);
    do {
        c.type = draw_type(random);
        c.op = (scankit_operator)random_below(random, ORACLE_OPERATORS);
    } while (!oracle_applies(c.op, c.type));
    c.in_place = random_next(random) & 1;
    c.values_in_place = random_next(random) & 1;
    c.want_count = random_next(random) & 1;
    c.exact_room = random_next(random) & 1;
    c.zeros = random_next(random) & 1;
    c.in_lead = draw_lead(random, 70);
    c.out_lead = draw_lead(random, 70);
    c.value_lead = draw_lead(random, 20);
    c.seed = random_next(random);
    check_decode(d, &c);
    if (random_next(random) & 1)
        random_run_keys(&c, random);
    check_rle(d, &c);
}

static void test(device *d)
{
    static void (*const draws[])(device *, random_state *) = {draw_scan,    draw_split,   draw_sort, draw_merge,
                                                              draw_records, draw_compact, draw_rle};
    random_state random = random_seeded(seed);
    tap_begin("%s: %lu random calls, seed %llu", d->name, cases, (unsigned long long)seed);
    for (unsigned long i = 0; i < cases; i++)
        draws[random_below(&random, sizeof draws / sizeof *draws)](d, &random);
    tap_end();
}

int main(void)
{
    const char *wanted = getenv("SCANKIT_SEED"), *number = getenv("SCANKIT_CASES");
    seed = wanted != NULL ? strtoull(wanted, NULL, 0) : (uint64_t)time(NULL);
    cases = number != NULL ? strtoul(number, NULL, 10) : cases;
    tap_diag("seed %llu: SCANKIT_SEED=%llu repeats this", (unsigned long long)seed, (unsigned long long)seed);
    return device_each("random calls", test);
}
