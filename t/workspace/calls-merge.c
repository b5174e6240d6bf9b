/* calls-merge.c - merges of two arrays and of more. */
#include "calls.h"

/* The sorted thirds. */
typedef struct thirds {
    const void *keys[3], *values[3];
    size_t counts[3];
} thirds;

static thirds thirds_of(const place *p, size_t value_size)
{
    thirds t;
    size_t third = p->n / 3;
    for (size_t i = 0; i < 3; i++) {
        t.keys[i] = (const char *)p->sorted + i * third * p->size;
        t.values[i] = (const char *)p->values + i * third * value_size;
        t.counts[i] = i < 2 ? third : p->n - 2 * third;
    }
    return t;
}

static scankit_error merge(place *p)
{
    thirds t = thirds_of(p, 0);
    return place_has(p, 2 * t.counts[0] * p->size, 0,
                     scankit_merge(p->context, p->type, t.keys[0], t.counts[0], t.keys[1], t.counts[1], p->out, NULL));
}

static scankit_error merge_pairs_of(place *p, size_t value_size)
{
    thirds t = thirds_of(p, value_size);
    return place_has(p, 2 * t.counts[0] * p->size, 2 * t.counts[0] * value_size,
                     scankit_merge_pairs(p->context, p->type, t.keys[0], t.values[0], t.counts[0], t.keys[1],
                                         t.values[1], t.counts[1], p->out, value_size, p->more, NULL));
}

static scankit_error merge_pairs(place *p)
{
    return merge_pairs_of(p, 8);
}

static scankit_error merge_odd_pairs(place *p)
{
    return merge_pairs_of(p, 3);
}

static scankit_error merge_many(place *p)
{
    thirds t = thirds_of(p, 0);
    return place_has(p, p->n * p->size, 0, scankit_merge_many(p->context, p->type, 3, t.keys, t.counts, p->out, NULL));
}

static scankit_error merge_many_pairs(place *p)
{
    thirds t = thirds_of(p, 4);
    return place_has(
        p, p->n * p->size, p->n * 4,
        scankit_merge_many_pairs(p->context, p->type, 3, t.keys, t.values, t.counts, p->out, 4, p->more, NULL));
}

/* Records of one number, by two keys that are the same: no plain keys, but in the same order. */
static scankit_error merge_records(place *p)
{
    const scankit_key keys[] = {{.offset = 0, .type = p->type}, {.offset = 0, .type = p->type}};
    thirds t = thirds_of(p, 0);
    return place_has(
        p, 2 * t.counts[0] * p->size, 0,
        scankit_merge_records(p->context, p->size, keys, 2, t.keys[0], t.counts[0], t.keys[1], t.counts[1], p->out));
}

static scankit_error merge_many_records(place *p)
{
    const scankit_key keys[] = {{.offset = 0, .type = p->type}, {.offset = 0, .type = p->type}};
    thirds t = thirds_of(p, 0);
    return place_has(p, p->n * p->size, 0,
                     scankit_merge_many_records(p->context, p->size, keys, 2, 3, t.keys, t.counts, p->out));
}

const workspace_call merge_calls[] = {
    {"merge", merge, false, false},
    {"merge of pairs", merge_pairs, false, false},
    {"merge of odd pairs", merge_odd_pairs, false, false},
    {"merge of three", merge_many, false, false},
    {"merge of three with values", merge_many_pairs, false, false},
    {"merge of records", merge_records, false, false},
    {"merge of three with records", merge_many_records, false, false},
    {NULL, NULL, false, false},
};
