/* fuzz-picture.c - files of pictures, as gpuimg reads them. A picture that is taken is whole: its memory is as large as
 * its size says, and in proportion to the file; each format that can hold it gives the same picture back.
 *
 * Input: a byte that says whether the checksums of PNG are repaired first, so that damage behind them is reached; the
 * file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "fuzz.h"
#include "image/file/format.h"
#include "survive.h"

#define EXPANSION_MOST ((size_t)1032 * 32) /* of deflate, and of a palette's bits */

static const struct format *const formats[] = {&format_pgm, &format_ppm, &format_pfm,
                                               &format_pam, &format_npy, &format_png};
#define FORMATS (sizeof formats / sizeof formats[0])

/* ---- seeds ---- */

/* Writes it as a file of this format, in memory. Returns the bytes of the file, in a descriptor. */
static int write_picture(const struct format *format, const struct picture *picture)
{
    int file = memfd_create("scankit-fuzz-out", MFD_CLOEXEC);
    struct output output = {.name = "out", .descriptor = file};
    FUZZ_CHECK(file >= 0);
    format->write(picture, &output);
    return file;
}

static struct picture draw_picture(random_state *random, scankit_type type)
{
    struct picture picture = {.type = type, .channels = 1 + (unsigned)random_below(random, CHANNELS_MOST)};
    picture.width = 1 + random_below(random, 12);
    picture.height = 1 + random_below(random, 12);
    picture.room = picture_bytes(&picture);
    picture.pixels = data_allocate(picture.room, 1);
    for (size_t i = 0; i < picture.room; i++)
        picture.pixels[i] = (unsigned char)random_next(random);
    return picture;
}

static size_t draw_plain(uint8_t *data, size_t room, random_state *random)
{
    size_t width = 1 + random_below(random, 5), height = 1 + random_below(random, 5), used;
    bool color = random_below(random, 2) == 0;
    char text[600];
    used = (size_t)snprintf(text, sizeof text, "P%d\n# text\n%zu %zu\n%d\n", color ? 3 : 2, width, height, 999);
    for (size_t i = 0; i < width * height * (color ? 3 : 1); i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%zu ", (size_t)random_below(random, 1000));
    used = used < room ? used : room;
    memcpy(data, text, used);
    return used;
}

size_t fuzz_seed(uint8_t *data, size_t room, random_state *random)
{
    static const scankit_type types[] = {SCANKIT_U8, SCANKIT_U16, SCANKIT_F32, SCANKIT_F16};
    struct picture picture = draw_picture(random, types[random_below(random, 4)]);
    const struct format *format = formats[random_below(random, FORMATS)];
    *data++ = (uint8_t)random_next(random);
    room--;
    if (random_below(random, 8) == 0 || format->refuses(&picture) != NULL) {
        free(picture.pixels);
        return 1 + draw_plain(data, room, random);
    }
    int file = write_picture(format, &picture);
    ssize_t size = pread(file, data, room, 0);
    FUZZ_CHECK(size > 0);
    close(file);
    free(picture.pixels);
    return 1 + (size_t)size;
}

/* Gives each chunk of a PNG file the checksum of its bytes. */
static void repair(uint8_t *file, size_t size)
{
    for (size_t at = 8; size >= 12 && at <= size - 12;) {
        size_t length = (size_t)file[at] << 24 | (size_t)file[at + 1] << 16 | (size_t)file[at + 2] << 8 | file[at + 3];
        if (length > size - 12 - at)
            return;
        uint32_t sum = (uint32_t)crc32(0, file + at + 4, (uInt)length + 4);
        for (size_t b = 0; b < 4; b++)
            file[at + 8 + length + b] = (uint8_t)(sum >> (24 - 8 * b));
        at += 12 + length;
    }
}

/* ---- facts ---- */

static const struct format *read_picture(struct picture *picture)
{
    static char name[] = "-";
    char *paths[] = {name};
    struct common common = COMMON_DEFAULTS;
    common.parallel = 1;
    struct input *input = inputs_open_bytes(paths, 1, &common);
    const struct format *format = format_read(input, picture);
    FUZZ_CHECK(picture_bytes(picture) <= EXPANSION_MOST * (size_t)input->taken);
    inputs_close(input, 1);
    return format;
}

static bool same(const struct picture *a, const struct picture *b)
{
    return a->type == b->type && a->channels == b->channels && a->width == b->width && a->height == b->height &&
           memcmp(a->pixels, b->pixels, picture_bytes(a)) == 0;
}

static void check_format(const struct format *format, const struct picture *picture)
{
    struct picture again;
    if (format->refuses(picture) != NULL)
        return;
    int file = write_picture(format, picture);
    FUZZ_CHECK(dup2(file, STDIN_FILENO) == STDIN_FILENO && lseek(STDIN_FILENO, 0, SEEK_SET) == 0);
    FUZZ_CHECK(read_picture(&again) == format && same(&again, picture));
    picture_free(&again);
    close(file);
}

static void try_file(void *state)
{
    struct picture picture;
    (void)state;
    read_picture(&picture);
    FUZZ_CHECK(picture.room >= picture_bytes(&picture) && picture_elements(&picture) > 0);
    for (size_t i = 0; i < FORMATS; i++)
        check_format(formats[i], &picture);
    picture_free(&picture);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes in = {data, size};
    bool repairs = fuzz_number(&in, 1) & 1;
    if (codec_of_head(in.at, in.left) == CODEC_ZSTD)
        return 0; /* libzstd's memory would stay */
    uint8_t *file = data_allocate(in.left + 1, 1);
    if (in.left > 0)
        memcpy(file, in.at, in.left);
    if (repairs && in.left > 0 && file[0] == 0x89)
        repair(file, in.left);
    int input = memfd_create("scankit-fuzz", MFD_CLOEXEC);
    FUZZ_CHECK(input >= 0 && write(input, file, in.left) == (ssize_t)in.left && lseek(input, 0, SEEK_SET) == 0);
    FUZZ_CHECK(dup2(input, STDIN_FILENO) == STDIN_FILENO);
    close(input);
    free(file);
    survive(try_file, NULL);
    return 0;
}
