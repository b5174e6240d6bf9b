/* compact_alone.c - compaction by one thread: it knows where the next matching element goes, so a block's outputs go to
 * memory at once, before the next block is read. */
#include "outflow.h"
#include "sieve.h"

#define STAGED_BYTES ((size_t)4 << 10) /* of elements that are read before outputs are written */
#define STAGE_BYTES ((size_t)64 << 10) /* the same of long elements */

/* The outputs on their way. */
typedef struct outputs {
    sk_outflow matching, others, positions;
} outputs;

/* Bytes of an output's stage, for blocks of `each` elements. */
static size_t stage_bytes(size_t each, size_t size)
{
    return SK_OUTFLOW_PAGE + sk_outflow_bytes(each * size);
}

static size_t memory_bytes(const sk_selection *what, size_t each)
{
    return 2 * stage_bytes(each, what->element_size) + stage_bytes(each, sizeof(uint64_t)) + SK_OUTFLOW_PAGE +
           sk_sieve_bytes(what, each);
}

static sk_outflow open_output(const sk_selection *what, void *out, char *memory)
{
    return sk_outflow_to(out, sk_outflow_apart(what->in, SK_OUTFLOW_APART, memory));
}

static outputs open_outputs(const sk_selection *what, size_t each, char *memory)
{
    size_t elements = stage_bytes(each, what->element_size);
    return (outputs){.matching = open_output(what, what->matching, memory),
                     .others = open_output(what, what->others, memory + elements),
                     .positions = open_output(what, what->positions, memory + 2 * elements)};
}

static size_t compact(sk_sieve *sieve, size_t each, outputs *to, bool stream)
{
    const sk_selection *what = sieve->what;
    const size_t size = what->element_size;
    size_t total = 0;
    for (size_t begin = 0, n; begin < what->n; begin += n) {
        n = sk_min(each, what->n - begin);
        sk_sieved ends = {sk_outflow_at(&to->matching), sk_outflow_at(&to->others), sk_outflow_at(&to->positions)};
        size_t matched = sk_sieve_elements(sieve, begin, n, ends);
        /* Nothing moves where all match so far, in place. */
        if (what->matching == what->in && total == begin && matched == n)
            sk_outflow_skip(&to->matching, n * size);
        else
            sk_outflow_add(&to->matching, sieve->kernels, matched * size, stream);
        sk_outflow_add(&to->others, sieve->kernels, (n - matched) * size, stream);
        sk_outflow_add(&to->positions, sieve->kernels, matched * sizeof(uint64_t), stream);
        total += matched;
    }
    sk_outflow_end(&to->matching, sieve->kernels);
    sk_outflow_end(&to->others, sieve->kernels);
    sk_outflow_end(&to->positions, sieve->kernels);
    return total;
}

/* Elements of a block: usual ones and their outputs stay in the first cache. */
static size_t each_of(const sk_selection *what)
{
    size_t size = what->element_size;
    size_t each = size <= 8 ? STAGED_BYTES / size : sk_min(SK_STEP_VALUES, STAGE_BYTES / size);
    return sk_min(each < 1 ? 1 : each < 64 ? each : each & ~(size_t)63, what->n);
}

scankit_error sk_compact_alone(sk_device *device, const sk_selection *what, bool stream, size_t *count)
{
    size_t each = each_of(what), bytes = memory_bytes(what, each), mark = sk_arena_mark(&device->workspace);
    char *memory = sk_arena_take(&device->workspace, bytes);
    if (memory == NULL)
        return SCANKIT_E_MEMORY;
    size_t total = 0;
    if (!sk_rehearses(device)) {
        sk_sieve sieve;
        char *values = memory + bytes - SK_OUTFLOW_PAGE - sk_sieve_bytes(what, each);
        sk_sieve_open(&sieve, sk_kernels_of(device), what, each, sk_outflow_apart(what->in, SK_OUTFLOW_APART, values));
        outputs to = open_outputs(what, each, memory);
        total = compact(&sieve, each, &to, stream);
    }
    sk_arena_reset(&device->workspace, mark);
    if (count != NULL)
        *count = total;
    return SCANKIT_OK;
}
