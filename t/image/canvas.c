/* canvas.c - see canvas.h */
#include "image/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/oracle.h"
#include "support/tap.h"

static size_t row_bytes(const scankit_image *image)
{
    return image->width * image->channels * oracle_size(image->type);
}

static size_t pitch_of(const scankit_image *image)
{
    return image->pitch != 0 ? image->pitch : row_bytes(image);
}

size_t canvas_bytes(const scankit_image *image)
{
    if (image->width == 0 || image->height == 0)
        return 0;
    return (image->height - 1) * pitch_of(image) + row_bytes(image);
}

size_t canvas_elements(const scankit_image *image)
{
    return image->width * image->height * image->channels;
}

scankit_image canvas_new(scankit_type type, unsigned channels, size_t width, size_t height, random_state *random)
{
    scankit_image image = {.type = type, .channels = channels, .width = width, .height = height};
    if (random_below(random, 3) != 0)
        image.pitch = row_bytes(&image) + random_below(random, 18) * oracle_size(type);
    image.data = data_allocate(canvas_bytes(&image), 1);
    data_fill_bytes(image.data, canvas_bytes(&image), random_next(random));
    return image;
}

scankit_image canvas_copy(const scankit_image *image)
{
    scankit_image copy = *image;
    copy.data = data_allocate(canvas_bytes(image), 1);
    memcpy(copy.data, image->data, canvas_bytes(image));
    return copy;
}

void canvas_free(scankit_image *image)
{
    free(image->data);
    image->data = NULL;
}

/* ---- values ---- */

static char *row_of(const scankit_image *image, size_t y)
{
    return (char *)image->data + y * pitch_of(image);
}

double canvas_get(const scankit_image *image, size_t x, size_t y, unsigned channel)
{
    uint64_t bits = oracle_load(image->type, row_of(image, y), x * image->channels + channel);
    return oracle_kind(image->type) == ORACLE_FLOAT ? oracle_double(image->type, bits) : (double)bits;
}

void canvas_set(const scankit_image *image, size_t x, size_t y, unsigned channel, double value)
{
    bool real = oracle_kind(image->type) == ORACLE_FLOAT;
    uint64_t bits = real ? oracle_float_bits(image->type, value) : (uint64_t)value;
    oracle_store(image->type, row_of(image, y), x * image->channels + channel, bits);
}

double random_unit(random_state *random)
{
    return (double)random_below(random, (1 << 24) + 1) / (1 << 24);
}

uint32_t canvas_most(scankit_type type)
{
    return type == SCANKIT_U8 ? UINT8_MAX : type == SCANKIT_U16 ? UINT16_MAX : 0;
}

static double draw(scankit_type type, canvas_content content, random_state *random)
{
    double unit = content == CANVAS_EXTREMES ? (double)random_below(random, 2) : random_unit(random);
    if (canvas_most(type) > 0)
        return floor(unit * canvas_most(type) + 0.5);
    return content == CANVAS_LIGHT ? unit : 2 * unit - 1;
}

void canvas_fill(const scankit_image *image, canvas_content content, random_state *random)
{
    double value = draw(image->type, content, random);
    for (size_t y = 0; y < image->height; y++)
        for (size_t x = 0; x < image->width; x++)
            for (unsigned c = 0; c < image->channels; c++) {
                if (content != CANVAS_CONSTANT)
                    value = draw(image->type, content, random);
                canvas_set(image, x, y, c, value);
            }
}

double *canvas_values(const scankit_image *image)
{
    double *values = data_allocate(canvas_elements(image), sizeof *values), *next = values;
    for (size_t y = 0; y < image->height; y++)
        for (size_t x = 0; x < image->width; x++)
            for (unsigned c = 0; c < image->channels; c++)
                *next++ = canvas_get(image, x, y, c);
    return values;
}

/* ---- on a device ---- */

scankit_image canvas_put(device *d, unsigned area, const scankit_image *image, random_state *random)
{
    scankit_image there = *image;
    size_t lead = random_next(random) & 1 ? random_below(random, 17) * oracle_size(image->type) : 0;
    there.data = device_put(d, area, image->data, canvas_bytes(image), lead);
    return there;
}

static void expect_values(const scankit_image *got, const double *values, canvas_bound bound)
{
    for (size_t y = 0; y < got->height; y++)
        for (size_t x = 0; x < got->width; x++)
            for (unsigned c = 0; c < got->channels; c++) {
                double is = canvas_get(got, x, y, c), should = *values++;
                if (fabs(is - should) <= bound.absolute + bound.relative * fabs(should))
                    continue;
                tap_fail("channel %u of pixel (%zu, %zu) is %.9g, should be %.9g", c, x, y, is, should);
                return;
            }
}

void canvas_expect(device *d, unsigned area, const scankit_image *before, const double *values, canvas_bound bound)
{
    scankit_image got = canvas_copy(before);
    device_get(d, area, got.data);
    expect_values(&got, values, bound);
    for (size_t y = 0; y < got.height; y++)
        memcpy(row_of(&got, y), row_of(before, y), row_bytes(&got));
    if (memcmp(got.data, before->data, canvas_bytes(&got)) != 0)
        tap_fail("bytes between rows were written");
    canvas_free(&got);
}
