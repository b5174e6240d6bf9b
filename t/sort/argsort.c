/* argsort.c - positions give the stable order, and the keys are not changed. */
#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

static void every_shape(device *d, scankit_type type)
{
    static const size_t sizes[] = {0, 1, 2, 257, 4097};
    tap_begin("%s: %s: positions of the stable sort", d->name, scankit_type_name(type));
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int descending = 0; descending < 2; descending++) {
                sort_case c = {.type = type, .shape = (data_shape)shape, .n = sizes[s], .seed = (uint64_t)shape};
                c.options.descending = descending;
                c.lead[KEYS_IN] = s % 3;
                c.lead[VALUES_OUT] = s % 2;
                for (int algorithm = 0; algorithm < ORACLE_ALGORITHMS; algorithm++) {
                    c.options.algorithm = (scankit_algorithm)algorithm;
                    check_argsort(d, &c);
                }
            }
    tap_end();
}

static void test(device *d)
{
    for (int type = 0; type < ORACLE_TYPES; type++)
        every_shape(d, (scankit_type)type);
    tap_begin("%s: u64: large arrays", d->name);
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++) {
        sort_case c = {.type = SCANKIT_U64, .shape = (data_shape)shape, .n = 200009, .seed = 1};
        check_argsort(d, &c);
    }
    tap_end();
}

int main(void)
{
    return device_each("argsort", test);
}
