/* scanner.c - see scanner.h. */
#include "scanner.h"

#include <string.h>

#include "common/cli.h"
#include "common/device.h"
#include "model/clock.h"

void scanner_start(struct scanner *scanner, scankit_context *context, bool deterministic)
{
    scanner->context = context;
    check_call(context, scankit_set_deterministic(context, deterministic));
    if (scankit_open(&scanner->host, "cpu:1") != SCANKIT_OK)
        fail(NULL, "out of memory");
}

/* result = left op right. result may be either operand. */
static void combine(const struct scanner *scanner, const char *left, const char *right, char *result)
{
    check_call(scanner->host,
               scankit_scan(scanner->host, scanner->type, scanner->op, SCANKIT_INCLUSIVE, left, right, result, 1));
}

/* ---- scans ---- */

/* All three pointers are to the device's memory. */
static void scan(const struct scanner *scanner, scankit_context *context, const void *in, const uint8_t *heads,
                 void *out, size_t n)
{
    const void *initial = scanner->begun ? scanner->total : NULL;
    scankit_error error;
    if (heads != NULL)
        error = scankit_segmented_scan(context, scanner->type, scanner->op, scanner->kind, initial, in, heads, out, n);
    else if (scanner->algorithm != NULL)
        error = scankit_gallery_scan(context, scanner->algorithm, scanner->type, scanner->op, scanner->kind, initial,
                                     in, out, n);
    else
        error = scankit_scan(context, scanner->type, scanner->op, scanner->kind, initial, in, out, n);
    check_call(context, error);
}

static void scan_on_device(struct scanner *scanner, const char *in, const uint8_t *heads, char *out, size_t n)
{
    scankit_context *context = scanner->context;
    size_t bytes = n * scankit_type_size(scanner->type);
    char *data = buffer_upload(&scanner->data, context, in, bytes);
    const char *flags = heads == NULL ? NULL : buffer_upload(&scanner->flags, context, heads, n);
    scan(scanner, context, data, (const uint8_t *)flags, data, n);
    buffer_download(&scanner->data, out, bytes);
}

/* The last value and the last result give the total: it is the last result of an inclusive scan. An exclusive scan's
 * lacks the last value, which may be a segment's first. */
static void set_total(struct scanner *scanner, const char *value, const char *result, bool is_first)
{
    size_t size = scankit_type_size(scanner->type);
    if (scanner->kind == SCANKIT_INCLUSIVE)
        memcpy(scanner->total, result, size);
    else if (is_first)
        memcpy(scanner->total, value, size);
    else
        combine(scanner, result, value, scanner->total);
    scanner->begun = true;
}

void scanner_scan(struct scanner *scanner, const char *in, const uint8_t *heads, char *out, size_t n)
{
    size_t size = scankit_type_size(scanner->type), last = (n - 1) * size;
    _Alignas(VALUE_BYTES) char value[VALUE_BYTES];
    bool is_first = (!scanner->begun && n == 1) || (heads != NULL && heads[n - 1] != 0);
    memcpy(value, in + last, size);
    double begin = seconds_now();
    if (scankit_is_host(scanner->context))
        scan(scanner, scanner->context, in, heads, out, n);
    else
        scan_on_device(scanner, in, heads, out, n);
    if (heads == NULL && scanner->algorithm == NULL)
        device_worked(WORK_scan, n * size, begin);
    set_total(scanner, value, out + last, is_first);
}

/* ---- reductions ---- */

static void reduce(const struct scanner *scanner, scankit_context *context, const void *in, void *result, size_t n)
{
    if (scanner->algorithm != NULL)
        check_call(context,
                   scankit_gallery_reduce(context, scanner->algorithm, scanner->type, scanner->op, in, result, n));
    else
        check_call(context, scankit_reduce(context, scanner->type, scanner->op, in, result, n));
}

void scanner_reduce(struct scanner *scanner, const char *in, size_t n)
{
    _Alignas(VALUE_BYTES) char part[VALUE_BYTES];
    double begin = seconds_now();
    if (n > 0 && !scankit_is_host(scanner->context))
        in = buffer_upload(&scanner->data, scanner->context, in, n * scankit_type_size(scanner->type));
    reduce(scanner, scanner->context, in, scanner->begun ? part : scanner->total, n);
    if (scanner->algorithm == NULL)
        device_worked(WORK_reduce, n * scankit_type_size(scanner->type), begin);
    if (scanner->begun)
        combine(scanner, scanner->total, part, scanner->total);
    scanner->begun = n > 0;
}

static void reduce_on_device(struct scanner *scanner, const char *in, const uint64_t *offsets, size_t segments,
                             char *results)
{
    scankit_context *context = scanner->context;
    size_t size = scankit_type_size(scanner->type);
    const void *data = buffer_upload(&scanner->data, context, in, offsets[segments] * size);
    const void *begins = buffer_upload(&scanner->flags, context, offsets, (segments + 1) * sizeof *offsets);
    char *sums = buffer_room(&scanner->results, context, segments * size);
    check_call(context, scankit_segmented_reduce(context, scanner->type, scanner->op, data, begins, sums, segments));
    buffer_download(&scanner->results, results, segments * size);
}

void scanner_reduce_segments(struct scanner *scanner, const char *in, const uint64_t *offsets, size_t segments,
                             bool goes_on, char *results)
{
    size_t size = scankit_type_size(scanner->type);
    if (scankit_is_host(scanner->context))
        check_call(scanner->context, scankit_segmented_reduce(scanner->context, scanner->type, scanner->op, in, offsets,
                                                              results, segments));
    else
        reduce_on_device(scanner, in, offsets, segments, results);
    if (goes_on)
        combine(scanner, scanner->total, results, results);
    memcpy(scanner->total, results + (segments - 1) * size, size);
}

void scanner_free(struct scanner *scanner)
{
    buffer_free(&scanner->data);
    buffer_free(&scanner->flags);
    buffer_free(&scanner->results);
    scankit_close(scanner->host);
}

/* ---- several devices ---- */

void scanner_bring(const struct scanner *scanner, struct scan_member *member, const char *in, size_t n)
{
    member->values = in;
    buffer_upload(&member->data, member->context, in, n * scankit_type_size(scanner->type));
}

void scanner_reduce_there(const struct scanner *scanner, struct scan_member *member, const char *in, size_t n)
{
    scanner_bring(scanner, member, in, n);
    reduce(scanner, member->context, member->data.data, member->part, n);
}

void scanner_scan_there(struct scanner *scanner, struct scan_member *member, char *out, size_t n)
{
    size_t size = scankit_type_size(scanner->type), last = (n - 1) * size;
    scan(scanner, member->context, member->data.data, NULL, member->data.data, n);
    buffer_download(&member->data, out, n * size);
    set_total(scanner, member->values + last, out + last, !scanner->begun && n == 1);
}

void scanner_add(struct scanner *scanner, const struct scan_member *member)
{
    if (scanner->begun)
        combine(scanner, scanner->total, member->part, scanner->total);
    else
        memcpy(scanner->total, member->part, scankit_type_size(scanner->type));
    scanner->begun = true;
}
