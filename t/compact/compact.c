/* compact.c - compaction keeps what matches, in order, in place and not: of every type and of records of many sizes, by
 * a predicate and by flags, at every size around tiles and powers of two, at odd alignments, with few matches and many;
 * on a GPU by each of its engines. */
#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

#define LONGEST 70000
#define MOST_BYTES 1000000 /* of one case of large elements */

static bool yes_or_no(random_state *random)
{
    return random_next(random) & 1;
}

/* Draws the members of a case other than element, size, share and evaluation. */
static void draw_rest(compact_case *c, random_state *random)
{
    static const compact_want wants[] = {COMPACT_ELEMENTS, COMPACT_ELEMENTS, COMPACT_POSITIONS, COMPACT_BOTH,
                                         COMPACT_MATCHING, COMPACT_OTHERS,   COMPACT_COUNT};
    c->want = wants[random_below(random, c->by_flags ? 3 : sizeof wants / sizeof *wants)];
    c->in_place = yes_or_no(random) && compact_goes_in_place(c->want);
    c->invert = random_below(random, 3) == 0;
    c->want_count = random_below(random, 4) != 0 || c->want == COMPACT_COUNT;
    c->exact_room = yes_or_no(random);
    c->first = yes_or_no(random) ? 0 : random_next(random) >> (1 + random_below(random, 63));
    c->in_lead = yes_or_no(random) ? random_below(random, 20) : 0;
    c->out_lead = yes_or_no(random) ? random_below(random, 20) : 0;
    c->seed = random_next(random);
}

/* Powers of two, and every multiple of `step` elements, each with its neighbours. */
static size_t next_edge(size_t n, size_t step)
{
    for (size_t next = n + 1;; next++)
        for (size_t edge = next - (next > 0); edge <= next + 1; edge++)
            if (edge % step == 0 || (edge & (edge - 1)) == 0)
                return next;
}

static void every_size(device *d, scankit_type type)
{
    random_state random = random_seeded(type);
    compact_case c = {.type = type};
    tap_begin("%s: %s: sizes up to %d around edges", d->name, scankit_type_name(type), LONGEST);
    for (c.n = 0; c.n < LONGEST; c.n = next_edge(c.n, 1024)) {
        c.share = (compact_share)random_below(&random, SHARE_COUNT);
        draw_rest(&c, &random);
        check_compact(d, &c);
    }
    tap_end();
}

/* Each share of matches with each choice of outputs. */
static void every_want(device *d, scankit_type type, scankit_evaluation evaluation, const char *how)
{
    random_state random = random_seeded(type + 100);
    compact_case c = {.type = type, .evaluation = evaluation};
    bool there = true;
    tap_begin("%s: %s: every share, all outputs%s", d->name, scankit_type_name(type), how);
    for (int share = 0; share < SHARE_COUNT; share++)
        for (int want = 0; want < COMPACT_WANT_COUNT && there; want++)
            for (int twice = 0; twice < 2 && there; twice++) {
                c.n = 1 + random_below(&random, LONGEST);
                draw_rest(&c, &random);
                c.share = (compact_share)share;
                c.want = (compact_want)want;
                c.in_place = twice == 1 && compact_goes_in_place(c.want);
                there = check_compact(d, &c);
            }
    if (there)
        tap_end();
    else
        tap_skip("no NVRTC", "%s: %s%s", d->name, scankit_type_name(type), how);
}

/* In place, where a tile that writes too early destroys input of another tile. */
static void in_place(device *d, scankit_type type)
{
    size_list edges = data_edge_sizes(131072);
    compact_case c = {.type = type, .in_place = true, .want_count = true};
    tap_begin("%s: %s: in place at every alignment", d->name, scankit_type_name(type));
    for (size_t s = 0; s < edges.count; s++)
        for (c.in_lead = 0; c.in_lead < 64 / oracle_size(type); c.in_lead += s < 30 ? 1 : 7) {
            static const compact_share shares[] = {SHARE_HALF, SHARE_CLUSTERED, SHARE_ALL};
            c.n = edges.size[s];
            c.seed++;
            c.share = shares[c.seed % 3];
            check_compact(d, &c);
        }
    tap_end();
}

/* Long enough for many tiles on every thread and every multiprocessor. */
static void long_arrays(device *d, scankit_type type)
{
    random_state random = random_seeded(type + 200);
    compact_case c = {.type = type};
    tap_begin("%s: %s: long arrays", d->name, scankit_type_name(type));
    for (int share = 0; share < SHARE_COUNT; share++)
        for (int place = 0; place < 2; place++) {
            c.n = (scankit_is_host(d->context) ? 500003 : 2500003) + random_below(&random, 100000);
            draw_rest(&c, &random);
            c.share = (compact_share)share;
            c.in_place = place == 1;
            c.want = place == 1 ? COMPACT_BOTH : COMPACT_ELEMENTS;
            check_compact(d, &c);
        }
    tap_end();
}

