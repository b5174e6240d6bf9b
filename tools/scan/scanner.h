/* scanner.h - scans and reductions of a stream of values, block by block, on any device. */
#ifndef SCANNER_H
#define SCANNER_H

#include "common/buffer.h"
#include "value.h"

struct scanner {
    scankit_context *context, *host; /* host: combines totals of blocks */
    scankit_type type;
    scankit_operator op;
    scankit_scan_kind kind;
    const char *algorithm;                         /* of the gallery; NULL: the default */
    bool begun;                                    /* total is set */
    _Alignas(VALUE_BYTES) char total[VALUE_BYTES]; /* of the open segment, so far */
    struct buffer data, flags, results;            /* blocks on a device that is not the host */
};

/* Sets the context, before the first block. */
void scanner_start(struct scanner *scanner, scankit_context *context, bool deterministic);

/* Scans the next n >= 1 values of the host to out, which may be in. It restarts where heads, which may be NULL, has a
 * flag. */
void scanner_scan(struct scanner *scanner, const char *in, const uint8_t *heads, char *out, size_t n);

/* Adds n values to the total. The total of no values is the operator's identity. */
void scanner_reduce(struct scanner *scanner, const char *in, size_t n);

/* Reduces the next segments, which begin at offsets and are not empty, to results. With goes_on the first one continues
 * the total. The last result becomes the total. */
void scanner_reduce_segments(struct scanner *scanner, const char *in, const uint64_t *offsets, size_t segments,
                             bool goes_on, char *results);

void scanner_free(struct scanner *scanner);

#endif
