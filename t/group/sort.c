/* sort.c - sorts over a group, by keys, with values, of positions and of records: the bytes of one context's sort,
 * whatever the parts are, of the input and of the result; and the first k elements where the result has fewer. */
#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "support/cases.h"
#include "support/tap.h"

typedef struct group_sort {
    scankit_type type;
    data_shape shape;
    size_t n, out_n, value_size;
    scankit_sort_options options;
    bool in_place;
    size_t lengths[PARTS_MAX], out_lengths[PARTS_MAX], room[PARTS_MAX];
    uint64_t seed;
} group_sort;

static void draw_options(group_sort *c, random_state *random)
{
    unsigned bits = (unsigned)(8 * scankit_type_size(c->type));
    c->options.descending = random_below(random, 2) == 0;
    c->options.overwrite_input = random_below(random, 2) == 0;
    bool is_float = c->type == SCANKIT_F16 || c->type == SCANKIT_F32 || c->type == SCANKIT_F64;
    if (!is_float && random_below(random, 3) == 0) {
        c->options.begin_bit = (unsigned)random_below(random, bits);
        c->options.end_bit = c->options.begin_bit + 1 + (unsigned)random_below(random, bits - c->options.begin_bit);
    }
}

/* Input and result have parts of their own; in place, the memory of a part has room for both. */
static void draw(group_sort *c, scankit_group *group)
{
    random_state random = random_seeded(c->seed);
    c->n = random_size(&random, 40000);
    c->out_n = c->seed % 5 == 4 ? (size_t)random_below(&random, c->n + 1) : c->n;
    c->in_place = random_below(&random, 3) == 0;
    c->shape = (data_shape)random_below(&random, DATA_SHAPE_COUNT);
    parts_divide(c->lengths, group, c->n, (parts_way)(c->seed % PARTS_WAY_COUNT), &random);
    parts_divide(c->out_lengths, group, c->out_n, (parts_way)random_below(&random, PARTS_WAY_COUNT), &random);
    if (random_below(&random, 3) == 0 && c->out_n == c->n)
        memcpy(c->out_lengths, c->lengths, sizeof c->lengths);
    draw_options(c, &random);
    for (size_t i = 0; i < scankit_group_local(group); i++)
        c->room[i] = c->lengths[i] > c->out_lengths[i] ? c->lengths[i] : c->out_lengths[i];
}

/* Puts an input; in place, its memory has room for the result. */
static void put_input(parts *p, scankit_group *group, const group_sort *c, const void *host, size_t size)
{
    size_t before = parts_before(group, c->lengths);
    parts_put(p, group, NULL, size, c->in_place ? c->room : c->lengths, size == 1 ? 1 : 0);
    for (size_t i = 0; i < scankit_group_local(group); i++) {
        const char *from = (const char *)host + before * size;
        if (scankit_upload(scankit_group_context(group, i), p->data[i], from, c->lengths[i] * size) != SCANKIT_OK)
            tap_bail_out("an upload failed");
        before += c->lengths[i];
    }
}

static void check_keys(scankit_group *group, const group_sort *c)
{
    const size_t size = scankit_type_size(c->type);
    scankit_sort_options alone = c->options;
    char *host = data_allocate(c->n, size), *expected = data_allocate(c->n, size);
    parts in, out;
    alone.overwrite_input = 0;
    data_fill(host, c->type, c->shape, c->n, c->seed);
    if (scankit_sort(parts_alone(), c->type, host, expected, c->n, &alone) != SCANKIT_OK)
        tap_fail("alone: %s", scankit_error_detail(parts_alone()));
    put_input(&in, group, c, host, size);
    parts_put(&out, group, NULL, size, c->out_lengths, 0);
    const parts *to = c->in_place ? &in : &out;
    if (PARTS_DID(group, scankit_group_sort(group, c->type, (const void *const *)in.data, to->data, c->lengths,
                                            c->out_lengths, &c->options)))
        parts_expect(to, c->out_lengths, expected, c->out_n, "keys");
    if (!c->in_place && !c->options.overwrite_input)
        parts_expect(&in, c->lengths, host, c->n, "the input");
    parts_free(&in);
    parts_free(&out);
    free(host);
    free(expected);
}

static void check_pairs(scankit_group *group, const group_sort *c)
{
    const size_t size = scankit_type_size(c->type), value_size = c->value_size;
    char *keys = data_allocate(c->n, size), *values = data_allocate(c->n, value_size);
    char *keys_out = data_allocate(c->n, size), *values_out = data_allocate(c->n, value_size);
    parts keys_in, values_in, keys_to, values_to;
    data_fill(keys, c->type, c->shape, c->n, c->seed);
    data_fill_bytes(values, c->n * value_size, c->seed);
    if (scankit_sort_pairs(parts_alone(), c->type, keys, keys_out, value_size, values, values_out, c->n, &c->options) !=
        SCANKIT_OK)
        tap_fail("alone: %s", scankit_error_detail(parts_alone()));
    put_input(&keys_in, group, c, keys, size);
    put_input(&values_in, group, c, values, value_size);
    parts_put(&keys_to, group, NULL, size, c->out_lengths, 0);
    parts_put(&values_to, group, NULL, value_size, c->out_lengths, 0);
    const parts *k = c->in_place ? &keys_in : &keys_to, *v = c->in_place ? &values_in : &values_to;
    if (PARTS_DID(group, scankit_group_sort_pairs(group, c->type, (const void *const *)keys_in.data, k->data,
                                                  value_size, (const void *const *)values_in.data, v->data, c->lengths,
                                                  c->out_lengths, &c->options))) {
        parts_expect(k, c->out_lengths, keys_out, c->out_n, "keys");
        parts_expect(v, c->out_lengths, values_out, c->out_n, "values");
    }
    parts_free(&keys_in);
    parts_free(&values_in);
    parts_free(&keys_to);
    parts_free(&values_to);
    free(keys);
    free(values);
    free(keys_out);
    free(values_out);
}

