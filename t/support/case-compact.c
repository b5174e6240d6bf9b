/* case-compact.c - compaction by a predicate and by flags against the oracle: see cases.h
 *
 * Elements are random bytes with a mark in them, which the predicate reads: the lowest bit of an integer, the sign of a
 * float. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "oracle.h"
#include "tap.h"

/* ---- predicates that read a mark: compiled once, because a GPU may take long to compile each ---- */

struct marking {
    scankit_type type; /* of the field with the mark */
    bool records, big_endian;
    size_t element_size, offset;
};

struct reader {
    struct marking by;
    scankit_predicate *predicate;
    struct reader *next;
};

static size_t element_size(const compact_case *c)
{
    return c->by_flags || c->by_records ? c->element_size : oracle_size(c->type);
}

/* The seed chooses the beginning, the middle or the end of the record. */
static struct marking marking_of(const compact_case *c)
{
    struct marking m = {.type = c->type, .records = c->by_records, .element_size = element_size(c)};
    if (!c->by_records)
        return m;
    if (oracle_size(m.type) > m.element_size)
        m.type = SCANKIT_U8;
    size_t room = m.element_size - oracle_size(m.type), places[] = {0, room / 2, room};
    m.offset = places[c->seed % 3];
    m.big_endian = c->seed % 2 == 1 && oracle_size(m.type) > 1;
    return m;
}

static scankit_predicate *compile_reader(const struct marking *by)
{
    bool real = oracle_kind(by->type) == ORACLE_FLOAT;
    scankit_predicate *predicate = NULL;
    scankit_layout *layout = NULL;
    size_t after = by->element_size - by->offset - oracle_size(by->type);
    scankit_error error;
    if (!by->records) {
        error = scankit_predicate_compile(&predicate, by->type, real ? "x < 0" : "x & 1", NULL, NULL);
    } else {
        error = scankit_layout_create(&layout);
        if (error == SCANKIT_OK && by->offset > 0)
            error = scankit_layout_append(layout, "", SCANKIT_BYTES, by->offset, 0);
        if (error == SCANKIT_OK)
            error = scankit_layout_append(layout, "mark", by->type, 0, by->big_endian);
        if (error == SCANKIT_OK && after > 0)
            error = scankit_layout_append(layout, "", SCANKIT_BYTES, after, 0);
        if (error == SCANKIT_OK)
            error = scankit_predicate_compile_records(&predicate, layout, real ? "mark < 0" : "mark & 1", NULL, NULL);
        scankit_layout_destroy(layout);
    }
    if (error != SCANKIT_OK)
        tap_fail("the predicate: %s", scankit_error_string(error));
    return predicate;
}

static const scankit_predicate *reader_of(const compact_case *c)
{
    static struct reader *readers;
    struct marking by = marking_of(c);
    struct reader *r = readers;
    while (r != NULL && (r->by.type != by.type || r->by.records != by.records || r->by.offset != by.offset ||
                         r->by.big_endian != by.big_endian || r->by.element_size != by.element_size))
        r = r->next;
    if (r == NULL) {
        r = data_allocate(1, sizeof *r);
        *r = (struct reader){by, compile_reader(&by), readers};
        readers = r;
    }
    return r->predicate;
}

/* ---- elements ---- */

static void choose(const compact_case *c, uint8_t *marked)
{
    random_state random = random_seeded(c->seed);
    size_t run = 0;
    bool in_run = random_next(&random) & 1;
    for (size_t i = 0; i < c->n; i++) {
        switch (c->share) {
        case SHARE_NONE: marked[i] = 0; break;
        case SHARE_RARE: marked[i] = random_below(&random, 1000) == 0; break;
        case SHARE_HALF: marked[i] = random_next(&random) & 1; break;
        case SHARE_ALL: marked[i] = 1; break;
        case SHARE_CLUSTERED:
            if (run-- == 0) {
                in_run = !in_run;
                run = random_size(&random, 10000);
            }
            marked[i] = in_run;
            break;
        default: marked[i] = i == 0 || i == c->n - 1;
        }
    }
}

