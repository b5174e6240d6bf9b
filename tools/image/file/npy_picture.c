/* npy_picture.c - .npy arrays of numbers as pictures: height x width, or height x width x channels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/npy.h"
#include "samples.h"

static bool begins(const unsigned char *head)
{
    return memcmp(head, NPY_MAGIC, NPY_MAGIC_BYTES) == 0;
}

static bool is_for_pixels(scankit_type type)
{
    return type == SCANKIT_U8 || type == SCANKIT_U16 || type == SCANKIT_U32 || type == SCANKIT_U64 ||
           type == SCANKIT_F16 || type == SCANKIT_F32 || type == SCANKIT_F64;
}

/* Returns true if the numbers are big endian. */
static bool take_schema(const struct source *source, const struct schema *schema, struct picture *picture)
{
    if (!schema_is_scalar(schema) || !is_for_pixels(scankit_layout_field(schema->layout, 0)->type))
        fail(source->name, "holds %s, which are no pixels", schema_text(schema));
    const scankit_field *field = scankit_layout_field(schema->layout, 0);
    picture->type = field->type;
    return field->big_endian;
}

static void take_shape(const struct source *source, const struct npy_shape *shape, struct picture *picture)
{
    if (shape->dimensions != 2 && shape->dimensions != 3)
        fail(source->name, "is an array of %u dimensions; a picture has 2 or 3", shape->dimensions);
    uint64_t channels = shape->dimensions == 2 ? 1 : shape->extents[2];
    if (channels < 1 || channels > CHANNELS_MOST)
        fail(source->name, "has %llu channels; 1 to 4 are needed", (unsigned long long)channels);
    picture->height = shape->extents[0];
    picture->width = shape->extents[1];
    picture->channels = (unsigned)channels;
}

static void read_npy(struct source *source, struct picture *picture)
{
    char magic[NPY_MAGIC_BYTES];
    struct schema schema;
    struct npy_shape shape;
    source_get(source, magic, sizeof magic);
    npy_read_array_header(source->name, source_read, source, &schema, &shape);
    bool big = take_schema(source, &schema, picture);
    take_shape(source, &shape, picture);
    schema_free(&schema);
    picture_begin(picture, source->name);
    source_pixels(source, picture);
    if (big)
        samples_swap(picture->pixels, scankit_type_size(picture->type), picture_elements(picture));
}

static const char *refuses(const struct picture *picture)
{
    (void)picture;
    return NULL;
}

static void write_npy(const struct picture *picture, struct output *output)
{
    char descr[16], shape[96];
    size_t bytes, size = scankit_type_size(picture->type);
    snprintf(descr, sizeof descr, "'%c%c%zu'", size == 1 ? '|' : '<', scankit_type_name(picture->type)[0], size);
    if (picture->channels == 1)
        snprintf(shape, sizeof shape, "(%zu, %zu)", picture->height, picture->width);
    else
        snprintf(shape, sizeof shape, "(%zu, %zu, %u)", picture->height, picture->width, picture->channels);
    char *header = npy_make_array_header(descr, 1, shape, &bytes);
    output_write(output, header, bytes);
    free(header);
    format_put(output, picture->pixels, picture_bytes(picture));
}

const struct format format_npy = {
    .name = "npy", .begins = begins, .read = read_npy, .refuses = refuses, .write = write_npy};