static void check_positions(scankit_group *group, const group_sort *c)
{
    const size_t size = scankit_type_size(c->type);
    char *host = data_allocate(c->n, size);
    uint64_t *expected = data_allocate(c->n, sizeof *expected);
    parts in, out;
    data_fill(host, c->type, c->shape, c->n, c->seed);
    if (scankit_argsort(parts_alone(), c->type, host, expected, c->n, &c->options) != SCANKIT_OK)
        tap_fail("alone: %s", scankit_error_detail(parts_alone()));
    parts_put(&in, group, host, size, c->lengths, 0);
    parts_put(&out, group, NULL, sizeof *expected, c->out_lengths, 0);
    if (PARTS_DID(group, scankit_group_argsort(group, c->type, (const void *const *)in.data,
                                               (uint64_t *const *)out.data, c->lengths, c->out_lengths, &c->options)))
        parts_expect(&out, c->out_lengths, expected, c->out_n, "positions");
    parts_expect(&in, c->lengths, host, c->n, "the input");
    parts_free(&in);
    parts_free(&out);
    free(host);
    free(expected);
}

static void check_records_group(scankit_group *group, const group_sort *c)
{
    random_state random = random_seeded(c->seed);
    record_case r = {.n = c->n, .seed = c->seed};
    random_keys(&r, &random);
    char *host = data_allocate(c->n, r.record_size), *expected = data_allocate(c->n, r.record_size);
    parts in, out;
    fill_records(&r, host);
    if (scankit_sort_records(parts_alone(), r.record_size, r.keys, r.key_count, host, expected, c->n, NULL) !=
        SCANKIT_OK)
        tap_fail("alone: %s", scankit_error_detail(parts_alone()));
    put_input(&in, group, c, host, r.record_size);
    parts_put(&out, group, NULL, r.record_size, c->out_lengths, 5);
    const parts *to = c->in_place ? &in : &out;
    if (PARTS_DID(group,
                  scankit_group_sort_records(group, r.record_size, r.keys, r.key_count, (const void *const *)in.data,
                                             to->data, c->lengths, c->out_lengths, NULL)))
        parts_expect(to, c->out_lengths, expected, c->out_n, "records");
    parts_free(&in);
    parts_free(&out);
    free(host);
    free(expected);
}

/* In one round, or in up to some hundreds. */
static void set_memory(scankit_group *group, uint64_t seed)
{
    static const size_t bytes[] = {0, 40000, 6000, 1500};
    scankit_error error = scankit_group_set_memory(group, bytes[seed / 7 % 4]);
    if (error != SCANKIT_OK)
        tap_fail("set_memory: %s", scankit_error_string(error));
}

static void check_seeds(scankit_group *group, const char *name, const char *what, scankit_type type,
                        void (*check)(scankit_group *group, const group_sort *c))
{
    static const size_t value_sizes[] = {4, 8, 3, 1, 16};
    tap_begin("%s: %s: %s", name, scankit_type_name(type), what);
    for (uint64_t seed = 0; seed < 5 * PARTS_WAY_COUNT; seed++) {
        group_sort c = {.type = type, .value_size = value_sizes[seed % 5], .seed = seed};
        draw(&c, group);
        tap_case("seed %d, n %zu of %zu, %s, in place %d, descending %d, bits %u to %u", (int)seed, c.out_n, c.n,
                 data_shape_name(c.shape), c.in_place, c.options.descending, c.options.begin_bit, c.options.end_bit);
        if (device_case_is_due()) {
            set_memory(group, seed);
            check(group, &c);
        }
    }
    tap_end();
}

static void test(scankit_group *group, const char *name)
{
    static const scankit_type pairs[] = {SCANKIT_U32, SCANKIT_I64, SCANKIT_F32};
    for (int t = 0; scankit_type_size((scankit_type)t) > 0; t++)
        check_seeds(group, name, "keys", (scankit_type)t, check_keys);
    for (size_t t = 0; t < sizeof pairs / sizeof *pairs; t++) {
        check_seeds(group, name, "pairs", pairs[t], check_pairs);
        check_seeds(group, name, "positions", pairs[t], check_positions);
    }
    check_seeds(group, name, "records", SCANKIT_BYTES, check_records_group);
}

int main(void)
{
    return parts_each_group(test);
}
