/* scanner.h - scans and reductions of a stream of values, block by block, wherever the device is. */
#ifndef SCANNER_H
#define SCANNER_H

#include "common/buffer.h"
#include "value.h"

struct scanner {
    scankit_context *context, *host; /* the second computes what joins two blocks */
    scankit_type type;
    scankit_operator op;
    scankit_scan_kind kind;
    const char *algorithm;                         /* of the gallery, or NULL */
    bool begun;                                    /* there is a total */
    _Alignas(VALUE_BYTES) char total[VALUE_BYTES]; /* of the segment that is open, so far */
    struct buffer data, flags, results;            /* blocks of the device, unless that is the host */
};

/* What a scan takes from its context; both are set before the first block. */
void scanner_start(struct scanner *scanner, scankit_context *context, bool deterministic);

/* Scans the next n values of the host, 1 or more, to out, which may be in; it begins anew where heads, unless that is
 * NULL, has a flag. */
void scanner_scan(struct scanner *scanner, const char *in, const uint8_t *heads, char *out, size_t n);

/* Adds n values to the total. Of no values at all, the total is the operator's identity. */
void scanner_reduce(struct scanner *scanner, const char *in, size_t n);

/* Reduces the next segments, which are not empty and begin at offsets; results has room for as many. The first one
 * goes on with the total where goes_on. The last one becomes the total. */
void scanner_reduce_segments(struct scanner *scanner, const char *in, const uint64_t *offsets, size_t segments,
                             bool goes_on, char *results);

void scanner_free(struct scanner *scanner);

#endif
