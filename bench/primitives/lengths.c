/* lengths.c - see lengths.h. */
#include "lengths.h"

#include <math.h>
#include <stdlib.h>

#include "data/random.h"

typedef struct length_source {
    lengths_shape shape;
    size_t n, mean, segments; /* segments: about as many */
    random_state random;
} length_source;

/* A length of the segment at place `at`; 0 is possible for Zipf lengths alone. */
static size_t draw_length(length_source *source, size_t at)
{
    size_t below = (size_t)random_below(&source->random, (uint64_t)source->mean + 1);
    if (source->shape == LENGTHS_EVEN)
        return source->mean - source->mean / 2 + below;
    if (source->shape == LENGTHS_GIANT)
        return at == source->segments / 2 ? source->n / 2
                                          : 1 + below + (size_t)random_below(&source->random, source->mean);
    double rank = ceil((double)source->segments * random_unit(&source->random));
    return (size_t)((double)source->n / (rank * log((double)source->segments)));
}

/* Writes offsets up to n. Returns the number of segments. room: of offsets. */
static size_t draw_offsets(length_source *source, uint64_t *offsets, size_t room)
{
    size_t count = 0;
    offsets[0] = 0;
    while (offsets[count] < source->n && count + 2 < room) {
        size_t length = draw_length(source, count), rest = source->n - (size_t)offsets[count];
        offsets[count + 1] = offsets[count] + (length < rest ? length : rest);
        count++;
    }
    offsets[count] = source->n;
    return count;
}

segment_offsets lengths_load(const bench_state *bench, lengths_shape shape, size_t n, size_t mean)
{
    length_source source = {.shape = shape, .n = n, .mean = mean, .segments = n / mean + 2};
    size_t room = 4 * source.segments;
    segment_offsets segments = {.host = bench_allocate(room * sizeof(uint64_t))};
    random_seed(&source.random, bench->seed);
    segments.count = draw_offsets(&source, segments.host, room);
    size_t bytes = (segments.count + 1) * sizeof(uint64_t);
    bench_try(bench, scankit_allocate(bench->context, (void **)&segments.device, bytes), "allocate");
    bench_try(bench, scankit_upload(bench->context, segments.device, segments.host, bytes), "upload");
    return segments;
}

void lengths_free(const bench_state *bench, segment_offsets *segments)
{
    scankit_free(bench->context, segments->device);
    free(segments->host);
}
