/* sorting.c - sorts or merges files: in memory if they fit, otherwise in runs. */
#include "algorithm.h"
#include "external.h"
#include "group_sort.h"
#include "in_memory.h"

struct input *open_sorted(const struct sort_request *request, char *const *paths, size_t count, struct schema *schema)
{
    struct input *inputs =
        inputs_open(paths, count, &request->common, request->in_place ? INPUT_REPLACED : INPUT_READ, schema);
    schema_set_keys(schema, request->keys, request->key_count, request->common.big_endian, request->reverse);
    return inputs;
}

static void open_output(const struct sort_request *request, const struct input *first, const struct schema *schema,
                        struct output *output)
{
    const struct common *common = &request->common;
    enum codec like = request->in_place ? first->codec : CODEC_NONE;
    output_open(output, request->in_place ? first->name : common->output, codec_wanted(common, like), common);
    if (request->argsort)
        output_numbers_as_text(output, common);
    else
        output_as_text(output, schema->layout, common, inputs_header(first, common));
}

void sort_files(const struct sort_request *request, char *const *paths, size_t count, struct job *job)
{
    struct schema schema;
    struct output output;
    struct input *inputs = open_sorted(request, paths, count, &schema);
    algorithm_check(request, &schema);
    struct result result = {.request = request, .first = &inputs[0], .schema = &schema, .output = &output};
    open_output(request, &inputs[0], &schema, &output);
    struct ahead ahead = {.reader = NULL};
    if (!sort_by_group(request, inputs, count, &result, job) &&
        !sort_in_memory(request, inputs, count, &ahead, &result, job) &&
        !sort_by_all_gpus(request, inputs, count, &result, job)) {
        algorithm_check_memory(request);
        sort_in_runs(request, inputs, count, &ahead, &result, job);
    }
    inputs_close(inputs, count);
    schema_free(&schema);
}
