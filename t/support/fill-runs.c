/* fill-runs.c - elements whose runs have a structure, and keys that they are equal by: see cases.h
 *
 * Each run's key differs from the one before in one compared byte, mostly in one bit of it. With keys, all other bytes
 * of an element are random, also within a run. */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "oracle.h"

void random_run_keys(rle_case *c, random_state *random)
{
    size_t size = c->element_size, end = 0;
    c->key_count = 1 + random_size(random, RLE_KEYS);
    for (size_t k = 0; k < c->key_count; k++) {
        scankit_key *key = &c->keys[k];
        random_key(key, size, random);
        if (random_below(random, 4) == 0) { /* long ones */
            key->type = SCANKIT_BYTES;
            key->size = 1 + random_below(random, size);
            key->offset = random_below(random, size - key->size + 1);
        }
        size_t width = key->type == SCANKIT_BYTES ? key->size : oracle_size(key->type);
        if (random_below(random, 3) == 0 && width <= size - end) /* next to the one before */
            key->offset = end;
        end = key->offset + width;
    }
}

/* ---- lengths of runs ---- */

struct lengths {
    random_state random;
    run_structure structure;
    size_t n, run; /* the number of the next run */
    size_t first, length;
    size_t apart; /* runs from pair to pair */
};

static struct lengths lengths_of(const rle_case *c)
{
    struct lengths l = {.random = random_seeded(c->seed), .structure = c->structure, .n = c->n};
    l.length = ((size_t)1 << random_below(&l.random, 17)) + random_below(&l.random, 3);
    l.length = l.length > 1 ? l.length - 1 : 1;
    l.first = 1 + random_below(&l.random, l.length);
    l.apart =
        2 * (c->element_size == 2 ? 39424 : 41472) / c->element_size; /* two tiles of the ring that encodes runs */
    l.apart = l.apart > 2 ? l.apart - 1 : 1;
    return l;
}

static size_t wanted_length(struct lengths *l)
{
    size_t run = l->run++, length = 1, tile;
    switch (l->structure) {
    case RUNS_ONE: return l->n;
    case RUNS_PAIRS: return run > 0 && run % l->apart == 0 ? 2 : 1;
    case RUNS_ENDS: return run == 1 && l->n > 2 ? l->n - 2 : 1;
    case RUNS_EVEN: return run == 0 ? l->first : l->length;
    case RUNS_STRADDLE: /* the first ends before the edge of a tile, and each second one lies across an edge */
        tile = (size_t)32 << l->first % 10;
        return run == 0 ? tile - 1 : run % 2 == 1 ? 2 : tile - 2;
    case RUNS_EDGES: return ((size_t)1 << (1 + random_below(&l->random, 16))) - 1 + random_below(&l->random, 3);
    case RUNS_GEOMETRIC:
        while (random_below(&l->random, 8) != 0)
            length++;
        return length;
    case RUNS_SHORT: return 1 + random_below(&l->random, 1 + l->first % 80);
    case RUNS_DOUBLING: return (size_t)1 << (run < 40 ? run : 40);
    case RUNS_RANDOM: return 1 + random_size(&l->random, l->n);
    default: return 1;
    }
}

static size_t next_length(struct lengths *l, size_t left)
{
    size_t length = wanted_length(l);
    return length < left ? length : left;
}

/* ---- what they hold ---- */

/* A byte that counts. */
static size_t some_byte(const rle_case *c, random_state *random)
{
    if (c->key_count == 0)
        return random_below(random, c->element_size);
    const scankit_key *key = &c->keys[random_below(random, c->key_count)];
    return key->offset + random_below(random, key->type == SCANKIT_BYTES ? key->size : oracle_size(key->type));
}

static void change(const rle_case *c, unsigned char *model, random_state *random)
{
    random_state same = random_seeded(c->seed);
    bool alternating = c->structure == RUNS_ALTERNATING;
    size_t at = some_byte(c, alternating ? &same : random);
    unsigned char was = model[at], bits = (unsigned char)(1u << (alternating ? c->seed : random_next(random)) % 8);
    if (!alternating && random_below(random, 8) == 0) {
        data_fill_bytes(model, c->element_size, random_next(random));
        bits = (unsigned char)(1 + random_below(random, 255));
    }
    model[at] = was ^ bits;
}

static void fill_element(const rle_case *c, unsigned char *element, const unsigned char *model)
{
    if (c->key_count == 0) {
        memcpy(element, model, c->element_size);
        return;
    }
    for (size_t k = 0; k < c->key_count; k++) {
        const scankit_key *key = &c->keys[k];
        memcpy(element + key->offset, model + key->offset,
               key->type == SCANKIT_BYTES ? key->size : oracle_size(key->type));
    }
}

void fill_runs(const rle_case *c, void *elements)
{
    random_state random = random_seeded(~c->seed);
    struct lengths lengths = lengths_of(c);
    unsigned char *model = data_allocate(1, c->element_size), *element = elements;
    data_fill_bytes(model, c->element_size, random_next(&random));
    if (c->key_count > 0)
        data_fill_bytes(elements, c->n * c->element_size, random_next(&random));
    for (size_t i = 0; i < c->n;) {
        for (size_t left = next_length(&lengths, c->n - i); left > 0; left--, i++, element += c->element_size)
            fill_element(c, element, model);
        change(c, model, &random);
    }
    free(model);
}
