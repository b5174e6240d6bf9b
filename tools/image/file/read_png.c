/* read_png.c - reads PNG by libpng: all kinds become 1 to 4 channels of 8 or 16 bits. */
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "png_format.h"

/* Deflate expands its input 1032 times at most, so a header that claims more pixels is wrong. */
#define EXPANSION_MOST 1032

struct png_file {
    struct source *source;
    unsigned char *bytes; /* the whole file */
    size_t count, at;
};

static void read_file(struct png_file *file)
{
    size_t room = 0, got = 0;
    do {
        got = room;
        room = 2 * room + SOURCE_BYTES;
        unsigned char *grown = realloc(file->bytes, room);
        if (grown == NULL)
            fail(file->source->name, "out of memory");
        file->bytes = grown;
        file->count = got + source_read(file->source, grown + got, room - got);
    } while (file->count == room);
}

/* ---- what libpng calls ---- */

static void get_bytes(png_structp png, png_bytep to, size_t bytes)
{
    struct png_file *file = png_get_io_ptr(png);
    if (bytes > file->count - file->at)
        source_short(file->source);
    memcpy(to, file->bytes + file->at, bytes);
    file->at += bytes;
}

static NO_RETURN void end_by_error(png_structp png, png_const_charp text)
{
    const struct png_file *file = png_get_error_ptr(png);
    fail(file->source->name, "damaged PNG: %s", text);
}

/* ---- the picture ---- */

static size_t least_row_bits(png_structp png, png_infop info)
{
    return (size_t)png_get_image_width(png, info) * png_get_bit_depth(png, info) * png_get_channels(png, info);
}

static void check_size(const struct png_file *file, png_structp png, png_infop info)
{
    size_t row = least_row_bits(png, info) / 8;
    if (row > file->count * EXPANSION_MOST / png_get_image_height(png, info))
        source_short(file->source);
}

static void convert(png_structp png, png_infop info, struct picture *picture)
{
    unsigned depth = png_get_bit_depth(png, info);
    bool gray = png_get_color_type(png, info) == PNG_COLOR_TYPE_GRAY;
    picture->maxval = gray && depth < 8 ? (1U << depth) - 1 : 0;
    png_set_expand(png); /* palettes, 1, 2 and 4 bits, and transparent colors */
    if (depth == 16)
        png_set_swap(png);
}

static void set_picture(png_structp png, png_infop info, struct picture *picture, const char *name)
{
    picture->width = png_get_image_width(png, info);
    picture->height = png_get_image_height(png, info);
    picture->channels = png_get_channels(png, info);
    picture->type = png_get_bit_depth(png, info) == 16 ? SCANKIT_U16 : SCANKIT_U8;
    picture_begin(picture, name);
}

/* An interlaced picture is filled seven times. */
static void read_rows(png_structp png, struct picture *picture, int passes)
{
    size_t row = picture_row_bytes(picture);
    if (passes > 1) {
        picture_grow(picture, picture_bytes(picture));
        memset(picture->pixels, 0, picture_bytes(picture));
    }
    for (int pass = 0; pass < passes; pass++)
        for (size_t y = 0; y < picture->height; y++) {
            picture_grow(picture, (y + 1) * row);
            png_read_row(png, picture->pixels + y * row, NULL);
        }
}

static void read_png(struct source *source, struct picture *picture)
{
    struct png_file file = {.source = source};
    read_file(&file);
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &file, end_by_error, png_ignore_warning, NULL,
                                               png_take_memory, png_give_memory);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    if (info == NULL)
        fail(source->name, "libpng cannot be started");
    png_set_read_fn(png, &file, get_bytes);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_read_info(png, info);
    check_size(&file, png, info);
    convert(png, info, picture);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    set_picture(png, info, picture, source->name);
    read_rows(png, picture, passes);
    png_read_end(png, NULL);
    if (file.at < file.count)
        fail(source->name, "goes on behind the picture");
    png_destroy_read_struct(&png, &info, NULL);
    free(file.bytes);
}

const struct format format_png = {.name = "png",
                                  .begins = png_begins,
                                  .read = read_png,
                                  .refuses = format_needs_small_integers,
                                  .write = png_write_picture};
