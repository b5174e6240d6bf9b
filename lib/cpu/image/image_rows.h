/* image_rows.h - rows of an image, a part at a time, as the type of their sums. */
#ifndef SK_IMAGE_ROWS_H
#define SK_IMAGE_ROWS_H

#include "cpu/cpu.h"

/* Bytes of a part of a row: whole registers, lines and pixels, of any number of channels. */
#define SK_CHUNK_UNIT ((size_t)192)
#define SK_CHUNK_BYTES ((size_t)SK_TABLE_PART)

typedef struct sk_row_source {
    const sk_kernels *kernels;
    const scankit_image *in;
    scankit_type type; /* of the sums */
    size_t from, to;   /* bytes of an element, before and after */
    sk_widen_function *widen;
    const double *mean; /* that is subtracted, by channel; or NULL */
} sk_row_source;

static inline sk_row_source sk_row_source_of(const sk_device *device, const scankit_image *in, scankit_type type,
                                             const double *mean)
{
    sk_row_source source = {.kernels = sk_kernels_of(device), .in = in, .type = type, .mean = mean};
    source.from = scankit_type_size(in->type);
    source.to = scankit_type_size(type);
    source.widen = source.kernels->widen(in->type, type);
    return source;
}

/* Subtracts the means from n floats, which begin with a whole pixel. */
static inline void sk_subtract_means(const sk_row_source *source, void *row, size_t n)
{
    const unsigned channels = source->in->channels;
    float *narrow = row;
    double *wide = row;
    for (unsigned c = 0; c < channels; c++)
        if (source->type == SCANKIT_F32)
            for (size_t i = c; i < n; i += channels)
                narrow[i] -= (float)source->mean[c];
        else
            for (size_t i = c; i < n; i += channels)
                wide[i] -= source->mean[c];
}

static inline const char *sk_row_at(const sk_row_source *source, size_t row, size_t element)
{
    return (const char *)((uintptr_t)source->in->data + row * source->in->pitch + element * source->from);
}

/* Rows come into the first cache: they change too often for the machine to foresee. */
static inline void sk_ask_for_rows(const sk_row_source *source, const char *in, size_t n, unsigned rows)
{
    for (unsigned r = 0; r < rows; r++)
        for (size_t at = 0; at < n * source->from; at += 64)
            __builtin_prefetch((const void *)((uintptr_t)in + r * source->in->pitch + at), 0, 3);
}

/* Elements [part.begin, part.end) of some rows: where they are, or in the buffer, SK_CHUNK_BYTES apart. */
static inline const char *sk_read_rows(const sk_row_source *source, size_t row, sk_range part, unsigned rows,
                                       char *buffer, size_t *pitch)
{
    const size_t n = part.end - part.begin;
    const char *in = sk_row_at(source, row, part.begin);
    *pitch = source->in->pitch;
    if (source->widen == NULL && source->mean == NULL)
        return in;
    *pitch = SK_CHUNK_BYTES;
    for (unsigned r = 0; r < rows; r++, in += source->in->pitch) {
        char *to = buffer + r * SK_CHUNK_BYTES;
        if (source->widen != NULL)
            source->widen(in, to, n);
        else
            memcpy(to, in, n * source->from);
        if (source->mean != NULL)
            sk_subtract_means(source, to, n);
    }
    return buffer;
}

#endif
