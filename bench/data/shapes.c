/* shapes.c - see shapes.h: the table of shapes of data, and the conversion of drawn values to elements. */
#include "shapes.h"

#include <math.h>
#include <string.h>

#include "draw.h"
#include "element.h"

typedef enum shape_kind { KIND_spread, KIND_count, KIND_real, KIND_wide, KIND_record } shape_kind;

typedef union draw_function {
    uint64_t (*integer)(shape_stream *stream);
    double (*real)(shape_stream *stream);
} draw_function;

#define DRAW_FROM_spread(name) \
    {                          \
        .integer = draw_##name \
    }
#define DRAW_FROM_count(name)  \
    {                          \
        .integer = draw_##name \
    }
#define DRAW_FROM_real(name) \
    {                        \
        .real = draw_##name  \
    }
#define DRAW_FROM_wide(name)   \
    {                          \
        .integer = draw_##name \
    }
#define DRAW_FROM_record(name) \
    {                          \
        .integer = NULL        \
    }

static const struct {
    const char *name, *description;
    shape_kind kind;
    draw_function draw;
} shapes[] = {
#define X(name, kind, text) {#name, text, KIND_##kind, DRAW_FROM_##kind(name)},
    SHAPES(X)
#undef X
};

const char *shape_name(shape_id shape)
{
    return shapes[shape].name;
}

const char *shape_description(shape_id shape)
{
    return shapes[shape].description;
}

bool shape_from_name(shape_id *shape, const char *name)
{
    for (unsigned i = 0; i < SHAPE_COUNT; i++)
        if (strcmp(name, shapes[i].name) == 0) {
            *shape = i;
            return true;
        }
    return false;
}

bool shape_takes(shape_id shape, scankit_type type)
{
    switch (shapes[shape].kind) {
    case KIND_record: return false;
    case KIND_wide: return type == SCANKIT_U64;
    default: return type != SCANKIT_BYTES;
    }
}

size_t shape_element_size(const shape_stream *stream)
{
    return stream->shape == SHAPE_records ? SHAPE_RECORD_SIZE : element_size(stream->type);
}

/* ---- values to elements ---- */

/* One float in 256 is a NaN or a zero of either sign. */
static double with_special_values(shape_stream *stream, double value)
{
    uint64_t choice = random_bits(&stream->random);
    if (choice >> 56 != 0)
        return value;
    double special = (choice & 1) != 0 ? NAN : 0.0;
    return (choice & 2) != 0 ? -special : special;
}

/* Scales [0, 16) to all integers of stream->bits bits, or [-8, 8) if values are on both sides of 0. */
static uint64_t real_to_bits(const shape_stream *stream, double value, bool both_sides)
{
    double top = ldexp(1.0, (int)stream->bits);
    double scaled_value = both_sides ? (value / 16 + 0.5) * top : value / 16 * top;
    if (scaled_value <= 0)
        return 0;
    return scaled_value >= top ? UINT64_MAX >> (64 - stream->bits) : (uint64_t)scaled_value;
}

/* True if values map to the whole range of a signed type, from its least value, not from 0. */
static bool is_centred(const shape_stream *stream)
{
    return element_kind_of(stream->type) == ELEMENT_signed &&
           (shapes[stream->shape].kind == KIND_spread || stream->shape == SHAPE_normal);
}

static void store_bits(const shape_stream *stream, uint64_t bits, char *out)
{
    if (is_centred(stream))
        bits ^= UINT64_C(1) << (stream->bits - 1);
    switch (element_size(stream->type)) {
    case 1: memcpy(out, &bits, 1); break;
    case 2: memcpy(out, &bits, 2); break;
    case 4: memcpy(out, &bits, 4); break;
    default: memcpy(out, &bits, 8);
    }
}

/* Later timestamps are past the largest half. They wrap, as in narrow integers. */
static double integer_to_real(const shape_stream *stream, uint64_t value)
{
    bool wraps = element_kind_of(stream->type) == ELEMENT_half;
    return (double)(wraps ? value & UINT64_MAX >> (64 - stream->bits) : value);
}

static void fill_integers(shape_stream *stream, char *out, size_t n)
{
    uint64_t (*draw)(shape_stream *) = shapes[stream->shape].draw.integer;
    bool as_float = element_is_float(stream->type);
    double unit = shapes[stream->shape].kind == KIND_spread ? ldexp(1.0, -(int)stream->bits) : 1.0;
    size_t size = element_size(stream->type);
    for (; n > 0; n--, out += size, stream->position++) {
        uint64_t value = draw(stream);
        if (as_float)
            element_store(stream->type, integer_to_real(stream, value) * unit, out);
        else
            store_bits(stream, value, out);
    }
}

static void fill_reals(shape_stream *stream, char *out, size_t n)
{
    double (*draw)(shape_stream *) = shapes[stream->shape].draw.real;
    bool as_float = element_is_float(stream->type);
    bool normal = stream->shape == SHAPE_normal;
    bool special = normal || stream->shape == SHAPE_lognormal;
    size_t size = element_size(stream->type);
    for (; n > 0; n--, out += size, stream->position++) {
        double value = draw(stream);
        if (as_float)
            element_store(stream->type, special ? with_special_values(stream, value) : value, out);
        else
            store_bits(stream, real_to_bits(stream, value, normal), out);
    }
}

static void fill_records(shape_stream *stream, char *out, size_t n)
{
    for (; n > 0; n--, out += SHAPE_RECORD_SIZE, stream->position++) {
        uint64_t key[2] = {random_bits(&stream->random), random_bits(&stream->random)};
        memcpy(out, key, SHAPE_RECORD_KEY);
        memcpy(out + SHAPE_RECORD_KEY, &stream->position, sizeof stream->position);
        char letter = (char)('A' + stream->position % 26);
        memset(out + SHAPE_RECORD_KEY + 8, letter, SHAPE_RECORD_SIZE - SHAPE_RECORD_KEY - 8);
    }
}

void shape_fill(shape_stream *stream, void *out, size_t n)
{
    switch (shapes[stream->shape].kind) {
    case KIND_spread:
    case KIND_wide:
    case KIND_count: fill_integers(stream, out, n); break;
    case KIND_real: fill_reals(stream, out, n); break;
    case KIND_record: fill_records(stream, out, n); break;
    }
}

void shape_open(shape_stream *stream, shape_id shape, scankit_type type, uint64_t count, uint64_t seed)
{
    memset(stream, 0, sizeof *stream);
    stream->shape = shape;
    stream->type = type;
    stream->count = count;
    stream->seed = random_mix(seed);
    random_seed(&stream->random, seed);
    if (shapes[shape].kind == KIND_record)
        return;
    stream->bits = element_bits(type) + is_centred(stream); /* centred: the sign's bit too */
    uint64_t last = UINT64_MAX >> (64 - stream->bits);
    stream->step = count > 0 ? last / count : 0;
    stream->repeat = count / last + 1;
    stream->stride = count / 100;
    stream->clock = stream->bits >= 48 ? UINT64_C(1700000000000) : 4096;
    for (unsigned i = 0; i < 16; i++)
        stream->host_clock[i] = stream->clock;
}
