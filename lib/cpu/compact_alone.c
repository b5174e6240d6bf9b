/* compact_alone.c - compaction by one thread: it knows where the next matching element goes, so a block's outputs go to
 * memory at once, before the next block is read. */
#include "outflow.h"
#include "sieve.h"

#define STAGE_BYTES ((size_t)64 << 10) /* of long elements */

/* The outputs on their way. */
typedef struct outputs {
    sk_outflow matching, others, positions;
} outputs;

/* Bytes of the stages, for blocks of `each` elements. */
static size_t stages_bytes(const sk_selection *what, size_t each)
{
    return 2 * sk_outflow_bytes(each * what->element_size) + sk_outflow_bytes(each * sizeof(uint64_t));
}

static outputs open_outputs(const sk_selection *what, size_t each, char *stages)
{
    size_t elements = sk_outflow_bytes(each * what->element_size);
    return (outputs){.matching = sk_outflow_to(what->matching, stages),
                     .others = sk_outflow_to(what->others, stages + elements),
                     .positions = sk_outflow_to(what->positions, stages + 2 * elements)};
}

static char *end_of(const sk_outflow *flow)
{
    return flow->stage != NULL ? flow->stage + flow->end : NULL;
}

static void add(sk_outflow *flow, const sk_sieve *sieve, size_t bytes, bool stream)
{
    if (flow->stage != NULL)
        sk_outflow_add(flow, sieve->kernels, bytes, stream);
}

static size_t compact(sk_sieve *sieve, outputs *to, bool stream)
{
    const sk_selection *what = sieve->what;
    const size_t size = what->element_size;
    size_t total = 0;
    for (size_t begin = 0, n; begin < what->n; begin += n) {
        n = sk_min(sieve->block, what->n - begin);
        sk_sieved ends = {end_of(&to->matching), end_of(&to->others), end_of(&to->positions)};
        size_t matched = sk_sieve_block(sieve, begin, n, ends);
        /* Nothing moves where all match so far, in place. */
        if (what->matching == what->in && total == begin && matched == n)
            sk_outflow_skip(&to->matching, n * size);
        else
            add(&to->matching, sieve, matched * size, stream);
        add(&to->others, sieve, (n - matched) * size, stream);
        add(&to->positions, sieve, matched * sizeof(uint64_t), stream);
        total += matched;
    }
    sk_outflow_end(&to->matching, sieve->kernels);
    sk_outflow_end(&to->others, sieve->kernels);
    sk_outflow_end(&to->positions, sieve->kernels);
    return total;
}

/* Elements of a block: a stage of the usual ones stays in the first cache. */
static size_t each_of(const sk_selection *what)
{
    size_t each = sk_min(SK_STEP_VALUES, STAGE_BYTES / what->element_size);
    return sk_min(each < 1 ? 1 : each < 64 ? each : each & ~(size_t)63, what->n);
}

scankit_error sk_compact_alone(sk_device *device, const sk_selection *what, bool stream, size_t *count)
{
    size_t each = each_of(what), stages = stages_bytes(what, each), mark = sk_arena_mark(&device->workspace);
    char *memory = sk_arena_take(&device->workspace, stages + sk_sieve_bytes(what, each));
    if (memory == NULL)
        return SCANKIT_E_MEMORY;
    size_t total = 0;
    if (!sk_rehearses(device)) {
        sk_sieve sieve;
        sk_sieve_open(&sieve, sk_kernels_of(device), what, each, memory + stages);
        outputs to = open_outputs(what, each, memory);
        total = compact(&sieve, &to, stream);
    }
    sk_arena_reset(&device->workspace, mark);
    if (count != NULL)
        *count = total;
    return SCANKIT_OK;
}
