/* partition.c - sorts parts of the input for a job array, each into runs of its own workspace. */
#include <inttypes.h>
#include <stdlib.h>

#include "external/formation.h"
#include "external/plan.h"
#include "external/resume.h"
#include "job_array.h"

/* A part's sort. */
struct parting {
    const struct array_job *array;
    const struct sort_request *request;
    struct input *inputs;
    size_t count;
    struct job *job;
    struct items items;
    struct worker worker;
    struct plan plan;
    struct run_set set;
    uint64_t begin, end; /* elements */
};

/* The size of a regular file that seems empty is not known: a file of /proc has content. */
static void settle_empty(struct input *input, size_t element)
{
    char *memory = get_memory(element);
    if (input->file && input->codec == CODEC_NONE && input->size == SIZE_UNKNOWN &&
        input_read(input, memory, element) == 0)
        input->size = 0;
    free(memory);
}

static void check_inputs(struct input *inputs, size_t count, size_t element)
{
    for (size_t i = 0; i < count; i++) {
        settle_empty(&inputs[i], element);
        if (!inputs[i].file || inputs[i].size == SIZE_UNKNOWN)
            fail(inputs[i].name, "is not a regular file that is not compressed, which --partition requires");
    }
}

static struct run_store *open_store(const struct parting *parting, uint64_t part, char **path)
{
    const struct run_store_options options = {.element = parting->items.size,
                                              .compress = parting->request->compress_temporaries,
                                              .threads = parting->plan.threads};
    return array_open_part(parting->array, part, &options, path);
}

/* Sorts the elements of the part from `covered` on. */
static void form_rest(struct parting *parting, uint64_t covered)
{
    struct run_set *set = &parting->set;
    struct intake intake;
    struct formation formation = {
        .intake = &intake, .worker = &parting->worker, .set = set, .chunk = parting->plan.chunk, .top = UINT64_MAX};
    intake_open(&intake, parting->inputs, parting->count, &parting->array->schema, &parting->items, SIZE_MAX);
    intake_skip(&intake, covered);
    intake.left = parting->end - covered;
    form_runs(&formation);
    if (intake.left > 0)
        fail(parting->inputs[0].name, "became shorter while it was read");
    for (size_t i = 0; i < set->count; i++)
        if (set->runs[i]->chunk != NULL)
            run_spill(set, set->runs[i]);
    intake_close(&intake);
}

static void note_stats(const struct parting *parting)
{
    struct stats *stats = &parting->job->stats;
    for (size_t i = 0; i < parting->count; i++)
        stats->bytes_in += parting->inputs[i].taken;
    stats->elements += parting->end - parting->begin;
    stats_device(stats, &parting->job->device);
}

static void sort_part(struct parting *parting, uint64_t part)
{
    struct run_set *set = &parting->set;
    char *path;
    plan_chunks(&parting->plan, parting->job, &parting->worker, parting->end - parting->begin, true);
    size_t chunk_bytes = parting->plan.chunk * parting->items.size;
    set->pool = pool_create(&parting->worker, chunk_bytes, parting->plan.chunks);
    run_set_open(set, &parting->items, chunk_bytes);
    set->store = open_store(parting, part, &path);
    uint64_t covered = resume_runs(set, parting->begin, true); /* removes what is damaged */
    run_store_keep(set->store);
    if (covered < parting->end)
        form_rest(parting, covered);
    struct pool *pool = set->pool;
    run_set_close(set);
    pool_destroy(pool);
    free(path);
}

static void partition_part(const struct sort_request *request, char *const *paths, size_t count, struct job *job,
                           uint64_t part)
{
    struct schema schema;
    struct array_job array;
    struct parting parting = {.array = &array, .request = request, .count = count, .job = job};
    parting.inputs = open_sorted(request, paths, count, &schema);
    check_inputs(parting.inputs, count, schema.size);
    array_job_begin(&array, request, parting.inputs, count, &schema, part);
    parting.begin = array_place(array.elements, part, array.parts);
    parting.end = array_place(array.elements, part + 1, array.parts);
    items_define(&parting.items, &array.schema, request->argsort);
    if (!job->device.begun)
        device_begin(&job->device, &request->common, (parting.end - parting.begin) * schema.size,
                     work_of_sort(schema.size, schema_is_number(&schema)));
    parting.worker = (struct worker){.context = device_end(&job->device),
                                     .items = &parting.items,
                                     .algorithm = request->algorithm,
                                     .unique = request->unique};
    if (parting.begin < parting.end)
        sort_part(&parting, part);
    note_stats(&parting);
    worker_close(&parting.worker);
    inputs_close(parting.inputs, count);
    array_job_free(&array);
    schema_free(&schema);
}

void partition_files(const struct sort_request *request, char *const *paths, size_t count, struct job *job)
{
    uint64_t first = request->part > 0 ? request->part : 1, last = request->part > 0 ? request->part : request->parts;
    for (uint64_t part = first; part <= last; part++)
        partition_part(request, paths, count, job, part);
}
