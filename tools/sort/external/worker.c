/* worker.c - see worker.h. */
#include "worker.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Of smaller buffers, huge pages would waste too large a part. */
#define LEAST_ON_HUGE_PAGES ((size_t)4 << 20)

void worker_reserve(const struct worker *worker, struct buffer *buffer, size_t bytes)
{
    buffer_reserve(buffer, bytes, true);
    if (bytes < LEAST_ON_HUGE_PAGES)
        madvise(buffer->data, buffer->room, MADV_NOHUGEPAGE);
    if (!scankit_is_host(worker->context))
        scankit_pin(worker->context, buffer->data, buffer->room, 0); /* an error only makes transfers slower */
}

void worker_release(const struct worker *worker, struct buffer *buffer)
{
    if (!scankit_is_host(worker->context) && buffer->data != NULL)
        scankit_unpin(worker->context, buffer->data);
    buffer_free(buffer);
}

size_t worker_sort_bytes(const struct worker *worker)
{
    scankit_type type;
    bool numbers = items_are_numbers(worker->items, &type);
    size_t size = worker->items->size;
    if (scankit_is_host(worker->context))
        return numbers ? (size + 7) / 8 : 40;
    return numbers ? 2 * size + size / 16 + 1 : 2 * size + 40;
}

size_t worker_merge_bytes(const struct worker *worker)
{
    scankit_type type;
    size_t size = worker->items->size;
    if (scankit_is_host(worker->context))
        return 0;
    return items_are_numbers(worker->items, &type) ? 3 * size + size / 8 + 1 : 3 * size + 40;
}

size_t worker_merge_array_bytes(const struct worker *worker)
{
    scankit_type type;
    size_t bytes = items_are_numbers(worker->items, &type) ? (size_t)2 << 10 : (size_t)16 << 10;
    return scankit_is_host(worker->context) ? bytes : 0;
}

void worker_end_sorting(struct worker *worker)
{
    buffer_free(&worker->in);
}

static size_t keep_first_of_equals(const struct worker *worker, char *memory, size_t n)
{
    const struct items *items = worker->items;
    const scankit_run_options options = {.keys = items->keys, .key_count = items->key_count};
    if (worker->unique)
        check_call(worker->context, scankit_unique(worker->context, items->size, memory, memory, n, &options, &n));
    return n;
}

static void sort(const struct worker *worker, char *in, char *out, size_t n)
{
    const struct items *items = worker->items;
    scankit_sort_options options = {.algorithm = worker->algorithm};
    scankit_type type;
    if (items_are_numbers(items, &type)) {
        options.descending = items->keys[0].descending;
        options.overwrite_input = in != out;
        check_call(worker->context, scankit_sort(worker->context, type, in, out, n, &options));
    } else {
        check_call(worker->context, scankit_sort_records(worker->context, items->size, items->keys, items->key_count,
                                                         in, out, n, &options));
    }
}

char *worker_sort(struct worker *worker, char *memory, char *other, size_t *n)
{
    if (scankit_is_host(worker->context)) {
        sort(worker, memory, other, *n);
        check_call(worker->context, scankit_synchronize(worker->context));
        *n = keep_first_of_equals(worker, other, *n);
        return other;
    }
    char *data = buffer_upload(&worker->in, worker->context, memory, *n * worker->items->size);
    sort(worker, data, data, *n);
    *n = keep_first_of_equals(worker, data, *n);
    check_call(worker->context, scankit_download(worker->context, memory, data, *n * worker->items->size));
    return memory;
}

/* Uploads the arrays. Sets pointers to them on the device. */
static void upload(struct worker *worker, size_t k, const void *const *arrays, const size_t *counts,
                   const void **uploaded)
{
    size_t size = worker->items->size, n = 0;
    for (size_t i = 0; i < k; i++)
        n += counts[i];
    char *to = buffer_room(&worker->in, worker->context, n * size);
    for (size_t i = 0; i < k; i++) {
        check_call(worker->context, scankit_upload(worker->context, to, arrays[i], counts[i] * size));
        uploaded[i] = to;
        to += counts[i] * size;
    }
}

static void merge(const struct worker *worker, size_t k, const void *const *arrays, const size_t *counts, char *out)
{
    const struct items *items = worker->items;
    check_call(worker->context, scankit_merge_many_records(worker->context, items->size, items->keys, items->key_count,
                                                           k, arrays, counts, out));
}

size_t worker_merge(struct worker *worker, size_t k, const void *const *arrays, const size_t *counts, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i < k; i++)
        n += counts[i];
    if (scankit_is_host(worker->context)) {
        merge(worker, k, arrays, counts, out);
        check_call(worker->context, scankit_synchronize(worker->context));
        return keep_first_of_equals(worker, out, n);
    }
    const void **uploaded = get_memory(k * sizeof *uploaded);
    upload(worker, k, arrays, counts, uploaded);
    char *merged = buffer_room(&worker->out, worker->context, n * worker->items->size);
    merge(worker, k, uploaded, counts, merged);
    n = keep_first_of_equals(worker, merged, n);
    check_call(worker->context, scankit_download(worker->context, out, merged, n * worker->items->size));
    free(uploaded);
    return n;
}

void worker_close(struct worker *worker)
{
    buffer_free(&worker->in);
    buffer_free(&worker->out);
}