static void mark(const struct marking *by, char *elements, size_t n, const uint8_t *marked)
{
    size_t size = oracle_size(by->type);
    bool real = oracle_kind(by->type) == ORACLE_FLOAT;
    for (size_t i = 0; i < n; i++) {
        char *field = elements + i * by->element_size + by->offset;
        char *lowest = field + (by->big_endian ? size - 1 : 0), *highest = field + (by->big_endian ? 0 : size - 1);
        if (real)
            *highest = (char)(marked[i] ? 0xc1 : 0x41); /* no NaN, and no zero */
        else
            *lowest = (char)((*lowest & 0xfe) | marked[i]);
    }
}

/* ---- the call ---- */

/* Areas of the device. */
enum { IN, FLAGS, MATCHING, OTHERS };

struct parts {
    char *in, *part[2]; /* elements that do not match, elements that match */
    uint8_t *marked;    /* and flags */
    uint64_t *positions;
    size_t count[2];
};

static struct parts make_parts(const compact_case *c)
{
    size_t size = element_size(c);
    struct parts p = {.in = data_allocate(c->n, size), .marked = data_allocate(c->n, 1)};
    struct marking by = marking_of(c);
    p.part[0] = data_allocate(c->n, size);
    p.part[1] = data_allocate(c->n, size);
    p.positions = data_allocate(c->n, sizeof *p.positions);
    data_fill_bytes(p.in, c->n * size, ~c->seed);
    choose(c, p.marked);
    if (!c->by_flags)
        mark(&by, p.in, c->n, p.marked);
    for (size_t i = 0; i < c->n; i++) {
        bool matches = (p.marked[i] != 0) != c->invert;
        memcpy(p.part[matches] + p.count[matches]++ * size, p.in + i * size, size);
        if (matches)
            p.positions[p.count[1] - 1] = c->first + i;
        p.marked[i] = (uint8_t)(p.marked[i] != 0 ? 1u << (i * 5 + c->seed) % 8 : 0); /* a flag is any bit */
    }
    return p;
}

static void release_parts(struct parts *p)
{
    free(p->in);
    free(p->part[0]);
    free(p->part[1]);
    free(p->positions);
    free(p->marked);
}

/* Exact room or room for all elements. A wanted output is NULL only if there are no elements. */
static size_t room(const compact_case *c, size_t count)
{
    size_t wanted = c->exact_room ? count : c->n;
    return wanted == 0 && c->n > 0 ? 1 : wanted;
}

static scankit_error call(device *d, const compact_case *c, const struct parts *p, size_t *count)
{
    const scankit_compact_options options = {.invert = c->invert, .first = c->first, .evaluation = c->evaluation};
    bool plain = !c->invert && c->first == 0 && c->evaluation == SCANKIT_EVALUATE_AUTO && c->seed % 2 == 0;
    const scankit_compact_options *given = plain ? NULL : &options;
    scankit_context *ctx = d->context;
    size_t size = element_size(c), unit = (c->by_flags && c->gallery == NULL) || c->by_records ? 1 : size;
    void *in = device_put(d, IN, p->in, c->n * size, c->in_lead * unit), *matching = NULL, *others = NULL;
    const uint8_t *flags = NULL;
    uint64_t *positions = NULL;
    if (c->by_flags)
        flags = device_put(d, FLAGS, p->marked, c->n, c->out_lead);
    if (compact_goes_in_place(c->want))
        matching = c->in_place ? in : device_put(d, MATCHING, NULL, room(c, p->count[1]) * size, c->out_lead * unit);
    if (c->want == COMPACT_BOTH || c->want == COMPACT_OTHERS)
        others = device_put(d, OTHERS, NULL, room(c, p->count[0]) * size, c->in_lead * unit);
    if (c->want == COMPACT_POSITIONS)
        positions = device_put(d, MATCHING, NULL, room(c, p->count[1]) * sizeof *positions, 8 * c->out_lead);
    if (c->gallery != NULL)
        return scankit_gallery_compact(ctx, c->gallery, c->type, in, flags, matching, c->n, count);
    if (c->by_flags)
        return c->want == COMPACT_POSITIONS ? scankit_compact_flags_positions(ctx, flags, positions, c->n, given, count)
                                            : scankit_compact_flags(ctx, size, in, flags, matching, c->n, given, count);
    if (c->want == COMPACT_POSITIONS)
        return scankit_compact_positions(ctx, reader_of(c), in, positions, c->n, given, count);
    if (c->want == COMPACT_ELEMENTS)
        return scankit_compact(ctx, reader_of(c), in, matching, c->n, given, count);
    return scankit_split_predicate(ctx, reader_of(c), in, matching, others, c->n, given, count);
}

