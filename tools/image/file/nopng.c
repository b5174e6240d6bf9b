/* nopng.c - PNG in builds without libpng: it is recognized and refused. */
#include <string.h>

#include "format.h"

static bool begins(const unsigned char *head)
{
    return memcmp(head, "\x89PNG\r\n\x1a\n", HEAD_BYTES) == 0;
}

static void refuse(struct source *source, struct picture *picture)
{
    (void)picture;
    fail(source->name, "is PNG, which this build cannot read: it has no libpng");
}

static const char *refuses(const struct picture *picture)
{
    (void)picture;
    return "this build has no libpng";
}

static void write_nothing(const struct picture *picture, struct output *output)
{
    (void)picture;
    (void)output;
}

const struct format format_png = {
    .name = "png", .begins = begins, .read = refuse, .refuses = refuses, .write = write_nothing};
