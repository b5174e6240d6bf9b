/* pass.c - gpuscan's pass over its inputs, see scan.h. Memory is constant, whatever the input. */
#include <stdlib.h>

#include "io/block_queue.h"
#include "scan.h"

/* If results depend on the order of operations, blocks have this size on every device and for any number of processors.
 * So the result depends on the elements alone. */
#define ROUNDING_BLOCK_BYTES ((size_t)4 << 20)

static bool rounds(const struct scanner *scanner)
{
    return type_kind(scanner->type) == TYPE_float && (scanner->op == SCANKIT_SUM || scanner->op == SCANKIT_PROD);
}

void scan_check_operator(const struct scan_request *request, scankit_type type)
{
    if (!scankit_operator_applies(request->op, type))
        fail_usage("--op=%s does not apply to %s", scankit_operator_name(request->op), scankit_type_name(type));
    const scankit_gallery_row *row = request->row;
    if (row != NULL && !scankit_gallery_applies(row, type, request->op))
        fail_usage("--algorithm=%s does not do %s of %s; its limits: %s", row->name, scankit_operator_name(request->op),
                   scankit_type_name(type), row->limits);
}

void pass_open(struct pass *pass, const struct scan_request *request, char *const *paths, size_t count, struct job *job,
               take_member *together)
{
    const struct common *common = &request->common;
    struct pipeline *pipeline = &pass->pipeline;
    *pass = (struct pass){.request = request};
    pipeline_open(pipeline, job, paths, count, request->in_place ? INPUT_REPLACED : INPUT_READ);
    value_choose(&pass->value, &pipeline->schema, request->value, common->big_endian);
    value_widen(&pass->value, request->op);
    scan_check_operator(request, pass->value.type);
    if (request->segments != NULL)
        segments_open(&pass->segments, request->segments, &pipeline->schema, common,
                      inputs_elements(pipeline->inputs, count));
    pass->scanner = (struct scanner){.type = pass->value.type, .op = request->op, .algorithm = request->algorithm};
    pass->scanner.kind = request->exclusive ? SCANKIT_EXCLUSIVE : SCANKIT_INCLUSIVE;
    if (pass->value.whole && request->segments == NULL && request->algorithm == NULL)
        pass->take_member = together;
    pipeline_begin(pipeline, request->reduce ? WORK_reduce : WORK_scan, pass->take_member != NULL);
}

void pass_measure(struct pass *pass, size_t each, unsigned shares)
{
    struct pipeline *pipeline = &pass->pipeline;
    const struct job *job = pipeline->job;
    size_t size = pipeline->schema.size;
    each += QUEUE_BLOCKS * size + (pass->value.whole ? 0 : pass->value.size);
    each += device_held(&job->device, size);
    each += pass->request->segments == NULL ? 0 : segments_each(&pass->segments);
    pipeline->block = rounds(&pass->scanner) ? device_block_of(job->common, ROUNDING_BLOCK_BYTES, size, each, shares)
                                             : device_block(&job->device, job->common, size, each, shares);
}

/* Bytes that will be read, for the progress. */
static uint64_t size_of_all(const struct pass *pass)
{
    uint64_t size = pipeline_size(&pass->pipeline);
    uint64_t flags = pass->request->segments == NULL ? 0 : segments_size(&pass->segments);
    return size == SIZE_UNKNOWN || flags == SIZE_UNKNOWN ? SIZE_UNKNOWN : size + flags;
}

static void begin(void *state, scankit_context *context)
{
    struct pass *pass = state;
    scanner_start(&pass->scanner, context, pass->request->deterministic);
}

static void take_block(void *state, char *block, size_t n)
{
    struct pass *pass = state;
    const uint8_t *heads = pass->request->segments == NULL ? NULL : segments_next(&pass->segments, block, n);
    if (!pass->value.whole)
        value_gather(&pass->value, block, n, pass->values);
    pass->take(pass->state, block, pass->value.whole ? block : pass->values, heads, n);
}

/* ---- several devices ---- */

static void begin_members(void *state, const struct device *device)
{
    struct pass *pass = state;
    begin(pass, device_member(device, 0));
    pass->member_count = device_members(device);
    pass->members = get_memory(pass->member_count * sizeof *pass->members);
    for (size_t m = 0; m < pass->member_count; m++) {
        scankit_context *context = device_member(device, m);
        pass->members[m] = (struct scan_member){.context = context};
        check_call(context, scankit_set_deterministic(context, pass->request->deterministic));
    }
}

static void prepare_block(void *state, size_t member, const char *block, size_t n, uint64_t first)
{
    struct pass *pass = state;
    (void)first;
    if (pass->request->reduce)
        scanner_reduce_there(&pass->scanner, &pass->members[member], block, n);
    else
        scanner_bring(&pass->scanner, &pass->members[member], block, n);
}

static void give_block(void *state, size_t member, size_t n)
{
    struct pass *pass = state;
    pass->take_member(pass->state, &pass->members[member], n);
}

/* ---- the run ---- */

void pass_run(struct pass *pass, take_values *take, void *state)
{
    static const struct shared_stage shared = {.begin = begin_members, .prepare = prepare_block, .give = give_block};
    struct pipeline *pipeline = &pass->pipeline;
    const struct stage stage = {.begin = begin, .take = take_block, .shared = &shared, .state = pass};
    pass->take = take;
    pass->state = state;
    pass->values = pass->value.whole ? NULL : get_memory(pipeline->block * pass->value.size);
    if (pass->request->segments != NULL)
        segments_start(&pass->segments, pipeline->block);
    pipeline_run(pipeline, PHASE_scan, size_of_all(pass), &stage);
    if (pass->request->segments != NULL)
        segments_end(&pass->segments);
}

void pass_close(struct pass *pass)
{
    for (size_t m = 0; m < pass->member_count; m++)
        buffer_free(&pass->members[m].data);
    free(pass->members);
    scanner_free(&pass->scanner);
    if (pass->request->segments != NULL)
        segments_close(&pass->segments);
    free(pass->values);
    pipeline_close(&pass->pipeline);
}