static void expect(device *d, const compact_case *c, const struct parts *p)
{
    size_t size = element_size(c);
    if (c->n == 0)
        return;
    if (c->want == COMPACT_POSITIONS)
        device_expect_part(d, MATCHING, p->positions, p->count[1], sizeof *p->positions, "positions");
    else if (compact_goes_in_place(c->want) && c->in_place)
        device_expect(d, IN, p->part[1], p->count[1], size, "matching, in place");
    else if (compact_goes_in_place(c->want))
        device_expect_part(d, MATCHING, p->part[1], p->count[1], size, "matching");
    if (c->want == COMPACT_BOTH || c->want == COMPACT_OTHERS)
        device_expect_part(d, OTHERS, p->part[0], p->count[0], size, "others");
    if (!c->in_place)
        device_expect(d, IN, p->in, c->n, size, "input");
    if (c->by_flags)
        device_expect(d, FLAGS, p->marked, c->n, 1, "flags");
}

static void describe(const compact_case *c)
{
    static const char *const shares[] = {
#define X(enumerator, name) name,
        COMPACT_SHARES(X)
#undef X
    };
    static const char *const wants[] = {
#define X(enumerator, name) name,
        COMPACT_WANTS(X)
#undef X
    };
    static const char *const evaluations[] = {
#define X(enumerator, name, text) name,
        SCANKIT_EVALUATIONS(X)
#undef X
    };
    char what[64];
    if (c->gallery != NULL)
        snprintf(what, sizeof what, "%s %s", c->gallery, scankit_type_name(c->type));
    else if (c->by_flags)
        snprintf(what, sizeof what, "%zu bytes by flags", c->element_size);
    else if (c->by_records)
        snprintf(what, sizeof what, "records of %zu by %s", c->element_size, scankit_type_name(c->type));
    else
        snprintf(what, sizeof what, "%s", scankit_type_name(c->type));
    tap_case("compact %s n %zu %s of %s%s%s%s%s first %llu %s leads %zu %zu seed %llu", what, c->n, wants[c->want],
             shares[c->share], c->in_place ? " in place" : "", c->invert ? " inverted" : "",
             c->want_count ? " counted" : "", c->exact_room ? " exact room" : "", (unsigned long long)c->first,
             evaluations[c->evaluation], c->in_lead, c->out_lead, (unsigned long long)c->seed);
}

bool check_compact(device *d, const compact_case *c)
{
    if (!device_case_is_due())
        return true;
    size_t count = ~(size_t)0;
    struct parts p = make_parts(c);
    describe(c);
    scankit_error error = call(d, c, &p, c->want_count ? &count : NULL);
    bool absent = error == SCANKIT_E_NO_DEVICE && c->evaluation == SCANKIT_COMPILE;
    if (!absent && device_did(d, error, "compaction")) {
        expect(d, c, &p);
        if (c->want_count && count != p.count[1])
            tap_fail("count is %zu, should be %zu", count, p.count[1]);
    }
    release_parts(&p);
    return !absent;
}
