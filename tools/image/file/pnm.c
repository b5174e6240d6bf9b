/* pnm.c - PGM and PPM, plain (P2, P3) and binary (P5, P6). */
#include <stdio.h>
#include <string.h>

#include "header.h"
#include "samples.h"

static bool begins_gray(const unsigned char *head)
{
    return head[0] == 'P' && (head[1] == '2' || head[1] == '5');
}

static bool begins_color(const unsigned char *head)
{
    return head[0] == 'P' && (head[1] == '3' || head[1] == '6');
}

/* Numbers as text. They take at least two bytes each, so memory stays in proportion to the file. */
static void read_plain(struct source *source, struct picture *picture, size_t maxval)
{
    size_t size = scankit_type_size(picture->type), n = picture_elements(picture);
    for (size_t i = 0; i < n; i++) {
        size_t value = header_number(source);
        if (value > maxval)
            fail(source->name, "damaged: a value is %zu, above the largest value %zu", value, maxval);
        uint8_t narrow = (uint8_t)value;
        uint16_t wide = (uint16_t)value;
        picture_grow(picture, (i + 1) * size);
        memcpy(picture->pixels + i * size, size == 1 ? (const void *)&narrow : &wide, size);
    }
    samples_scale(source, picture, maxval);
    if (header_skip(source) >= 0)
        fail(source->name, "goes on behind the picture");
}

static void read_pnm(struct source *source, struct picture *picture)
{
    char magic[2];
    source_get(source, magic, sizeof magic);
    picture->width = header_number(source);
    picture->height = header_number(source);
    size_t maxval = header_number(source);
    picture->type = samples_type(source, maxval);
    picture->channels = magic[1] == '2' || magic[1] == '5' ? 1 : 3;
    picture_begin(picture, source->name);
    if (magic[1] < '5')
        read_plain(source, picture, maxval);
    else
        samples_read(source, picture, maxval);
}

static void write_pnm(const struct picture *picture, struct output *output)
{
    char head[96];
    int length = snprintf(head, sizeof head, "P%d\n%zu %zu\n%d\n", picture->channels == 1 ? 5 : 6, picture->width,
                          picture->height, picture->type == SCANKIT_U8 ? 255 : 65535);
    output_write(output, head, (size_t)length);
    samples_write(picture, output);
}

static const char *refuses_gray(const struct picture *picture)
{
    return picture->channels != 1 ? "it holds one channel" : format_needs_small_integers(picture);
}

static const char *refuses_color(const struct picture *picture)
{
    return picture->channels != 3 ? "it holds three channels" : format_needs_small_integers(picture);
}

const struct format format_pgm = {
    .name = "pgm", .begins = begins_gray, .read = read_pnm, .refuses = refuses_gray, .write = write_pnm};
const struct format format_ppm = {
    .name = "ppm", .begins = begins_color, .read = read_pnm, .refuses = refuses_color, .write = write_pnm};
