/* runs.c - see runs.h. */
#include "runs.h"

#include <stdlib.h>
#include <string.h>

#include "common/device.h"
#include "model/clock.h"

void runs_start(struct runs *runs, const struct schema *schema, size_t block, enum run_counts wanted)
{
    *runs = (struct runs){.size = schema->size, .wanted = wanted, .distinct = wanted == COUNTS_BUT_ONES};
    runs->options = (scankit_run_options){.keys = schema->keys, .key_count = schema->key_count};
    size_t room = block + 1; /* for the open run too */
    if (room > SIZE_MAX / (runs->size + sizeof *runs->counts))
        fail(NULL, "out of memory");
    runs->values = get_memory(room * runs->size);
    runs->first = get_memory(runs->size);
    runs->counts = wanted != COUNTS_NONE ? get_memory(room * sizeof *runs->counts) : NULL;
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

/* Whether each of n elements is a run, and the caller wants to know. Their values are the elements then. */
static bool all_ones(const struct runs *runs, size_t found, size_t n)
{
    return runs->wanted == COUNTS_BUT_ONES && found == n;
}

void runs_find(const struct runs *runs, struct block_runs *there, const char *block, size_t n)
{
    scankit_context *context = there->context;
    size_t size = runs->size;
    char *in = buffer_upload(&there->in, context, block, n * size);
    char *values = buffer_room(&there->out, context, n * size);
    char *counts = runs->counts == NULL ? NULL : buffer_room(&there->lengths, context, n * sizeof *runs->counts);
    there->block = block;
    check_call(context, scankit_run_length_encode(context, size, in, values, (uint64_t *)(void *)counts, n,
                                                  &runs->options, &there->found));
}

/* Brings what runs_find() has found to the host. */
static size_t take_found(const struct runs *runs, const struct block_runs *there, char *values, uint64_t *counts,
                         size_t n)
{
    if (all_ones(runs, there->found, n))
        return there->found;
    buffer_download(&there->out, values, there->found * runs->size);
    buffer_download(&there->lengths, counts, there->found * sizeof *counts);
    return there->found;
}

/* Elements that one thread compares at once: faster than waking others. */
#define PIECE_BYTES ((size_t)128 << 10)

/* Whether each of n >= 1 elements is a run. Pieces share an element, so that all neighbours are compared. */
static bool are_distinct(const struct runs *runs, const char *block, size_t n)
{
    size_t most = PIECE_BYTES / runs->size, found;
    most = most < 2 ? 2 : most;
    for (size_t at = 0, piece; at + 1 < n; at += piece - 1) {
        piece = n - at < most ? n - at : most;
        check_call(runs->context, scankit_run_length_encode(runs->context, runs->size, block + at * runs->size, NULL,
                                                            NULL, piece, &runs->options, &found));
        if (found < piece)
            return false;
    }
    return true;
}

/* Only comparing the elements is faster. So this comes first while all are distinct. */
static size_t encode_on_host(struct runs *runs, const char *block, char *values, uint64_t *counts, size_t n)
{
    scankit_context *context = runs->context;
    size_t found = n;
    if (!runs->distinct || !are_distinct(runs, block, n))
        check_call(context,
                   scankit_run_length_encode(context, runs->size, block, values, counts, n, &runs->options, &found));
    runs->distinct = all_ones(runs, found, n);
    return found;
}

/* Returns how many runs there are. If all_ones(), values and counts are undefined. */
static size_t encode(struct runs *runs, const char *block, char *values, uint64_t *counts, size_t n)
{
    size_t found;
    double begin = seconds_now();
    if (scankit_is_host(runs->context))
        found = encode_on_host(runs, block, values, counts, n);
    else {
        runs->own.context = runs->context;
        runs_find(runs, &runs->own, block, n);
        found = take_found(runs, &runs->own, values, counts, n);
    }
    device_worked(WORK_encode, n * runs->size, begin);
    return found;
}

/* there: where its runs were found; NULL: they are not known yet. If the block's first run continues the open one, it
 * is written over it. Then the open run's first element is restored, which may differ in bytes that are no keys, and
 * its length is added. Runs of one element each stay in the block. */
static void add(struct runs *runs, const char *block, const struct block_runs *there, size_t n)
{
    bool goes_on = runs->held > 0 && equal(runs, value(runs, runs->held - 1), block);
    size_t at = goes_on ? runs->held - 1 : runs->held;
    uint64_t *counts = runs->counts == NULL ? NULL : runs->counts + at, before = 0;
    if (goes_on) {
        memcpy(runs->first, value(runs, at), runs->size);
        before = counts == NULL ? 0 : *counts;
    }
    runs->block = block;
    size_t found = there == NULL ? encode(runs, block, value(runs, at), counts, n)
                                 : take_found(runs, there, value(runs, at), counts, n);
    bool ones = all_ones(runs, found, n);
    if (ones) {
        found = goes_on;
        runs->ones = block + goes_on * runs->size;
        runs->one_count = n - goes_on;
    }
    runs->held = at + found;
    if (goes_on)
        memcpy(value(runs, at), runs->first, runs->size);
    if (goes_on && ones)
        *counts = 1;
    if (goes_on && counts != NULL)
        *counts += before;
}

void runs_add(struct runs *runs, const char *block, size_t n)
{
    add(runs, block, NULL, n);
}

void runs_add_found(struct runs *runs, struct block_runs *there, size_t n)
{
    runs->context = there->context;
    add(runs, there->block, there, n);
}

static void pass(struct runs *runs, take_function *take, void *state, const char *values, const uint64_t *counts,
                 size_t n, bool last)
{
    if (n > 0)
        take(state, values, counts, n, last);
    runs->found += n;
}

/* Passes all but the last, which is the open run then. */
static void pass_ones(struct runs *runs, take_function *take, void *state)
{
    size_t complete = runs->one_count - 1;
    pass(runs, take, state, runs->ones, NULL, complete, false);
    memcpy(runs->values, runs->ones + complete * runs->size, runs->size);
    runs->counts[0] = 1;
    runs->held = 1;
    runs->one_count = 0;
}

void runs_pass(struct runs *runs, take_function *take, void *state, bool last)
{
    bool open = !last && runs->held > 0 && runs->one_count == 0;
    size_t complete = runs->held - open;
    pass(runs, take, state, runs->values, runs->counts, complete, last);
    runs->held = open;
    if (runs->one_count > 0)
        pass_ones(runs, take, state);
    if (open && complete > 0)
        memcpy(runs->values, value(runs, complete), runs->size);
    if (runs->counts == NULL || runs->held == 0)
        return;
    if (open)
        runs->counts[0] = runs->counts[complete];
    runs->before = runs->counts[0];
}

void runs_free(struct runs *runs)
{
    free(runs->values);
    free(runs->first);
    free(runs->counts);
    block_runs_free(&runs->own);
}

void block_runs_free(struct block_runs *there)
{
    buffer_free(&there->in);
    buffer_free(&there->out);
    buffer_free(&there->lengths);
}
