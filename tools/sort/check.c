/* check.c - gpusort --check: block after block, in constant memory. */
#include <stdlib.h>
#include <string.h>

#include "common/buffer.h"
#include "common/device.h"
#include "common/progress.h"
#include "io/reader.h"
#include "request.h"

struct checker {
    const struct sort_request *request;
    const struct schema *schema;
    scankit_context *context;
    struct buffer on_device; /* a block and an element, unless the device is the host */
    uint64_t bytes;          /* checked so far */
    const struct input *input;
    char *last; /* the element before the block, if `any` */
    bool any;
    uint64_t done; /* elements of the input */
};

/* The first of n elements that is less than its predecessor, or with --unique not greater; n if there is none. */
static size_t first_disorder(struct checker *checker, const char *data, size_t n)
{
    const struct schema *schema = checker->schema;
    size_t first = n, size = schema->size;
    if (checker->request->unique) {
        for (size_t i = 1; i < n; i++)
            if (scankit_compare(schema->keys, schema->key_count, data + (i - 1) * size, data + i * size) >= 0)
                return i;
        return n;
    }
    if (!scankit_is_host(checker->context)) {
        buffer_grow(&checker->on_device, checker->context, good_block_bytes(size) + size);
        check_call(checker->context, scankit_upload(checker->context, checker->on_device.data, data, n * size));
        data = checker->on_device.data;
    }
    check_call(checker->context,
               scankit_is_sorted_records(checker->context, size, schema->keys, schema->key_count, data, n, &first));
    return first;
}

static void report(const struct checker *checker, const struct input *input, uint64_t element)
{
    progress_end();
    if (checker->request->check_quietly)
        return;
    say(input->name, "element %llu (%s, counting %s from 0) is %s", (unsigned long long)element,
        input_place(input, element), input->text != NULL ? "elements" : "both",
        checker->request->unique ? "out of order, or not unique" : "out of order");
}

/* Checks a block, which has room for the element before it. */
static bool check_block(void *state, char *block, size_t bytes)
{
    struct checker *checker = state;
    size_t size = checker->schema->size, before = checker->any ? 1 : 0, n = bytes / size + before;
    checker->bytes += bytes;
    memcpy(block - size, checker->last, size);
    size_t first = first_disorder(checker, block - before * size, n);
    if (first < n) {
        report(checker, checker->input, checker->done + first - before);
        return false;
    }
    memcpy(checker->last, block + bytes - size, size);
    checker->any = true;
    checker->done += bytes / size;
    return true;
}

static bool check_input(struct checker *checker, struct input *input)
{
    size_t size = checker->schema->size;
    checker->input = input;
    checker->done = 0;
    struct reader *reader = reader_start(input, 1, good_block_bytes(size), size);
    bool sorted = reader_run(reader, check_block, checker);
    if (sorted) /* else its threads may still read */
        reader_finish(reader);
    return sorted;
}

int check_files(const struct sort_request *request, char *const *paths, size_t count, struct job *job)
{
    struct schema schema;
    struct input *inputs = open_sorted(request, paths, count, &schema);
    device_begin(&job->device, &request->common, 0, WORK_NONE); /* a check is too little work for a GPU's start */
    struct checker checker = {.request = request, .schema = &schema, .context = device_end(&job->device)};
    struct stats *stats = &job->stats;
    stats_phase(stats, PHASE_read, inputs_size(inputs, count));
    checker.last = get_memory(schema.size);
    memset(checker.last, 0, schema.size);
    bool sorted = true;
    for (size_t i = 0; i < count && sorted; i++)
        sorted = check_input(&checker, &inputs[i]);
    stats->bytes_in = checker.bytes;
    stats->elements = stats->bytes_in / schema.size;
    stats_end(stats);
    stats_device(stats, &job->device);
    free(checker.last);
    buffer_free(&checker.on_device);
    schema_free(&schema);
    if (sorted) /* else a reader may still use them */
        inputs_close(inputs, count);
    return sorted ? STATUS_DONE : STATUS_NO;
}
