/* compare.c - two records compare as in the oracle, in both orders, with any keys. */
#include <stdlib.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static void all_pairs(const record_case *c, const char *records)
{
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->n; j++) {
            const char *a = records + i * c->record_size, *b = records + j * c->record_size;
            int order = sign(scankit_compare(c->keys, c->key_count, a, b));
            int wanted = sign(oracle_compare_records(c->keys, c->key_count, a, b));
            if (order != wanted)
                tap_fail("records %zu and %zu compare as %d, should be %d", i, j, order, wanted);
            if (order != -sign(scankit_compare(c->keys, c->key_count, b, a)))
                tap_fail("records %zu and %zu: not the opposite the other way round", i, j);
        }
}

int main(void)
{
    random_state random = random_seeded(1);
    record_case c = {.n = 24};
    tap_begin("random keys on all pairs of random records");
    for (c.seed = 0; c.seed < 2000; c.seed++) {
        random_keys(&c, &random);
        char *records = data_allocate(c.n, c.record_size);
        tap_case("seed %llu, record of %zu, %zu keys, the first %s at %zu", (unsigned long long)c.seed, c.record_size,
                 c.key_count, scankit_type_name(c.keys[0].type), c.keys[0].offset);
        fill_records(&c, records);
        all_pairs(&c, records);
        free(records);
    }
    tap_end();
    tap_ok(scankit_compare(NULL, 0, "a", "b") == 0, "no keys: all are equal");
    return tap_finish();
}
