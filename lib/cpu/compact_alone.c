/* compact_alone.c - compaction by one thread: it knows where the next matching element goes, so a block's outputs go to
 * memory at once, before the next block is read.
 *
 * Elements are read while outputs are stored to stages, and it matters how far apart these addresses are modulo 4 KiB.
 * Half of 2^25 u32 on a Zen 4, billions a second, where a block's stage begins 0, 512, 1024, ... 3584 bytes behind the
 * block: 6.2, 6.4, 5.9, 6.2, 5.1, 4.9, 4.6, 3.2. Other predicates differ as much. */
#include "outflow.h"
#include "sieve.h"

#define STAGED_BYTES ((size_t)4 << 10) /* of elements that are read before outputs are written */
#define STAGE_BYTES ((size_t)64 << 10) /* the same of long elements */
#define PAGE ((size_t)4 << 10)
#define APART ((size_t)1536) /* modulo PAGE, from elements to stages, and to a predicate's values */

/* The outputs on their way. */
typedef struct outputs {
    sk_outflow matching, others, positions;
} outputs;

/* Bytes of an output's stage, for blocks of `each` elements. */
static size_t stage_bytes(size_t each, size_t size)
{
    return PAGE + sk_outflow_bytes(each * size);
}

static size_t memory_bytes(const sk_selection *what, size_t each)
{
    return 2 * stage_bytes(each, what->element_size) + stage_bytes(each, sizeof(uint64_t)) + PAGE +
           sk_sieve_bytes(what, each);
}

/* The first line from `memory` on that is APART from the elements. */
static char *apart(const sk_selection *what, char *memory)
{
    return memory + (((uintptr_t)what->in + APART - (uintptr_t)memory) & (PAGE - SK_OUTFLOW_LINE));
}

static sk_outflow open_output(const sk_selection *what, void *out, char *memory)
{
    return sk_outflow_to(out, apart(what, memory));
}

static outputs open_outputs(const sk_selection *what, size_t each, char *memory)
{
    size_t elements = stage_bytes(each, what->element_size);
    return (outputs){.matching = open_output(what, what->matching, memory),
                     .others = open_output(what, what->others, memory + elements),
                     .positions = open_output(what, what->positions, memory + 2 * elements)};
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

static size_t compact(sk_sieve *sieve, size_t each, outputs *to, bool stream)
{
    const sk_selection *what = sieve->what;
    const size_t size = what->element_size;
    size_t total = 0;
    for (size_t begin = 0, n; begin < what->n; begin += n) {
        n = sk_min(each, what->n - begin);
        sk_sieved ends = {end_of(&to->matching), end_of(&to->others), end_of(&to->positions)};
        size_t matched = sk_sieve_elements(sieve, begin, n, ends);
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
        char *values = memory + bytes - PAGE - sk_sieve_bytes(what, each);
        sk_sieve_open(&sieve, sk_kernels_of(device), what, each, apart(what, values));
        outputs to = open_outputs(what, each, memory);
        total = compact(&sieve, each, &to, stream);
    }
    sk_arena_reset(&device->workspace, mark);
    if (count != NULL)
        *count = total;
    return SCANKIT_OK;
}
