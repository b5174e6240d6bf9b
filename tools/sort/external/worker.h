/* worker.h - sorting and merging items of the host's memory on the device. */
#ifndef WORKER_H
#define WORKER_H

#include "common/buffer.h"
#include "common/device.h"
#include "items/items.h"

struct worker {
    scankit_context *context;
    const struct items *items;
    scankit_algorithm algorithm;
    bool unique;           /* keep the first of equal items */
    struct buffer in, out; /* the device's, unless it is the host */
};

/* Memory of the host that is uploaded and downloaded often. On a GPU it is pinned, if the system permits that. */
void worker_reserve(const struct worker *worker, struct buffer *buffer, size_t bytes);
void worker_release(const struct worker *worker, struct buffer *buffer);

/* Bytes of the device's memory that the device needs for each item while it sorts and while it merges; the host's
 * arrays are not counted. */
size_t worker_sort_bytes(const struct worker *worker);
size_t worker_merge_bytes(const struct worker *worker);

/* Bytes for each array that is merged, in each thread. */
size_t worker_merge_array_bytes(const struct worker *worker);

/* Sorts *n items. Returns where they are then: in memory or, if the device is the host, in `other`. *n is how many are
 * kept. */
char *worker_sort(struct worker *worker, char *memory, char *other, size_t *n);

/* Frees what sorting needs and merging does not. */
void worker_end_sorting(struct worker *worker);

/* Merges k sorted arrays. Returns how many items are kept. */
size_t worker_merge(struct worker *worker, size_t k, const void *const *arrays, const size_t *counts, char *out);

void worker_close(struct worker *worker);

#endif
