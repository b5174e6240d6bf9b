/* png_format.h - what reading and writing PNG share. */
#ifndef PNG_FORMAT_H
#define PNG_FORMAT_H

#include <png.h>

#include "format.h"

bool png_begins(const unsigned char *head);

void png_write_picture(const struct picture *picture, struct output *output);

/* Memory and warnings, as libpng calls them. Pictures are read whatever a warning says. */
png_voidp png_take_memory(png_structp png, png_alloc_size_t bytes);
void png_give_memory(png_structp png, png_voidp memory);
void png_ignore_warning(png_structp png, png_const_charp text);

#endif
