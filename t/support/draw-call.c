/* draw-call.c - see draw-call.h */
#include "draw-call.h"

#include "cases.h"
#include "oracle.h"

#define ON_EACH(to, d) for (device *const *d = (to)->device; d < (to)->device + (to)->count; d++)

/* Bytes of the kernels' tiles. Errors are most likely at their edges. */
static const size_t tiles[] = {8 << 10, 16 << 10, 20 << 10, 32 << 10, 36 << 10, 81 << 9, 45 << 10, 64 << 10};

/* Any length, with small ones as likely as large ones, or one close to a multiple of a tile or to a power of two. */
static size_t draw_length(random_state *random, size_t most, size_t element_size)
{
    size_t tile = tiles[random_below(random, sizeof tiles / sizeof *tiles)] / element_size + 1, length = 0;
    switch (random_below(random, 6)) {
    case 0:
    case 1: length = (1 + random_size(random, most / tile)) * tile + random_below(random, 5) - 3; break;
    case 2: length = ((size_t)1 << random_below(random, 40)) + random_below(random, 3) - 1; break;
    default: break;
    }
    return length > 0 && length < most ? length : random_size(random, most);
}

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
    options.overwrite_input = random_below(random, 3) == 0;
    if (oracle_kind(type) != ORACLE_FLOAT && random_below(random, 3) == 0) {
        options.end_bit = 1 + (unsigned)random_below(random, oracle_bits(type));
        options.begin_bit = (unsigned)random_below(random, options.end_bit);
    }
    return options;
}

