/* place.c - see place.h */
#include "place.h"

#include <stdlib.h>
#include <string.h>

#include "support/tap.h"

static void must(const place *p, scankit_error error)
{
    if (error != SCANKIT_OK)
        tap_bail_out("arrays of a workspace test: %s", scankit_error_detail(p->owner));
}

static void *allocate(const place *p, size_t bytes)
{
    void *memory = NULL;
    must(p, scankit_allocate(p->owner, &memory, bytes + 64));
    return memory;
}

void place_open(place *p, scankit_context *owner, scankit_type type, size_t n)
{
    *p = (place){.context = owner, .owner = owner, .type = type, .size = scankit_type_size(type), .n = n};
    p->in = allocate(p, PLACE_ROOM(n));
    p->sorted = allocate(p, n * p->size);
    p->values = allocate(p, n * 8);
    p->flags = allocate(p, n);
    p->segments = n / 50 + 1;
    p->offsets = allocate(p, (p->segments + 1) * sizeof *p->offsets);
    p->counts = allocate(p, (n / 4 + 1) * sizeof *p->counts);
    p->out = allocate(p, PLACE_ROOM(n));
    p->more = allocate(p, PLACE_ROOM(n));
    must(p, scankit_predicate_compile(&p->predicate, type, "x > 3", NULL, NULL));
}

void place_close(place *p)
{
    void *all[] = {p->in, p->sorted, p->values, p->flags, p->offsets, p->counts, p->out, p->more};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        scankit_free(p->owner, all[i]);
    scankit_predicate_destroy(p->predicate);
}

static void put(const place *p, void *to, const void *host, size_t bytes)
{
    must(p, scankit_upload(p->owner, to, host, bytes));
}

static void fill_segments(place *p, random_state *random)
{
    uint64_t *offsets = data_allocate(p->segments + 1, sizeof *offsets);
    size_t count = p->segments + 1, at = p->n / 100;
    for (size_t s = 0; s < count; s++) {
        offsets[s] = at;
        at += s == 1 ? p->n / 3 : random_below(random, 60);
        at = at < p->n ? at : p->n;
    }
    put(p, p->offsets, offsets, count * sizeof *offsets);
    free(offsets);
}

static void fill_counts(place *p, random_state *random)
{
    uint64_t *counts = data_allocate(p->n / 4 + 1, sizeof *counts);
    for (size_t r = 0; r < p->n / 4 + 1; r++)
        counts[r] = random_below(random, 4);
    put(p, p->counts, counts, (p->n / 4 + 1) * sizeof *counts);
    free(counts);
}

static void fill_flags(place *p, random_state *random)
{
    uint8_t *flags = data_allocate(p->n, 1);
    for (size_t i = 0; i < p->n; i++)
        flags[i] = random_below(random, 3) == 0;
    put(p, p->flags, flags, p->n);
    free(flags);
}

/* The input begins with the shape and ends with any bytes. */
void place_fill(place *p, data_shape shape, uint64_t seed)
{
    random_state random = random_seeded(seed);
    size_t third = p->n / 3;
    char *host = data_allocate(PLACE_ROOM(p->n), 1);
    data_fill_bytes(host, PLACE_ROOM(p->n), seed);
    put(p, p->values, host, p->n * 8);
    data_fill(host, p->type, shape, p->n, seed);
    put(p, p->in, host, PLACE_ROOM(p->n));
    free(host);
    fill_segments(p, &random);
    fill_counts(p, &random);
    fill_flags(p, &random);
    for (size_t i = 0; i < 3; i++)
        must(p, scankit_sort(p->owner, p->type, (char *)p->in + i * third * p->size,
                             (char *)p->sorted + i * third * p->size, i < 2 ? third : p->n - 2 * third, NULL));
    must(p, scankit_synchronize(p->owner));
}

scankit_error place_has(place *p, size_t out, size_t more, scankit_error error)
{
    p->used[0] = out;
    p->used[1] = more;
    return error;
}

scankit_operator place_operator(const place *p)
{
    return p->type == SCANKIT_F16 || p->type == SCANKIT_F32 || p->type == SCANKIT_F64 ? SCANKIT_MAX : SCANKIT_SUM;
}
