/* case-merge-many.c - merges of many arrays against the oracle: see cases.h */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "oracle.h"
#include "tap.h"

enum { KEYS, VALUES, COLUMNS };

/* A column: all arrays one after the other, the same with gaps, and the expected result. */
typedef struct many_column {
    size_t size;
    char *joined, *spread, *expected;
    const void **arrays; /* on the device */
} many_column;

typedef struct many {
    many_column column[COLUMNS];
    size_t *counts;
    uint64_t *positions;
} many;

static const char *deal_name(many_deal deal)
{
    static const char *const names[] = {
#define X(enumerator, name) name,
        MANY_DEALS(X)
#undef X
    };
    return names[deal];
}

/* The array that gets element i of the sorted ones. */
static size_t owner_of(const merge_many_case *c, size_t i, random_state *random)
{
    size_t k = c->k, range = c->n == 0 ? 0 : i * k / c->n, owner = 0;
    switch (c->deal) {
    case MANY_ALTERNATE: return i % k;
    case MANY_RANGES: return c->seed % 2 ? range : k - 1 - range;
    case MANY_ONE: return random_below(random, 500) == 0 ? random_below(random, k) : k / 2;
    case MANY_FEW: return random_below(random, (k + 7) / 8) * 8;
    case MANY_HALVES:
        while (owner + 1 < k && random_below(random, 2) != 0)
            owner++;
        return owner;
    default: return random_below(random, k);
    }
}

static void sort_positions(const merge_many_case *c, const void *elements, uint64_t *positions)
{
    if (c->records != NULL)
        oracle_argsort_records(c->records->keys, c->records->key_count, c->records->record_size, elements, positions,
                               c->n);
    else
        oracle_argsort(c->type, &c->options, elements, positions, c->n);
}

/* Deals sorted elements to the arrays. */
static void make_keys(const merge_many_case *c, many *m)
{
    size_t size = m->column[KEYS].size;
    char *drawn = data_allocate(c->n, size);
    size_t *owners = data_allocate(c->n, sizeof *owners), *ends = data_allocate(c->k + 1, sizeof *ends);
    random_state random = random_seeded(~c->seed);
    if (c->records != NULL)
        fill_records(c->records, drawn);
    else
        data_fill(drawn, c->type, c->shape, c->n, c->seed);
    sort_positions(c, drawn, m->positions);
    memset(ends, 0, (c->k + 1) * sizeof *ends);
    for (size_t i = 0; i < c->n; i++)
        m->counts[owners[i] = owner_of(c, i, &random)]++;
    for (size_t i = 0; i < c->k; i++)
        ends[i + 1] = ends[i] + m->counts[i];
    for (size_t i = 0; i < c->n; i++)
        memcpy(m->column[KEYS].joined + ends[owners[i]]++ * size, drawn + m->positions[i] * size, size);
    free(drawn);
    free(owners);
    free(ends);
}

static void spread(const merge_many_case *c, const many *m, many_column *column)
{
    size_t from = 0, to = 0;
    for (size_t i = 0; i < c->k; i++) {
        memcpy(column->spread + to * column->size, column->joined + from * column->size, m->counts[i] * column->size);
        from += m->counts[i];
        to += m->counts[i] + c->gap;
    }
}

