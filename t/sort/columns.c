/* columns.c - the order of a table's rows by several columns, each with its type and direction. */
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

#define MOST 5

typedef struct table {
    size_t count;
    scankit_column column[MOST];
} table;

static size_t width(const scankit_column *column)
{
    return column->type == SCANKIT_BYTES ? column->size : oracle_size(column->type);
}

/* Columns in host memory. The oracle compares a column as records of one key. */
static int compare_rows(const void *context, size_t a, size_t b)
{
    const table *t = context;
    int order = 0;
    for (size_t c = 0; c < t->count && order == 0; c++) {
        const scankit_column *column = &t->column[c];
        const char *data = column->data;
        scankit_key key = {.type = column->type, .size = column->size, .descending = column->descending};
        order = oracle_compare_records(&key, 1, data + a * width(column), data + b * width(column));
    }
    return order;
}

static void fill_column(scankit_column *column, size_t n, random_state *random)
{
    static const data_shape shapes[] = {DATA_SIXTEEN, DATA_SPECIAL, DATA_EQUAL, DATA_UNIFORM, DATA_RUNS};
    data_shape shape = shapes[random_below(random, sizeof shapes / sizeof *shapes)];
    bool bytes = random_below(random, 6) == 0;
    *column = (scankit_column){.type = (scankit_type)random_below(random, ORACLE_TYPES)};
    column->descending = (int)random_below(random, 2);
    if (bytes) {
        column->type = SCANKIT_BYTES;
        column->size = 1 + random_below(random, 20);
    }
    char *data = data_allocate(n, width(column));
    if (bytes)
        for (size_t i = 0; i < n * column->size; i++)
            data[i] = (char)('a' + random_below(random, 2));
    else
        data_fill(data, column->type, shape, n, random_next(random));
    column->data = data;
}

static void check(device *d, size_t n, uint64_t seed)
{
    random_state random = random_seeded(seed);
    table host = {.count = 1 + random_below(&random, MOST)}, on_device;
    uint64_t *positions = data_allocate(n, 8);
    if (!device_case_is_due()) {
        free(positions);
        return;
    }
    tap_case("%zu columns, n %zu, seed %llu", host.count, n, (unsigned long long)seed);
    for (size_t c = 0; c < host.count; c++)
        fill_column(&host.column[c], n, &random);
    on_device = host;
    for (size_t c = 0; c < host.count; c++)
        on_device.column[c].data = device_put(d, (unsigned)c, host.column[c].data, n * width(&host.column[c]),
                                              random_below(&random, 5) * width(&host.column[c]));
    for (size_t i = 0; i < n; i++)
        positions[i] = i;
    oracle_sort_positions(compare_rows, &host, positions, n);
    uint64_t *out = device_put(d, MOST, NULL, n * 8, 8 * random_below(&random, 5));
    if (DEVICE_DID(d, scankit_sort_columns(d->context, on_device.column, host.count, out, n, NULL)))
        device_expect(d, MOST, positions, n, 8, "positions");
    for (size_t c = 0; c < host.count; c++) {
        device_expect(d, (unsigned)c, host.column[c].data, n, width(&host.column[c]), "column");
        free((void *)host.column[c].data);
    }
    free(positions);
}

static void test(device *d)
{
    static const size_t sizes[] = {0, 1, 2, 3, 100, 4097, 30011, 200003};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        tap_begin("%s: tables of %zu rows", d->name, sizes[s]);
        for (uint64_t seed = 0; seed < (sizes[s] < 50000 ? 60 : 6); seed++)
            check(d, sizes[s], seed + 1000 * s);
        tap_end();
    }
}

int main(void)
{
    return device_each("sort of columns", test);
}
