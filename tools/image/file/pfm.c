/* pfm.c - PFM: f32, gray (Pf) or color (PF), rows from bottom to top. The sign of the scale gives the byte order. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "header.h"
#include "samples.h"

static bool begins(const unsigned char *head)
{
    return head[0] == 'P' && (head[1] == 'f' || head[1] == 'F');
}

static bool read_is_big_endian(struct source *source)
{
    char word[48], *end;
    header_word(source, word, sizeof word);
    double scale = strtod(word, &end);
    if (end == word || *end != '\0' || !isfinite(scale) || scale == 0)
        fail(source->name, "damaged header: the scale is '%s'", word);
    return scale > 0;
}

static void read_pfm(struct source *source, struct picture *picture)
{
    char magic[2];
    source_get(source, magic, sizeof magic);
    picture->width = header_number(source);
    picture->height = header_number(source);
    picture->type = SCANKIT_F32;
    picture->channels = magic[1] == 'f' ? 1 : 3;
    bool big = read_is_big_endian(source);
    picture_begin(picture, source->name);
    source_pixels(source, picture);
    if (big)
        samples_swap(picture->pixels, sizeof(float), picture_elements(picture));
    picture_flip(picture);
}

static const char *refuses(const struct picture *picture)
{
    if (picture->type != SCANKIT_F32)
        return "it holds f32";
    return picture_has_alpha(picture) ? "it holds one or three channels" : NULL;
}

static void write_pfm(const struct picture *picture, struct output *output)
{
    char head[96];
    size_t row = picture_row_bytes(picture);
    int length = snprintf(head, sizeof head, "P%c\n%zu %zu\n-1.0\n", picture->channels == 1 ? 'f' : 'F', picture->width,
                          picture->height);
    output_write(output, head, (size_t)length);
    for (size_t y = picture->height; y-- > 0;)
        format_put(output, picture->pixels + y * row, row);
}

const struct format format_pfm = {
    .name = "pfm", .begins = begins, .read = read_pfm, .refuses = refuses, .write = write_pfm};
