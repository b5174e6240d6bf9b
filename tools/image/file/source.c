/* source.c - see source.h. */
#include "source.h"

#include <string.h>

#include "common/progress.h"

#define STEP_BYTES ((size_t)1 << 20)

void source_open(struct source *source, struct input *input)
{
    source->name = input->name;
    source->input = input;
    source->at = source->used = 0;
}

static size_t read_input(struct source *source, void *memory, size_t bytes)
{
    size_t got = input_read(source->input, memory, bytes);
    progress_add(got);
    return got;
}

const unsigned char *source_peek(struct source *source, size_t *count)
{
    size_t left = source->used - source->at;
    if (left < *count) {
        memmove(source->bytes, source->bytes + source->at, left);
        source->at = 0;
        source->used = left + read_input(source, source->bytes + left, SOURCE_BYTES - left);
        left = source->used;
    }
    *count = *count < left ? *count : left;
    return source->bytes + source->at;
}

int source_byte(struct source *source)
{
    size_t one = 1;
    const unsigned char *byte = source_peek(source, &one);
    source->at += one;
    return one > 0 ? *byte : -1;
}

size_t source_read(void *from, void *memory, size_t bytes)
{
    struct source *source = from;
    size_t ahead = source->used - source->at;
    ahead = ahead < bytes ? ahead : bytes;
    memcpy(memory, source->bytes + source->at, ahead);
    source->at += ahead;
    return bytes == ahead ? bytes : ahead + read_input(source, (char *)memory + ahead, bytes - ahead);
}

NO_RETURN void source_short(const struct source *source)
{
    fail(source->name, "ends early: the picture is not complete");
}

void source_get(struct source *source, void *memory, size_t bytes)
{
    if (source_read(source, memory, bytes) != bytes)
        source_short(source);
}

/* Bytes that are left, or SIZE_UNKNOWN. */
static uint64_t bytes_left(const struct source *source)
{
    const struct input *input = source->input;
    return input->size == SIZE_UNKNOWN ? SIZE_UNKNOWN : input->size - input->taken + source->used - source->at;
}

void source_pixels(struct source *source, struct picture *picture)
{
    size_t all = picture_bytes(picture);
    uint64_t left = bytes_left(source);
    if (left < all)
        source_short(source);
    if (left != SIZE_UNKNOWN)
        picture_grow(picture, all);
    for (size_t done = 0, part; done < all; done += part) {
        part = all - done < STEP_BYTES ? all - done : STEP_BYTES;
        picture_grow(picture, done + part);
        source_get(source, picture->pixels + done, part);
    }
}

void source_end(struct source *source)
{
    if (source_byte(source) >= 0)
        fail(source->name, "goes on behind the picture");
}
