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

/* ---- several devices: each gets blocks, and the total goes from block to block ---- */

/* A device with a block. */
struct scan_member {
    scankit_context *context;
    const char *values; /* of the block, on the host */
    struct buffer data;
    _Alignas(VALUE_BYTES) char part[VALUE_BYTES]; /* the block's reduction */
};

/* Brings n >= 1 values to the device, or reduces them there. Members may do so at the same time. */
void scanner_bring(const struct scanner *scanner, struct scan_member *member, const char *in, size_t n);
void scanner_reduce_there(const struct scanner *scanner, struct scan_member *member, const char *in, size_t n);

/* Scans the values that were brought, which follow the last scanned block. As scanner_scan(). */
void scanner_scan_there(struct scanner *scanner, struct scan_member *member, char *out, size_t n);

/* Adds the block's reduction to the total. */
void scanner_add(struct scanner *scanner, const struct scan_member *member);

#endif
