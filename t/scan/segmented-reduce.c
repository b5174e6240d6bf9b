/* segmented-reduce.c - segmented reduce equals a sequential one: every type and operator, segments of
 * every length, empty ones at the ends and between, and from any offset and alignment on. */
#include <stdlib.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* Draws the members that are not enumerated. */
static void draw_rest(segments_case *c, random_state *random)
{
    scan_case *o = &c->operands;
    o->shape = random_next(random) & 1 ? DATA_BITS : DATA_SPECIAL;
    o->in_lead = random_next(random) & 1 ? random_below(random, 16) : 0;
    o->out_lead = random_next(random) & 1 ? random_below(random, 16) : 0;
    o->seed = random_next(random);
    c->heads_lead = random_next(random) & 1 ? random_below(random, 4) : 0;
    c->most_empty = random_next(random) & 1 ? 1 + random_size(random, 3000) : 0;
}

static const segments_way way = {check_segmented_reduce, draw_rest};

/* Nothing but empty segments, more of them than elements. */
static void empty_segments(device *d)
{
    segments_case c = {.operands = {.type = SCANKIT_U32, .op = SCANKIT_AFFINE}};
    tap_begin("%s: empty segments", d->name);
    for (c.operands.n = 0; c.operands.n < 20000; c.operands.n = 7 * c.operands.n + 1)
        for (c.most_empty = 1; c.most_empty < 300000; c.most_empty *= 5) {
            c.structure = (run_structure)(c.operands.seed++ % RUN_STRUCTURE_COUNT);
            check_segmented_reduce(d, &c);
        }
    tap_end();
}

/* ---- segments of given lengths ---- */

/* Segments of the first kind, then of the second, then of the third. */
enum { KINDS = 3 };

typedef struct lengths_case {
    scankit_type type;
    scankit_operator op;
    size_t front; /* elements before all segments */
    size_t length[KINDS], count[KINDS];
    bool empty; /* empty segments between */
    size_t lead;
} lengths_case;

/* The segments have offsets[segments] elements. */
static void check_offsets(device *d, scankit_type type, scankit_operator op, const char *in, const uint64_t *offsets,
                          size_t segments, size_t lead)
{
    size_t size = oracle_size(type);
    char *expected = data_allocate(segments, size);
    for (size_t s = 0; s < segments; s++)
        oracle_store(type, expected, s, oracle_reduce(type, op, in + offsets[s] * size, offsets[s + 1] - offsets[s]));
    const void *from = device_put(d, 0, in, offsets[segments] * size, lead * size);
    const uint64_t *marks = device_put(d, 1, offsets, (segments + 1) * 8, 0);
    void *results = device_put(d, 2, NULL, segments * size, 0);
    if (DEVICE_DID(d, scankit_segmented_reduce(d->context, type, op, from, marks, results, segments)))
        device_expect(d, 2, expected, segments, size, "results");
    free(expected);
}

static void check_lengths(device *d, const lengths_case *c)
{
    if (!device_case_is_due())
        return;
    size_t size = oracle_size(c->type), segments = 0, n = c->front;
    uint64_t *offsets = data_allocate(2 * (c->count[0] + c->count[1] + c->count[2]) + 1, sizeof *offsets);
    tap_case("%s %s: %zu of %zu, %zu of %zu, %zu of %zu, from %zu on%s, lead %zu", scankit_type_name(c->type),
             scankit_operator_name(c->op), c->count[0], c->length[0], c->count[1], c->length[1], c->count[2],
             c->length[2], c->front, c->empty ? ", empty ones between" : "", c->lead);
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < c->count[kind]; i++) {
            offsets[segments++] = n;
            if (c->empty)
                offsets[segments++] = n;
            n += c->length[kind];
        }
    offsets[segments] = n;
    scan_case operands = {.type = c->type, .op = c->op, .shape = DATA_BITS, .n = n, .seed = n + c->lead};
    char *in = data_allocate(n, size);
    fill_operands(&operands, in);
    check_offsets(d, c->type, c->op, in, offsets, segments, c->lead);
    free(in);
    free(offsets);
}

static const struct {
    scankit_type type;
    scankit_operator op;
} operations[] = {{SCANKIT_U8, SCANKIT_SUM},  {SCANKIT_U16, SCANKIT_AFFINE}, {SCANKIT_U32, SCANKIT_SUM},
                  {SCANKIT_U64, SCANKIT_MIN}, {SCANKIT_F16, SCANKIT_SUM},    {SCANKIT_F16, SCANKIT_MIN},
                  {SCANKIT_F32, SCANKIT_MAX}, {SCANKIT_F64, SCANKIT_SUM},    {SCANKIT_F64, SCANKIT_MIN}};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* Segments of one length, around each power of two and half way to the next. */