static void draw_scan(const call_target *to, random_state *random)
{
    scan_case c = {.type = draw_type(random), .seed = random_next(random)};
    c.n = draw_length(random, to->most, oracle_size(c.type));
    do
        c.op = (scankit_operator)random_below(random, ORACLE_OPERATORS);
    while (!oracle_applies(c.op, c.type));
    c.kind = random_next(random) & 1 ? SCANKIT_INCLUSIVE : SCANKIT_EXCLUSIVE;
    c.initial = random_next(random) & 1;
    c.in_place = random_next(random) & 1;
    c.shape = (data_shape)random_below(random, DATA_SHAPE_COUNT);
    c.in_lead = draw_lead(random, 64);
    c.out_lead = draw_lead(random, 64);
    ON_EACH(to, d)
    {
        check_scan(*d, &c);
        check_reduce(*d, &c);
    }
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

static void draw_split(const call_target *to, random_state *random)
{
    split_case c = {.type = draw_type(random), .seed = random_next(random)};
    c.n = draw_length(random, to->most / 2, oracle_size(c.type));
    c.shape = (data_shape)random_below(random, DATA_SHAPE_COUNT);
    c.value_size = draw_value_size(random);
    c.bits = 1 + (unsigned)random_below(random, 8);
    c.bit = (unsigned)random_below(random, oracle_bits(c.type) - c.bits + 1);
    c.want_offsets = random_next(random) & 1;
    draw_leads(c.lead, c.value_size, random);
    ON_EACH(to, d)
    check_split(*d, &c);
    flags_case f = {.element_size = 1 + random_size(random, 120), .ones = (unsigned)random_below(random, 257)};
    f.n = c.n / (1 + f.element_size / 16);
    f.in_lead = draw_lead(random, 70);
    f.out_lead = draw_lead(random, 70);
    f.flags_lead = draw_lead(random, 70);
    f.want_zeros = c.want_offsets;
    f.seed = c.seed;
    ON_EACH(to, d)
    check_split_flags(*d, &f);
}

static void draw_sort(const call_target *to, random_state *random)
{
    sort_case c = {.type = draw_type(random), .seed = random_next(random)};
    c.n = draw_length(random, to->most / 2, oracle_size(c.type));
    c.shape = (data_shape)random_below(random, DATA_SHAPE_COUNT);
    c.value_size = draw_value_size(random);
    c.options = draw_options(random, c.type);
    c.keys_in_place = random_next(random) & 1;
    c.values_in_place = random_next(random) & 1;
    draw_leads(c.lead, c.value_size, random);
    size_t k = random_size(random, c.n + 1);
    ON_EACH(to, d)
    {
        check_sort(*d, &c);
        check_is_sorted(*d, &c);
        if (c.value_size > 0)
            check_sort_pairs(*d, &c);
        else
            check_argsort(*d, &c);
        check_top_k(*d, &c, NULL, k);
    }
}

static void draw_merge(const call_target *to, random_state *random)
{
    merge_case c = {.type = draw_type(random), .seed = random_next(random)};
    c.na = draw_length(random, to->most / 4, oracle_size(c.type));
    c.nb = draw_length(random, to->most / 4, oracle_size(c.type));
    c.shape = (data_shape)random_below(random, DATA_SHAPE_COUNT);
    c.deal = (merge_deal)random_below(random, DEAL_COUNT);
    c.value_size = draw_value_size(random);
    c.options = draw_options(random, c.type);
    c.lead = draw_lead(random, 20);
    ON_EACH(to, d)
    check_merge(*d, &c);
}

static void draw_records(const call_target *to, random_state *random)
{
    record_case c = {.n = random_size(random, to->most / 20), .seed = random_next(random)};
    random_keys(&c, random);
    c.algorithm = (scankit_algorithm)random_below(random, ORACLE_ALGORITHMS);
    c.in_place = random_next(random) & 1;
    c.lead = draw_lead(random, 20);
    ON_EACH(to, d)
    check_records(*d, &c);
}

/* Compiles for one type of each width only, as each takes a GPU's compiler a quarter of a second. */
static scankit_evaluation draw_evaluation(const compact_case *c, random_state *random)
{
    if (!c->by_flags && !c->by_records && c->type % 3 == 0 && random_below(random, 4) == 0)
        return SCANKIT_COMPILE;
    return random_next(random) & 1 ? SCANKIT_INTERPRET : SCANKIT_EVALUATE_AUTO;
}

static void draw_compact(const call_target *to, random_state *random)
{
    compact_case c = {.type = draw_type(random), .seed = random_next(random)};
    c.n = draw_length(random, to->most, oracle_size(c.type));
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
    c.evaluation = draw_evaluation(&c, random);
    c.in_lead = draw_lead(random, 70);
    c.out_lead = draw_lead(random, 70);
    ON_EACH(to, d)
    check_compact(*d, &c);
}

/* Mostly a size that has kernels of its own. */
static size_t draw_run_element(random_state *random)
{
    static const size_t sizes[] = {1, 2, 4, 8, 4, 8};
    size_t any = 1 + random_size(random, 300), drawn = random_below(random, 9);
    return drawn < sizeof sizes / sizeof *sizes ? sizes[drawn] : any;
}

static void draw_rle(const call_target *to, random_state *random)
{
    rle_case c = {.element_size = draw_run_element(random), .seed = random_next(random)};
    c.n = draw_length(random, to->most / (1 + c.element_size / 16), c.element_size);
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
    ON_EACH(to, d)
    check_decode(*d, &c);
    if (random_next(random) & 1)
        random_run_keys(&c, random);
    ON_EACH(to, d)
    check_rle(*d, &c);
}

static void draw_segments(const call_target *to, random_state *random)
{
    segments_case c = {.operands = {.type = draw_type(random), .seed = random_next(random)}};
    scan_case *operands = &c.operands;
    operands->n = draw_length(random, to->most, oracle_size(operands->type));
    do
        operands->op = (scankit_operator)random_below(random, ORACLE_OPERATORS);
    while (!oracle_applies(operands->op, operands->type));
    operands->kind = random_next(random) & 1 ? SCANKIT_INCLUSIVE : SCANKIT_EXCLUSIVE;
    operands->initial = random_next(random) & 1;
    operands->in_place = random_next(random) & 1;
    operands->shape = (data_shape)random_below(random, DATA_SHAPE_COUNT);
    operands->in_lead = draw_lead(random, 64);
    operands->out_lead = draw_lead(random, 64);
    c.structure = (run_structure)random_below(random, RUN_STRUCTURE_COUNT);
    c.head_first = random_next(random) & 1;
    c.most_empty = random_size(random, to->most / 4);
    c.heads_lead = draw_lead(random, 64);
    ON_EACH(to, d)
    {
        check_segmented_scan(*d, &c);
        check_segmented_reduce(*d, &c);
    }
}

static void draw_segmented_sort(const call_target *to, random_state *random)
{
    segmented_sort_case c = {.sort = {.type = draw_type(random), .seed = random_next(random)}};
    sort_case *s = &c.sort;
    s->n = draw_length(random, to->most / 2, oracle_size(s->type));
    s->shape = (data_shape)random_below(random, DATA_SHAPE_COUNT);
    s->value_size = draw_value_size(random);
    s->options = draw_options(random, s->type);
    s->keys_in_place = random_next(random) & 1;
    s->values_in_place = random_next(random) & 1;
    draw_leads(s->lead, s->value_size, random);
    c.lengths = (segment_lengths)random_below(random, SEGMENT_LENGTHS_COUNT);
    c.length = 1 + random_below(random, 40);
    c.gaps = random_next(random) & 1;
    c.positions = random_below(random, 4) == 0;
    ON_EACH(to, d)
    check_segmented_sort(*d, &c);
}

void draw_call(const call_target *to, random_state *random)
{
    static void (*const draws[])(const call_target *, random_state *) = {
        draw_scan,    draw_split, draw_sort,     draw_merge,         draw_records,
        draw_compact, draw_rle,   draw_segments, draw_segmented_sort};
    draws[random_below(random, sizeof draws / sizeof *draws)](to, random);
}
