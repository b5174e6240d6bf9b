/* format.h - the formats of pictures, a row each. */
#ifndef IMAGE_FORMAT_H
#define IMAGE_FORMAT_H

#include "io/output.h"
#include "source.h"

#define HEAD_BYTES 8 /* what is looked at to tell formats */

struct format {
    const char *name; /* also the suffix of files */

    /* True if a file with this head has the format. */
    bool (*begins)(const unsigned char *head);

    /* Reads the picture from its first byte to its last. */
    void (*read)(struct source *source, struct picture *picture);

    /* What the format cannot hold of this picture, for a message; NULL if it can hold the picture. */
    const char *(*refuses)(const struct picture *picture);
    void (*write)(const struct picture *picture, struct output *output);
};

extern const struct format format_png, format_pgm, format_ppm, format_pfm, format_pam, format_npy;

/* The format of this name; fails naming the option --to if there is none. */
const struct format *format_by_name(const char *name);

/* The format of a file's suffix, in any case; NULL if it has none of them. */
const struct format *format_by_suffix(const char *path);

/* Fails if the format cannot hold such a picture. The name is for messages. */
void format_check(const struct format *format, const struct picture *picture, const char *name);

/* Reads the only picture of an input. Returns its format. */
const struct format *format_read(struct input *input, struct picture *picture);

/* Writes pixels, and adds them to the progress. */
void format_put(struct output *output, const void *pixels, size_t bytes);

/* The usual reason for `refuses`: integers of 8 or 16 bits. */
const char *format_needs_small_integers(const struct picture *picture);

#endif
