/* runs.c - see runs.h. */
#include "runs.h"

#include <stdlib.h>
#include <string.h>

#include "common/device.h"
#include "model/clock.h"

void runs_start(struct runs *runs, const struct schema *schema, size_t block, bool counted)
{
    *runs = (struct runs){.size = schema->size};
    runs->options = (scankit_run_options){.keys = schema->keys, .key_count = schema->key_count};
    size_t room = block + 1; /* for the open run too */
    if (room > SIZE_MAX / (runs->size + sizeof *runs->counts))
        fail(NULL, "out of memory");
    runs->values = get_memory(room * runs->size);
    runs->first = get_memory(runs->size);
    runs->counts = counted ? get_memory(room * sizeof *runs->counts) : NULL;
}

static char *value(const struct runs *runs, size_t run)
{
    return runs->values + run * runs->size;
}

static bool equal(const struct runs *runs, const char *a, const char *b)
{
    const scankit_run_options *options = &runs->options;
    if (options->key_count == 0)
        return memcmp(a, b, runs->size) == 0;
    for (size_t i = 0; i < options->key_count; i++)
        if (memcmp(a + options->keys[i].offset, b + options->keys[i].offset, options->keys[i].size) != 0)
            return false;
    return true;
}

static size_t encode_on_device(struct runs *runs, const char *block, char *values, uint64_t *counts, size_t n)
{
    scankit_context *context = runs->context;
    size_t size = runs->size, found;
    char *in = buffer_upload(&runs->in, context, block, n * size);
    char *values_there = buffer_room(&runs->out, context, n * size);
    uint64_t *counts_there =
        counts == NULL ? NULL : (uint64_t *)(void *)buffer_room(&runs->lengths, context, n * sizeof *counts);
    check_call(context,
               scankit_run_length_encode(context, size, in, values_there, counts_there, n, &runs->options, &found));
    buffer_download(&runs->out, values, found * size);
    buffer_download(&runs->lengths, counts, found * sizeof *counts);
    return found;
}

static size_t encode(struct runs *runs, const char *block, char *values, uint64_t *counts, size_t n)
{
    size_t found;
    double begin = seconds_now();
    if (scankit_is_host(runs->context))
        check_call(runs->context, scankit_run_length_encode(runs->context, runs->size, block, values, counts, n,
                                                            &runs->options, &found));
    else
        found = encode_on_device(runs, block, values, counts, n);
    device_worked(WORK_encode, n * runs->size, begin);
    return found;
}

/* If the block's first run continues the open one, it is written over it. Then the open run's first element is
 * restored, which may differ in bytes that are no keys, and its length is added. */
void runs_add(struct runs *runs, const char *block, size_t n)
{
    bool goes_on = runs->held > 0 && equal(runs, value(runs, runs->held - 1), block);
    size_t at = goes_on ? runs->held - 1 : runs->held;
    uint64_t *counts = runs->counts == NULL ? NULL : runs->counts + at, before = 0;
    if (goes_on) {
        memcpy(runs->first, value(runs, at), runs->size);
        before = counts == NULL ? 0 : *counts;
    }
    runs->held = at + encode(runs, block, value(runs, at), counts, n);
    if (goes_on)
        memcpy(value(runs, at), runs->first, runs->size);
    if (counts != NULL)
        *counts += before;
}

void runs_pass(struct runs *runs, take_function *take, void *state, bool last)
{
    size_t complete = runs->held - (runs->held > 0 && !last);
    if (complete == 0)
        return;
    take(state, runs->values, runs->counts, complete, last);
    runs->found += complete;
    runs->held -= complete;
    if (runs->held == 0)
        return;
    memcpy(runs->values, value(runs, complete), runs->size);
    if (runs->counts != NULL)
        runs->counts[0] = runs->counts[complete];
}

void runs_free(struct runs *runs)
{
    free(runs->values);
    free(runs->first);
    free(runs->counts);
    buffer_free(&runs->in);
    buffer_free(&runs->out);
    buffer_free(&runs->lengths);
}
