/* format.c - see format.h. */
#include "format.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/progress.h"

static const struct format *const formats[] = {&format_png, &format_pgm, &format_ppm,
                                               &format_pfm, &format_pam, &format_npy};
#define FORMATS (sizeof formats / sizeof formats[0])
#define STEP_BYTES ((size_t)1 << 20) /* so that the progress is seen */
#define NAMES "png pgm ppm pfm pam npy"

const struct format *format_by_name(const char *name)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    fail_usage("--to=%s: no such format; there are " NAMES, name);
}

const struct format *format_by_suffix(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash == NULL ? path : slash, '.');
    for (size_t i = 0; dot != NULL && i < FORMATS; i++)
        if (strcasecmp(dot + 1, formats[i]->name) == 0)
            return formats[i];
    return NULL;
}

void format_check(const struct format *format, const struct picture *picture, const char *name)
{
    const char *why = format->refuses(picture);
    if (why != NULL)
        fail(name, "%s cannot hold %s: %s", format->name, picture_text(picture), why);
}

const struct format *format_read(struct input *input, struct picture *picture)
{
    struct source *source = get_memory(sizeof *source);
    unsigned char head[HEAD_BYTES] = {0};
    size_t count = HEAD_BYTES;
    source_open(source, input);
    const unsigned char *bytes = source_peek(source, &count);
    memcpy(head, bytes, count);
    if (count == 0)
        fail(input->name, "is empty");
    size_t i = 0;
    while (i < FORMATS && !formats[i]->begins(head))
        i++;
    if (i == FORMATS)
        fail(input->name, "is no picture of a known format: " NAMES);
    *picture = (struct picture){.pixels = NULL};
    formats[i]->read(source, picture);
    source_end(source);
    free(source);
    return formats[i];
}

void format_put(struct output *output, const void *pixels, size_t bytes)
{
    const char *from = pixels;
    for (size_t done = 0, part; done < bytes; done += part) {
        part = bytes - done < STEP_BYTES ? bytes - done : STEP_BYTES;
        output_write(output, from + done, part);
        progress_add(part);
    }
}

const char *format_needs_small_integers(const struct picture *picture)
{
    bool small = picture->type == SCANKIT_U8 || picture->type == SCANKIT_U16;
    return small ? NULL : "it holds u8 and u16";
}