/* Bytes of a tile of the ring (compact_shape in cuda/device/tuning.cuh), and of a warp's part of it. */
#define RING_PARTS 10
#define RING_PART ((size_t)4608)
#define RING_TILE (RING_PARTS * RING_PART)

#define TWO_TILES (2 * RING_PARTS + 1) /* edges of parts up to there */

/* In tiles: one more than an H100 has multiprocessors, and enough to use each slot of the ring several times. */
static size_t edge_bytes(size_t edge)
{
    static const size_t tiles[] = {3, 5, 6, 9, 133, 1200};
    return edge < TWO_TILES ? edge * RING_PART : tiles[edge - TWO_TILES] * RING_TILE;
}
#define RING_EDGES (TWO_TILES + 6)

static void around_an_edge(device *d, compact_case *c, size_t bytes, size_t element_size)
{
    size_t n = bytes / element_size, from_16 = 16 / element_size, last = bytes < 1 << 20 ? n + 1 : n - 1;
    for (size_t near = n < 2 ? 0 : n - 2; near <= last; near++) {
        static const compact_share shares[] = {SHARE_HALF, SHARE_CLUSTERED, SHARE_ALL, SHARE_RARE, SHARE_NONE};
        c->seed++;
        c->in_lead = c->seed % 3 == 0 ? c->seed / 3 % from_16 : 0; /* in elements; by flags it is bytes */
        c->n = near < c->in_lead ? near : near - (c->seed % 2) * c->in_lead;
        c->in_lead *= c->by_flags ? element_size : 1;
        c->out_lead = c->seed % 7 * (c->by_flags ? element_size : 1);
        c->share = shares[c->seed % 5];
        c->in_place = c->seed / 2 % 2 == 1 && compact_goes_in_place(c->want);
        c->invert = c->seed % 11 == 0;
        c->want_count = c->seed % 4 != 0;
        check_compact(d, c);
    }
}

static void ring_edges(device *d, scankit_type type)
{
    static const compact_want wants[] = {COMPACT_ELEMENTS, COMPACT_BOTH, COMPACT_POSITIONS, COMPACT_OTHERS};
    compact_case c = {.type = type, .element_size = oracle_size(type), .evaluation = SCANKIT_COMPILE};
    tap_begin("%s: %s: around edges of tiles", d->name, scankit_type_name(type));
    for (size_t edge = 0; edge < RING_EDGES; edge++)
        for (int way = 0; way < 3; way++) {
            c.by_flags = way == 0;
            c.want = way < 2 ? COMPACT_ELEMENTS : wants[edge % 4];
            around_an_edge(d, &c, edge_bytes(edge), c.element_size);
        }
    tap_end();
}

static void edges(device *d)
{
    ring_edges(d, SCANKIT_U8);
    ring_edges(d, SCANKIT_U16);
    ring_edges(d, SCANKIT_U32);
    ring_edges(d, SCANKIT_F64);
}

static void sized(device *d, size_t size, bool by_flags)
{
    random_state random = random_seeded(2 * size + by_flags);
    compact_case c = {.element_size = size, .by_flags = by_flags, .by_records = !by_flags};
    size_t longest = MOST_BYTES / size < LONGEST ? MOST_BYTES / size : LONGEST;
    tap_begin("%s: %zu bytes by %s", d->name, size, by_flags ? "flags" : "a record's field");
    size_t step = longest > 20000 ? 2048 : longest > 1000 ? 128 : 8;
    for (c.n = 0; c.n <= longest; c.n = next_edge(c.n, step)) {
        static const scankit_type types[] = {SCANKIT_U8,  SCANKIT_U32, SCANKIT_I64,
                                             SCANKIT_F16, SCANKIT_F32, SCANKIT_F64};
        draw_rest(&c, &random);
        c.type = types[random_below(&random, sizeof types / sizeof *types)];
        c.share = (compact_share)random_below(&random, SHARE_COUNT);
        if (random_below(&random, 3) == 0) {
            c.in_lead *= size;
            c.out_lead *= size;
        }
        check_compact(d, &c);
    }
    tap_end();
}

static void test(device *d)
{
    static const size_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 24, 100, 1000, 5000, 20000, 70000};
    for (int type = 0; type < ORACLE_TYPES; type++) {
        every_size(d, (scankit_type)type);
        every_want(d, (scankit_type)type, SCANKIT_INTERPRET, "");
        if (!scankit_is_host(d->context))
            every_want(d, (scankit_type)type, SCANKIT_COMPILE, ", compiled");
        in_place(d, (scankit_type)type);
    }
    long_arrays(d, SCANKIT_U8);
    long_arrays(d, SCANKIT_U32);
    long_arrays(d, SCANKIT_F64);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        sized(d, sizes[s], false);
        sized(d, sizes[s], true);
    }
    if (!scankit_is_host(d->context))
        device_each_engine(d, edges);
}

int main(void)
{
    return device_each("compaction", test);
}
