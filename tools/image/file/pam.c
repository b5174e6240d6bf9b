/* pam.c - PAM (P7): samples as in PGM, of 1 to 4 channels. */
#include <stdio.h>
#include <string.h>

#include "header.h"
#include "samples.h"

#define WORD_BYTES 32

static bool begins(const unsigned char *head)
{
    return memcmp(head, "P7\n", 3) == 0;
}

/* Lines of the header: X(its word, the member that it sets). */
#define LINES(X)        \
    X("WIDTH", width)   \
    X("HEIGHT", height) \
    X("DEPTH", depth)   \
    X("MAXVAL", maxval)

struct pam_header {
    size_t width, height, depth, maxval;
};

/* Sets the number of a line. Fails if another line set it. */
static void take_line(struct source *source, struct pam_header *header, const char *word)
{
    size_t *number = NULL;
#define X(text, member)          \
    if (strcmp(word, text) == 0) \
        number = &header->member;
    LINES(X)
#undef X
    if (number == NULL || *number != SIZE_MAX)
        header_bad(source);
    *number = header_number(source);
}

static struct pam_header read_header(struct source *source)
{
    struct pam_header header = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    char word[WORD_BYTES], type[WORD_BYTES];
    source_get(source, word, 2);
    for (header_word(source, word, sizeof word); strcmp(word, "ENDHDR") != 0; header_word(source, word, sizeof word))
        if (strcmp(word, "TUPLTYPE") == 0)
            header_word(source, type, sizeof type);
        else
            take_line(source, &header, word);
#define X(text, member)            \
    if (header.member == SIZE_MAX) \
        fail(source->name, "damaged header: it has no " text);
    LINES(X)
#undef X
    return header;
}

static void read_pam(struct source *source, struct picture *picture)
{
    struct pam_header header = read_header(source);
    if (header.depth < 1 || header.depth > CHANNELS_MOST)
        fail(source->name, "has %zu channels; 1 to 4 are needed", header.depth);
    picture->width = header.width;
    picture->height = header.height;
    picture->channels = (unsigned)header.depth;
    picture->type = samples_type(source, header.maxval);
    picture_begin(picture, source->name);
    samples_read(source, picture, header.maxval);
}

static void write_pam(const struct picture *picture, struct output *output)
{
    static const char *const types[] = {"GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA"};
    char head[160];
    int length = snprintf(head, sizeof head, "P7\nWIDTH %zu\nHEIGHT %zu\nDEPTH %u\nMAXVAL %d\nTUPLTYPE %s\nENDHDR\n",
                          picture->width, picture->height, picture->channels, picture->type == SCANKIT_U8 ? 255 : 65535,
                          types[picture->channels - 1]);
    output_write(output, head, (size_t)length);
    samples_write(picture, output);
}

const struct format format_pam = {
    .name = "pam", .begins = begins, .read = read_pam, .refuses = format_needs_small_integers, .write = write_pam};
