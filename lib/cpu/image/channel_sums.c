/* channel_sums.c - the sum of each channel: integers exactly, floats as doubles. Blocks of a fixed number of chunks are
 * summed by themselves, and their sums one after the other: so floats give the same bits for any number of threads. */
#include "image_rows.h"

#define BLOCK_CHUNKS ((size_t)128)

typedef union lane_sums {
    uint64_t integer[SK_CHANNEL_LANES];
    double real[SK_CHANNEL_LANES];
} lane_sums;

typedef struct sums_job {
    sk_row_source source;
    sk_add_lanes_function *add;
    size_t n, chunk, chunks; /* of a row: elements, elements of a chunk, chunks */
    size_t all;              /* chunks of the image */
    lane_sums *sums;         /* by block */
} sums_job;

static void add_chunk(const sums_job *job, size_t number, lane_sums *sums)
{
    _Alignas(64) char buffer[SK_CHUNK_BYTES];
    size_t at = number % job->chunks * job->chunk, pitch;
    const sk_range part = {at, sk_min(at + job->chunk, job->n)};
    sk_ask_for_rows(&job->source, sk_row_at(&job->source, number / job->chunks, part.end), part.end - at, 1);
    job->add(sk_read_rows(&job->source, number / job->chunks, part, 1, buffer, &pitch), part.end - at, sums);
}

static void add_block(void *state, size_t block, int thread)
{
    const sums_job *job = state;
    lane_sums sums = {{0}};
    (void)thread;
    for (size_t c = block * BLOCK_CHUNKS; c < sk_min((block + 1) * BLOCK_CHUNKS, job->all); c++)
        add_chunk(job, c, &sums);
    job->sums[block] = sums;
}

/* Channel c of all blocks. */
static double total_of(const sums_job *job, size_t blocks, unsigned c, bool exact)
{
    uint64_t integer = 0;
    double real = 0;
    for (size_t b = 0; b < blocks; b++)
        for (unsigned l = c; l < SK_CHANNEL_LANES; l += job->source.in->channels) {
            integer += exact ? job->sums[b].integer[l] : 0;
            real += exact ? 0 : job->sums[b].real[l];
        }
    return exact ? (double)integer : real;
}

/* Rows without gaps are one row. */
static scankit_image joined(const scankit_image *in)
{
    scankit_image image = *in;
    if (in->pitch == in->width * in->channels * scankit_type_size(in->type)) {
        image.pitch *= image.height;
        image.width *= image.height;
        image.height = 1;
    }
    return image;
}

scankit_error sk_cpu_channel_sums(sk_device *device, const scankit_image *in, double *sums)
{
    const scankit_image image = joined(in);
    const bool exact = in->type == SCANKIT_U8 || in->type == SCANKIT_U16;
    const scankit_type type = exact ? SCANKIT_U32 : SCANKIT_F64;
    sums_job job = {.source = sk_row_source_of(device, &image, type, NULL), .n = image.width * image.channels};
    size_t mark = sk_arena_mark(&device->workspace);
    job.add = exact ? job.source.kernels->add_lanes_u32 : job.source.kernels->add_lanes_f64;
    job.chunk = SK_CHUNK_BYTES / job.source.to;
    job.chunks = (job.n + job.chunk - 1) / job.chunk;
    job.all = job.chunks * image.height;
    size_t blocks = (job.all + BLOCK_CHUNKS - 1) / BLOCK_CHUNKS;
    job.sums = sk_arena_take(&device->workspace, blocks * sizeof *job.sums);
    if (job.sums == NULL)
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(device))
        sk_cpu_each(sk_cpu_team(device, image.height * job.n * job.source.from), blocks, add_block, &job);
    for (unsigned c = 0; c < in->channels; c++)
        sums[c] = sk_rehearses(device) ? 0 : total_of(&job, blocks, c, exact);
    sk_arena_reset(&device->workspace, mark);
    return SCANKIT_OK;
}
