/* large-passes.c - sorts by digits of arrays for which a GPU takes large tiles. */
#include "support/cases.h"
#include "support/tap.h"

static void check_large(device *d, const sort_case *c)
{
    tap_begin("%s with %zu bytes, n %zu, %s: by digits", scankit_type_name(c->type), c->value_size, c->n,
              data_shape_name(c->shape));
    if (c->value_size > 0)
        check_sort_pairs(d, c);
    else
        check_sort(d, c);
    tap_end();
}

int main(void)
{
    const scankit_sort_options rising = {.algorithm = SCANKIT_RADIX};
    const scankit_sort_options falling = {.algorithm = SCANKIT_RADIX, .descending = 1};
    const sort_case cases[] = {
        {.type = SCANKIT_U32, .shape = DATA_PADDED, .n = 60000011, .options = rising},
        {.type = SCANKIT_I64, .shape = DATA_UNIFORM, .n = 13000027, .options = rising},
        {.type = SCANKIT_U64, .shape = DATA_ZIPF, .n = 12000000, .options = falling},
        {.type = SCANKIT_I32, .shape = DATA_PADDED, .n = 13000001, .value_size = 4, .options = rising},
        {.type = SCANKIT_F32, .shape = DATA_BITS, .n = 12000005, .value_size = 4, .options = falling},
        {.type = SCANKIT_U64, .shape = DATA_RUNS, .n = 13000029, .value_size = 4, .options = rising},
        {.type = SCANKIT_I64, .shape = DATA_LOGARITHMIC, .n = 12000007, .value_size = 4, .options = falling},
    };
    device d = {0};
    if (!device_has_free_gpu("sorts of large arrays by digits"))
        return tap_finish();
    if (device_open(&d, "cuda", "cuda")) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            check_large(&d, &cases[i]);
        device_close(&d);
    }
    return tap_finish();
}
