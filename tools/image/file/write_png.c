/* write_png.c - writes PNG by libpng. */
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "common/progress.h"
#include "png_format.h"

bool png_begins(const unsigned char *head)
{
    return memcmp(head, "\x89PNG\r\n\x1a\n", HEAD_BYTES) == 0;
}

png_voidp png_take_memory(png_structp png, png_alloc_size_t bytes)
{
    (void)png;
    return malloc(bytes);
}

void png_give_memory(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

void png_ignore_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static void put_bytes(png_structp png, png_bytep from, size_t bytes)
{
    output_write(png_get_io_ptr(png), from, bytes);
}

static void flush(png_structp png)
{
    (void)png;
}

static NO_RETURN void end_by_error(png_structp png, png_const_charp text)
{
    const struct output *output = png_get_error_ptr(png);
    fail(output->name, "cannot write PNG: %s", text);
}

static void write_header(png_structp png, png_infop info, const struct picture *picture)
{
    static const int colors[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                 PNG_COLOR_TYPE_RGB_ALPHA};
    png_set_IHDR(png, info, (png_uint_32)picture->width, (png_uint_32)picture->height,
                 picture->type == SCANKIT_U16 ? 16 : 8, colors[picture->channels - 1], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    if (picture->type == SCANKIT_U16)
        png_set_swap(png);
}

void png_write_picture(const struct picture *picture, struct output *output)
{
    if (picture->width > PNG_UINT_31_MAX || picture->height > PNG_UINT_31_MAX)
        fail(output->name, "cannot write PNG: a side is longer than 2147483647 pixels");
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, output, end_by_error, png_ignore_warning, NULL,
                                                png_take_memory, png_give_memory);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    if (info == NULL)
        fail(output->name, "libpng cannot be started");
    png_set_write_fn(png, output, put_bytes, flush);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    write_header(png, info, picture);
    const size_t row = picture_row_bytes(picture);
    for (size_t y = 0; y < picture->height; y++) {
        png_write_row(png, picture->pixels + y * row);
        progress_add(row);
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
}
