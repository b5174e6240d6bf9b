/* table-case.c - see table-case.h */
#include <math.h>
#include <stdlib.h>

#include "image/table-case.h"
#include "support/oracle.h"
#include "support/tap.h"

bool table_is_float(scankit_type type)
{
    return oracle_kind(type) == ORACLE_FLOAT;
}

double table_unit(scankit_type type)
{
    return type == SCANKIT_F32 ? ldexp(1, -24) : ldexp(1, -53);
}

static void fill_small(const scankit_image *image, random_state *random)
{
    for (size_t y = 0; y < image->height; y++)
        for (size_t x = 0; x < image->width; x++)
            for (unsigned c = 0; c < image->channels; c++) {
                double value = (double)random_below(random, 16);
                canvas_set(image, x, y, c, table_is_float(image->type) ? value - 7 : value);
            }
}

static scankit_image new_canvas(const table_case *c, scankit_type type, random_state *random)
{
    scankit_image image = canvas_new(type, c->channels, c->width, c->height, random);
    if (c->dense)
        image.pitch = 0;
    return image;
}

static scankit_image put_canvas(device *d, const table_case *c, unsigned area, const scankit_image *image,
                                random_state *random)
{
    scankit_image there = *image;
    if (!c->dense)
        return canvas_put(d, area, image, random);
    there.data = device_put(d, area, image->data, canvas_bytes(image), 0);
    return there;
}

scankit_image table_draw(const table_case *c, random_state *random)
{
    scankit_image in = new_canvas(c, c->types.in, random);
    if (c->exact && table_is_float(c->types.out))
        fill_small(&in, random);
    else
        canvas_fill(&in, c->exact ? (canvas_content)random_below(random, 2) : CANVAS_LIGHT, random);
    return in;
}

/* The table of value - mean: row by row, the sums of the row so far and of all above. */
double *table_oracle(const scankit_image *in, const double *mean)
{
    double *table = canvas_values(in);
    size_t row = in->width * in->channels;
    for (size_t i = 0; i < in->height * row; i++) {
        double left = i % row >= in->channels ? table[i - in->channels] : 0, above = i >= row ? table[i - row] : 0;
        double corner = i >= row && i % row >= in->channels ? table[i - row - in->channels] : 0;
        table[i] += left - corner + above - (mean != NULL ? mean[i % in->channels] : 0);
    }
    return table;
}

static void wrap_to(scankit_type type, double *table, size_t n)
{
    for (size_t i = 0; type == SCANKIT_U32 && i < n; i++)
        table[i] = fmod(table[i], ldexp(1, 32));
}

/* Each element takes part in at most width + height additions. */
static canvas_bound bound_of(const table_case *c)
{
    double error = 2 * (double)(c->width + c->height) * table_unit(c->types.out);
    if (c->options.mean != NULL)
        return (canvas_bound){error * (double)(c->width * c->height), 0};
    return (canvas_bound){0, c->exact ? 0 : error};
}

void table_expect(device *d, const table_case *c, const scankit_image *in, const scankit_image *before)
{
    double *table = table_oracle(in, c->options.mean);
    wrap_to(c->types.out, table, canvas_elements(in));
    canvas_expect(d, TABLE_OUT, before, table, bound_of(c));
    free(table);
}

void table_run_again(device *d, const table_case *c, const scankit_image *from, const scankit_image *to)
{
    size_t bytes = canvas_bytes(to);
    char *first = data_allocate(bytes, 1);
    device_get(d, TABLE_OUT, first);
    if (DEVICE_DID(d, scankit_summed_area_table(d->context, from, to, &c->options)))
        device_expect(d, TABLE_OUT, first, bytes, 1, "second run");
    free(first);
}

void table_check(device *d, const table_case *c, random_state *random)
{
    if (!device_case_is_due())
        return;
    scankit_image in = table_draw(c, random);
    scankit_image before = new_canvas(c, c->types.out, random);
    const scankit_image from = put_canvas(d, c, TABLE_IN, &in, random);
    const scankit_image to = put_canvas(d, c, TABLE_OUT, &before, random);
    tap_case("%s, %u channels, %zu x %zu, pitches %zu and %zu, wrap %d", scankit_table_method_name(c->options.method),
             c->channels, c->width, c->height, in.pitch, before.pitch, c->options.wrap);
    if (DEVICE_DID(d, scankit_summed_area_table(d->context, &from, &to, &c->options))) {
        table_expect(d, c, &in, &before);
        if (!c->exact)
            table_run_again(d, c, &from, &to);
    }
    device_expect(d, TABLE_IN, in.data, canvas_bytes(&in), 1, "input");
    canvas_free(&in);
    canvas_free(&before);
}
