/* samples.c - see samples.h. */
#include "samples.h"

#include <stdlib.h>
#include <string.h>

static unsigned full_range(scankit_type type)
{
    return type == SCANKIT_U8 ? 255 : 65535;
}

scankit_type samples_type(const struct source *source, size_t maxval)
{
    if (maxval == 0 || maxval > 65535)
        fail(source->name, "damaged: the largest value is %zu, not from 1 to 65535", maxval);
    return maxval < 256 ? SCANKIT_U8 : SCANKIT_U16;
}

static unsigned load(const struct picture *picture, size_t i)
{
    uint16_t wide;
    if (picture->type == SCANKIT_U8)
        return picture->pixels[i];
    memcpy(&wide, picture->pixels + 2 * i, sizeof wide);
    return wide;
}

static void store(const struct picture *picture, size_t i, unsigned value)
{
    uint16_t wide = (uint16_t)value;
    if (picture->type == SCANKIT_U8)
        picture->pixels[i] = (unsigned char)value;
    else
        memcpy(picture->pixels + 2 * i, &wide, sizeof wide);
}

void samples_scale(const struct source *source, struct picture *picture, size_t maxval)
{
    unsigned most = (unsigned)maxval, full = full_range(picture->type);
    size_t n = picture_elements(picture);
    if (most == full)
        return;
    for (size_t i = 0; i < n; i++) {
        unsigned value = load(picture, i);
        if (value > most)
            fail(source->name, "damaged: a value is %u, above the largest value %u", value, most);
        store(picture, i, (unsigned)(((uint64_t)value * full + most / 2) / most));
    }
    picture->maxval = most;
}

void samples_swap(void *elements, size_t size, size_t count)
{
    unsigned char *at = elements;
    for (size_t i = 0; size > 1 && i < count; i++, at += size)
        for (size_t b = 0; b < size / 2; b++) {
            unsigned char byte = at[b];
            at[b] = at[size - 1 - b];
            at[size - 1 - b] = byte;
        }
}

void samples_read(struct source *source, struct picture *picture, size_t maxval)
{
    source_pixels(source, picture);
    samples_swap(picture->pixels, scankit_type_size(picture->type), picture_elements(picture));
    samples_scale(source, picture, maxval);
}

void samples_write(const struct picture *picture, struct output *output)
{
    size_t row = picture_row_bytes(picture), size = scankit_type_size(picture->type);
    unsigned char *spare = get_memory(row);
    for (size_t y = 0; y < picture->height; y++) {
        memcpy(spare, picture->pixels + y * row, row);
        samples_swap(spare, size, row / size);
        format_put(output, spare, row);
    }
    free(spare);
}