static void one_length(device *d)
{
    tap_begin("%s: segments of one length", d->name);
    for (int i = 0; i < OPERATIONS; i++)
        for (size_t edge = 4; edge <= 32768; edge *= 2)
            for (size_t k = 0; k < 6; k++) {
                size_t length = edge + k % 3 - 1 + (k < 3 ? 0 : edge / 2);
                lengths_case c = {operations[i].type,   operations[i].op, edge % 7, {length, 0, 0},
                                  {60000 / length + 3}, k % 2 == 1,       k % 4};
                check_lengths(d, &c);
            }
    tap_end();
}

/* A long segment after others: around the length from which on a GPU cuts segments, and far above. It is 2^15 elements
 * or 64 KiB behind the part, whose length depends on the mean length of segments. */
static void giants(device *d)
{
    tap_begin("%s: a giant among short segments", d->name);
    for (int i = 0; i < OPERATIONS; i++)
        for (size_t before = 0; before < 4; before++)
            for (size_t k = 0; k < 20; k++) {
                size_t size = oracle_size(operations[i].type), small = k % 2 == 0 ? 3 : 300;
                size_t cut = (size == 1 ? 32768 : 65536 / size) + (small == 300 ? 2048 : size == 8 ? 3072 : 4096);
                size_t giant = k < 16 ? cut - before * small + k / 2 - 4 : 5 * cut + k;
                lengths_case c = {operations[i].type,
                                  operations[i].op,
                                  k % 5,
                                  {small, giant, small},
                                  {before < 3 ? before : 400, 1 + k % 2, small == 3 ? 1400 : 100},
                                  k % 3 == 1,
                                  before % 2};
                check_lengths(d, &c);
            }
    /* Short ones in such a number that a GPU gives each a lane, which is too little for the giant. */
    for (size_t lead = 0; lead < 2; lead++) {
        lengths_case c = {SCANKIT_U8, SCANKIT_SUM, 3, {25, 66000, 25}, {430000, 1, 600000}, false, lead};
        check_lengths(d, &c);
    }
    tap_end();
}

/* A long segment in up to 8336 segments and more, of which each of up to 521 of a GPU's blocks has some: around the
 * lengths from which on a lane loads more vectors together, a warp loads several times, and blocks share a segment. */
