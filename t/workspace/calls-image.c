/* calls-image.c - matrices and images, of about as many bytes as the other arrays. */
#include "calls.h"

#define WIDTH ((size_t)160)

static scankit_image image_at(const place *p, scankit_type type, unsigned channels, void *data)
{
    size_t height = p->n * p->size / WIDTH / channels / scankit_type_size(type);
    return (scankit_image){type, channels, WIDTH, height, 0, data};
}

static size_t bytes_of(const scankit_image *image)
{
    return image->width * image->height * image->channels * scankit_type_size(image->type);
}

static scankit_error transpose(place *p)
{
    size_t rows = p->n / WIDTH;
    return place_has(p, rows * WIDTH * p->size, 0,
                     scankit_transpose(p->context, p->size, p->in, 0, p->out, 0, rows, WIDTH));
}

static scankit_error scan_rows(place *p)
{
    size_t rows = p->n / WIDTH;
    return place_has(
        p, rows * WIDTH * p->size, 0,
        scankit_scan_rows(p->context, p->type, place_operator(p), SCANKIT_INCLUSIVE, p->in, 0, p->out, 0, rows, WIDTH));
}

static scankit_error scan_long_rows(place *p)
{
    return place_has(
        p, p->n / 2 * 2 * p->size, 0,
        scankit_scan_rows(p->context, p->type, place_operator(p), SCANKIT_INCLUSIVE, p->in, 0, p->out, 0, 2, p->n / 2));
}

static scankit_error table_by(place *p, scankit_type type, scankit_table_options options)
{
    scankit_image in = image_at(p, SCANKIT_U8, 3, p->in), out = in;
    out.type = type;
    out.data = p->out;
    in.height = out.height = in.height < 4 ? in.height : in.height / 4;
    options.wrap = 1;
    return place_has(p, bytes_of(&out), 0, scankit_summed_area_table(p->context, &in, &out, &options));
}

static scankit_error table(place *p)
{
    return table_by(p, SCANKIT_U32, (scankit_table_options){0});
}

static scankit_error table_by_transposes(place *p)
{
    return table_by(p, SCANKIT_U64, (scankit_table_options){.method = SCANKIT_TABLE_TRANSPOSES});
}

static scankit_error low_table(place *p)
{
    scankit_image in = {SCANKIT_U8, 1, p->n, 2, 0, p->in}, out = {SCANKIT_F32, 1, p->n, 2, 0, p->out};
    return place_has(p, bytes_of(&out), 0, scankit_summed_area_table(p->context, &in, &out, NULL));
}

static scankit_error table_with_mean(place *p)
{
    double mean[4];
    scankit_error error = table_by(p, SCANKIT_F32, (scankit_table_options){.mean = mean});
    return error;
}

static scankit_error box_by(place *p, scankit_box_options options)
{
    scankit_image in = image_at(p, SCANKIT_U8, 4, p->in), out = in;
    out.data = p->out;
    return place_has(p, bytes_of(&out), 0, scankit_box_filter(p->context, &in, &out, &options));
}

static scankit_error box(place *p)
{
    return box_by(p, (scankit_box_options){.radius = 3.5, .passes = 3});
}

static scankit_error box_by_map(place *p)
{
    scankit_image radii = image_at(p, SCANKIT_U8, 4, NULL);
    radii.type = SCANKIT_F32;
    radii.channels = 1;
    radii.data = p->values;
    return box_by(p, (scankit_box_options){.radii = &radii});
}

static scankit_error depth_of_field(place *p)
{
    scankit_image in = image_at(p, SCANKIT_U16, 4, p->in), out = in, depth = in;
    const scankit_lens lens = {.focus = 10, .aperture = 5};
    out.data = p->out;
    depth.type = SCANKIT_F32;
    depth.channels = 1;
    depth.data = p->values;
    return place_has(p, bytes_of(&out), 0, scankit_depth_of_field(p->context, &in, &depth, &out, &lens));
}

static unsigned levels_of(const scankit_image *in, void *data, scankit_image *levels, size_t *bytes)
{
    unsigned count = scankit_mipmap_levels(in->width, in->height);
    *bytes = 0;
    for (unsigned i = 0; i + 1 < count; i++) {
        levels[i] = *in;
        levels[i].width = scankit_mipmap_extent(in->width, i + 1);
        levels[i].height = scankit_mipmap_extent(in->height, i + 1);
        levels[i].data = (char *)data + *bytes;
        *bytes += bytes_of(&levels[i]);
    }
    return count > 0 ? count - 1 : 0;
}

static scankit_error mipmap(place *p)
{
    scankit_image in = image_at(p, SCANKIT_U8, 4, p->in), levels[64];
    size_t bytes;
    unsigned count = levels_of(&in, p->out, levels, &bytes);
    return place_has(p, bytes, 0, scankit_mipmap(p->context, &in, levels, count, 0));
}

static scankit_error sample(place *p)
{
    scankit_image in = image_at(p, SCANKIT_U8, 1, p->in);
    size_t n = in.height == 0 ? 0 : p->n * 8 / sizeof(scankit_place);
    return place_has(p, n * sizeof(float), 0,
                     scankit_sample(p->context, &in, 1, SCANKIT_SAMPLE_BILINEAR, 0, p->values, p->out, n));
}

const workspace_call image_calls[] = {
    {"transpose", transpose, false, false},
    {"scan of rows", scan_rows, false, false},
    {"scan of long rows", scan_long_rows, false, false},
    {"table", table, false, false},
    {"table by transposes", table_by_transposes, false, false},
    {"low table", low_table, false, false},
    {"table with its mean", table_with_mean, true, false},
    {"box filter", box, false, false},
    {"box filter by a map", box_by_map, false, false},
    {"depth of field", depth_of_field, false, false},
    {"mipmap", mipmap, false, false},
    {"sample", sample, false, false},
    {NULL, NULL, false, false},
};
