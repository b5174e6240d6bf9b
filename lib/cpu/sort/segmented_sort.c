/* segmented_sort.c - segments are sorted one after the other. All threads together sort a long one. Short ones are
 * shared out by elements and segments together, so that neither many empty segments nor long ones delay a thread; one
 * thread sorts each in its caches. */
#include "cpu/cpu.h"

#define LONGEST_ALONE SK_LOCAL_FEW
#define STEPS_EACH ((size_t)32 << 10) /* elements and segments that a thread takes at a time */

typedef struct segments_job {
    sk_device *device;
    sk_shape shape;
    sk_local_sort *sort;
    sk_const_columns in;
    sk_columns out, scratch;
    const uint64_t *offsets;
    size_t segments, room; /* elements of a thread's scratch */
    size_t as_words;       /* shorter segments of narrow keys are sorted as words */
} segments_job;

static size_t length_of(const segments_job *job, size_t segment)
{
    return job->offsets[segment + 1] - job->offsets[segment];
}

/* The first segment that has this number of elements and segments before it, or more. */
static size_t find_segment(const segments_job *job, size_t steps)
{
    size_t least = 0, most = job->segments;
    while (least < most) {
        size_t middle = least + (most - least) / 2;
        if (job->offsets[middle] - job->offsets[0] + middle < steps)
            least = middle + 1;
        else
            most = middle;
    }
    return least;
}

static void sort_short(const segments_job *job, size_t segment, sk_columns scratch)
{
    size_t n = length_of(job, segment), at = job->offsets[segment];
    const sk_const_columns in = sk_read_at(job->shape, job->in, at);
    const sk_columns out = sk_at(job->shape, job->out, at);
    if (n < job->as_words) {
        const sk_piece piece = {.size = (uint8_t)job->shape.key_size, .kind = SK_PIECE_UNSIGNED};
        sk_sort_short_as_words(job->device, &piece, in.keys, out.keys, n);
    } else if (n > 0 && n <= LONGEST_ALONE) {
        job->sort(in, scratch, out, n, sk_low_mask(8 * job->shape.key_size));
    }
}

static void sort_group(void *state, size_t group, int thread)
{
    const segments_job *job = state;
    size_t end = find_segment(job, (group + 1) * STEPS_EACH);
    sk_columns scratch = sk_at(job->shape, job->scratch, (size_t)thread * job->room);
    for (size_t s = find_segment(job, group * STEPS_EACH); s < end; s++)
        sort_short(job, s, scratch);
}

/* n: of elements in segments. */
static scankit_error sort_shorts(segments_job *job, size_t longest, size_t n)
{
    size_t steps = n + job->segments;
    int team = sk_cpu_team(job->device, steps * sk_element_size(job->shape));
    job->room = sk_local_room(job->device, job->shape, 8 * job->shape.key_size, longest);
    if (!sk_take_columns(job->device, job->shape, job->room * (size_t)team, &job->scratch))
        return SCANKIT_E_MEMORY;
    if (sk_rehearses(job->device))
        return SCANKIT_OK;
    sk_cpu_ran(job->device, SK_CPU_LOCAL);
    sk_cpu_each(team, (steps - 1) / STEPS_EACH + 1, sort_group, job);
    return SCANKIT_OK;
}

static scankit_error sort_long(const segments_job *job, size_t segment)
{
    size_t at = job->offsets[segment];
    return sk_cpu_sort(job->device, job->shape, sk_read_at(job->shape, job->in, at), sk_at(job->shape, job->out, at),
                       NULL, length_of(job, segment), 0, 8 * job->shape.key_size, SCANKIT_AUTO);
}

/* Sorts the long ones, and finds the longest of the others. */
static scankit_error sort_longs(const segments_job *job, size_t *longest)
{
    scankit_error error = SCANKIT_OK;
    *longest = 0;
    for (size_t s = 0; s < job->segments && error == SCANKIT_OK; s++) {
        size_t n = length_of(job, s);
        if (n > LONGEST_ALONE)
            error = sort_long(job, s);
        else
            *longest = n > *longest ? n : *longest;
    }
    return error;
}

/* Copies elements [begin, end), which are outside of segments. */
static void copy_outside(const segments_job *job, size_t begin, size_t end)
{
    if (begin < end)
        sk_copy_columns(job->device, job->shape, sk_read_at(job->shape, job->in, begin),
                        sk_at(job->shape, job->out, begin), end - begin);
}

static scankit_error sort(segments_job *job, size_t n)
{
    size_t longest, first = job->offsets[0], end = job->offsets[job->segments];
    copy_outside(job, 0, first);
    copy_outside(job, end, n);
    scankit_error error = sort_longs(job, &longest);
    return error == SCANKIT_OK && longest > 0 ? sort_shorts(job, longest, end - first) : error;
}

/* All elements may be in one segment, or in short ones. */
static scankit_error rehearse(segments_job *job, size_t n)
{
    scankit_error error = SCANKIT_OK;
    if (n > LONGEST_ALONE)
        error = sk_rehearse_sorts(job->device, job->shape, job->out, n);
    return error == SCANKIT_OK ? sort_shorts(job, sk_min(n, LONGEST_ALONE), n) : error;
}

/* Keys are words. */
scankit_error sk_cpu_segmented_sort(sk_device *device, const sk_piece *piece, sk_shape shape, sk_const_columns in,
                                    sk_columns out, const uint64_t *offsets, size_t segments, size_t n, bool *done)
{
    *done = piece->kind == SK_PIECE_UNSIGNED && !piece->descending && !piece->swap;
    if (!*done)
        return SCANKIT_OK;
    segments_job job = {.device = device, .shape = shape, .in = in, .out = out, .offsets = offsets};
    job.sort = sk_kernels_of(device)->local[sk_shape_row(shape)];
    job.segments = segments;
    if (shape.value_size == 0)
        job.as_words = sk_min(sk_keys_as_words(device, shape.key_size), SK_NARROW_SHORT + 1);
    size_t mark = sk_arena_mark(&device->workspace);
    scankit_error error = sk_rehearses(device) ? rehearse(&job, n) : sort(&job, n);
    sk_arena_reset(&device->workspace, mark);
    return error;
}