static void make_arrays(const merge_many_case *c, many *m)
{
    size_t room = c->n + c->k * c->gap;
    memset(m, 0, sizeof *m);
    m->column[KEYS].size = c->records != NULL ? c->records->record_size : oracle_size(c->type);
    m->column[VALUES].size = c->value_size;
    m->counts = data_allocate(c->k, sizeof *m->counts);
    memset(m->counts, 0, c->k * sizeof *m->counts);
    m->positions = data_allocate(c->n, sizeof *m->positions);
    for (int i = 0; i < COLUMNS; i++) {
        many_column *column = &m->column[i];
        column->joined = data_allocate(c->n, column->size);
        column->expected = data_allocate(c->n, column->size);
        column->spread = data_allocate(room, column->size);
        column->arrays = data_allocate(c->k, sizeof *column->arrays);
        data_fill_bytes(column->joined, c->n * column->size, c->seed + (uint64_t)i);
        data_fill_bytes(column->spread, room * column->size, c->seed + (uint64_t)i);
    }
    make_keys(c, m);
    /* The stable merge is the stable sort of all arrays one after the other. */
    sort_positions(c, m->column[KEYS].joined, m->positions);
    for (int i = 0; i < COLUMNS; i++) {
        spread(c, m, &m->column[i]);
        oracle_gather(m->column[i].size, m->column[i].joined, m->positions, m->column[i].expected, c->n);
    }
}

static void free_arrays(many *m)
{
    for (int i = 0; i < COLUMNS; i++) {
        free(m->column[i].joined);
        free(m->column[i].spread);
        free(m->column[i].expected);
        free(m->column[i].arrays);
    }
    free(m->counts);
    free(m->positions);
}

/* Puts a column and its result to the device. Some empty arrays are NULL. */
static void *put_column(device *d, const merge_many_case *c, const many *m, int which, size_t lead)
{
    const many_column *column = &m->column[which];
    const char *base = device_put(d, (unsigned)which, column->spread, (c->n + c->k * c->gap) * column->size, lead);
    for (size_t i = 0, at = 0; i < c->k; at += m->counts[i++] + c->gap)
        column->arrays[i] = m->counts[i] > 0 || (base != NULL && (i + c->seed) % 2) ? base + at * column->size : NULL;
    return device_put(d, (unsigned)which + COLUMNS, NULL, c->n * column->size, 2 * lead);
}

static bool run(device *d, const merge_many_case *c, const many *m)
{
    const many_column *keys = &m->column[KEYS], *values = &m->column[VALUES];
    size_t lead = c->records != NULL ? c->lead : c->lead * keys->size, v = values->size;
    const scankit_sort_options *options = c->options.descending || c->options.end_bit ? &c->options : NULL;
    void *out = put_column(d, c, m, KEYS, lead);
    if (c->records != NULL)
        return DEVICE_DID(d, scankit_merge_many_records(d->context, keys->size, c->records->keys, c->records->key_count,
                                                        c->k, keys->arrays, m->counts, out));
    if (v == 0)
        return DEVICE_DID(d, scankit_merge_many(d->context, c->type, c->k, keys->arrays, m->counts, out, options));
    void *values_out = put_column(d, c, m, VALUES, c->seed % 4 == 0 ? c->lead : c->lead * v);
    return DEVICE_DID(d, scankit_merge_many_pairs(d->context, c->type, c->k, keys->arrays, values->arrays, m->counts,
                                                  out, v, values_out, options));
}

void check_merge_many(device *d, const merge_many_case *c)
{
    if (!device_case_is_due())
        return;
    many m;
    tap_case("merge of %zu, %s %zu%s bits %u-%u n %zu %s value %zu shape %s gap %zu lead %zu seed %llu", c->k,
             c->records != NULL ? "records of" : scankit_type_name(c->type),
             c->records != NULL ? c->records->record_size : oracle_size(c->type),
             c->options.descending ? " descending" : "", c->options.begin_bit, c->options.end_bit, c->n,
             deal_name(c->deal), c->value_size, data_shape_name(c->shape), c->gap, c->lead,
             (unsigned long long)c->seed);
    make_arrays(c, &m);
    if (run(d, c, &m))
        for (int i = 0; i < COLUMNS; i++) {
            const many_column *column = &m.column[i];
            if (column->size == 0)
                continue;
            device_expect(d, (unsigned)(i + COLUMNS), column->expected, c->n, column->size,
                          i == KEYS ? "keys" : "values");
            device_expect(d, (unsigned)i, column->spread, c->n + c->k * c->gap, column->size, "input");
        }
    free_arrays(&m);
}