static void few(device *d)
{
    static const size_t counts[] = {1, 224, 225, 521, 522, 896, 897, 1043, 8336, 8337};
    tap_begin("%s: few segments, and a long one among them", d->name);
    for (int i = 0; i < OPERATIONS; i++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
            for (size_t j = 0; j < 10; j++) {
                size_t size = oracle_size(operations[i].type), block = 4096 / size;
                size_t cut = 98304 / size + 2 * (size == 8 ? 2048 : 4096);
                const size_t lengths[] = {block + k % 2, 8 * block + k % 2, cut + k % 2, 3 * cut + 7,
                                          (size < 4 ? 4 : 8) * block + k % 4};
                size_t before = j == 6 && counts[k] > 50 ? 50 : (counts[k] - 1) * (j % 3) / 2;
                size_t small = j % 2 == 0 ? 3 : 20;
                lengths_case c = {operations[i].type,
                                  operations[i].op,
                                  k % 5,
                                  {small, lengths[j / 2], small},
                                  {before, 1, counts[k] - 1 - before},
                                  false,
                                  j % 2};
                check_lengths(d, &c);
            }
    /* Several of them, which lie together and apart. */
    for (int i = 0; i < OPERATIONS; i++)
        for (size_t k = 0; k < 6; k++) {
            size_t size = oracle_size(operations[i].type);
            const size_t length = (k < 2 ? 20000 : k < 4 ? 70000 : 140000) / size;
            lengths_case c = {operations[i].type, operations[i].op, k, {2, length, 2}, {700, 9, 2000}, k % 2 == 1, 0};
            check_lengths(d, &c);
        }
    /* Middle lengths for all: each block has several. */
    for (int i = 0; i < OPERATIONS; i++)
        for (size_t k = 0; k < 4; k++) {
            size_t vectors = 16 / oracle_size(operations[i].type);
            lengths_case c = {
                operations[i].type,           operations[i].op, k,    {40 * vectors + k, 0, 300 * vectors},
                {500 + 100 * k, k * 30, 700}, k % 2 == 1,       k % 2};
            check_lengths(d, &c);
        }
    /* Long ones, of which each block has several. */
    for (int i = 0; i < OPERATIONS; i++)
        if (oracle_size(operations[i].type) == 8) {
            lengths_case c = {operations[i].type, operations[i].op, 3, {1100, 40000, 1300}, {1500, 3, 700}, false, 1};
            check_lengths(d, &c);
        }
    tap_end();
}

/* A long segment at each n-th place. On a GPU all must not meet in a few of its blocks, which have up to 16 each. */
static void distances(device *d)
{
    static const size_t counts[] = {522, 1042, 1043, 5209, 7777, 8335, 8336}, apart[] = {1, 2, 3, 17, 257, 521, 683};
    enum { COUNTS = sizeof counts / sizeof *counts, DISTANCES = sizeof apart / sizeof *apart };
    tap_begin("%s: long segments at equal distances", d->name);
    for (size_t k = 0; k < COUNTS * DISTANCES; k++) {
        size_t segments = counts[k % COUNTS], distance = apart[k / COUNTS], first = k % distance;
        scan_case operands = {.type = operations[k % OPERATIONS].type,
                              .op = operations[k % OPERATIONS].op,
                              .shape = DATA_BITS,
                              .seed = k};
        if (!device_case_is_due())
            continue;
        tap_case("%s %s: %zu segments, long at each %zu", scankit_type_name(operands.type),
                 scankit_operator_name(operands.op), segments, distance);
        uint64_t *offsets = data_allocate(segments + 1, sizeof *offsets);
        offsets[0] = k % 5;
        for (size_t s = 0; s < segments; s++)
            offsets[s + 1] = offsets[s] + (s % distance == first ? (distance < 17 ? 211 : 3001) : s % 4);
        operands.n = offsets[segments];
        char *in = data_allocate(operands.n, oracle_size(operands.type));
        fill_operands(&operands, in);
        check_offsets(d, operands.type, operands.op, in, offsets, segments, k % 2);
        free(in);
        free(offsets);
    }
    tap_end();
}

/* ---- the order of floats ---- */

/* Kinds of segments. */
enum { ZEROS, MINUS_ZEROS, PLUS_ZEROS, ZEROS_AND_NAN, UP_TO_MINUS_ZERO, FROM_PLUS_ZERO, NANS, INFINITIES, FLOAT_KINDS };

/* `rare` for one element of the segment. */
static uint64_t float_of_kind(scankit_type type, unsigned kind, bool rare, random_state *random)
{
    unsigned width = oracle_bits(type), fraction = oracle_fraction(type);
    uint64_t r = random_next(random), one = 1, minus = one << (width - 1), sign = r & 1 ? minus : 0;
    uint64_t infinity = ((one << (width - 1 - fraction)) - 1) << fraction, payload = 1 + (r >> 8) % 1000;
    switch (kind) {
    case ZEROS: return sign;
    case MINUS_ZEROS: return minus;
    case PLUS_ZEROS: return 0;
    case ZEROS_AND_NAN: return rare ? sign | infinity | payload : sign;
    case UP_TO_MINUS_ZERO: return rare ? minus : minus | payload;
    case FROM_PLUS_ZERO: return rare ? 0 : payload;
    case NANS: return sign | infinity | payload;
    default: return rare ? infinity - payload : sign | infinity;
    }
}

static void float_kinds(device *d)
{
    static const scankit_type types[] = {SCANKIT_F16, SCANKIT_F32, SCANKIT_F64};
    static const size_t lengths[] = {2, 5, 40, 300, 2000, 9000};
    enum { SEGMENTS = 8 * FLOAT_KINDS };
    tap_begin("%s: zeros, infinities and NaN", d->name);
    for (size_t k = 0; k < 6 * 2 * 2 * 3; k++) {
        scankit_type type = types[k % 3];
        scankit_operator op = k / 3 % 2 == 0 ? SCANKIT_MIN : SCANKIT_MAX;
        size_t length = lengths[k / 12], lead = k / 6 % 2, size = oracle_size(type);
        if (!device_case_is_due())
            continue;
        tap_case("%s %s: segments of %zu, lead %zu", scankit_type_name(type), scankit_operator_name(op), length, lead);
        random_state random = random_seeded(k);
        uint64_t offsets[SEGMENTS + 1] = {0};
        for (size_t s = 0; s < SEGMENTS; s++)
            offsets[s + 1] = offsets[s] + length + s % 3;
        char *in = data_allocate(offsets[SEGMENTS], size);
        for (size_t s = 0; s < SEGMENTS; s++) {
            size_t rare = offsets[s] + random_below(&random, offsets[s + 1] - offsets[s]);
            for (size_t i = offsets[s]; i < offsets[s + 1]; i++)
                oracle_store(type, in, i, float_of_kind(type, s % FLOAT_KINDS, i == rare, &random));
        }
        check_offsets(d, type, op, in, offsets, SEGMENTS, lead);
        free(in);
    }
    tap_end();
}

static void test(device *d)
{
    for (int type = 0; type < ORACLE_TYPES; type++) {
        for (int op = 0; op < ORACLE_OPERATORS; op++)
            if (oracle_applies((scankit_operator)op, (scankit_type)type))
                segments_every_size(d, &way, (scankit_type)type, (scankit_operator)op);
        segments_every_structure(d, &way, (scankit_type)type);
    }
    empty_segments(d);
    one_length(d);
    giants(d);
    few(d);
    distances(d);
    float_kinds(d);
}

int main(void)
{
    return device_each("segmented reduce", test);
}
