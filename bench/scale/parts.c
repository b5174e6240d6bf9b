/* parts.c - see parts.h. */
#include "scale/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scale_must(scankit_group *group, scankit_error error, const char *what)
{
    if (error == SCANKIT_OK)
        return;
    fprintf(stderr, "scale-out: %s: %s: %s\n", what, scankit_error_string(error), scankit_group_error_detail(group));
    exit(2);
}

#define BLOCK ((size_t)1 << 20) /* elements that a thread draws at a time */

/* Blocks are drawn by all threads, each with a seed of its own; only a shape with an order has to be drawn in one. */
static void draw(char *out, scankit_type type, size_t size, shape_id shape, size_t n, uint64_t seed)
{
    bool ordered = shape == SHAPE_sorted || shape == SHAPE_reversed || shape == SHAPE_almost;
    size_t block = ordered ? n : BLOCK;
    if (type == SCANKIT_BYTES) {
        type = SCANKIT_U8;
        n *= size;
        size = 1;
    }
#pragma omp parallel for schedule(dynamic)
    for (size_t begin = 0; begin < n; begin += block) {
        shape_stream stream;
        shape_open(&stream, shape, type, ordered ? n : BLOCK, seed + begin);
        shape_fill(&stream, out + begin * size, n - begin < block ? n - begin : block);
    }
}

void *scale_draw(scankit_type type, size_t size, shape_id shape, size_t n)
{
    void *elements = malloc(n * size);
    if (elements == NULL)
        scale_must(NULL, SCANKIT_E_MEMORY, "host memory");
    draw(elements, type, size, shape, n, 1);
    return elements;
}

void scale_open(scale_parts *parts, scankit_group *group, const void *elements, size_t size, size_t n)
{
    *parts = (scale_parts){.group = group, .members = scankit_group_members(group), .size = size};
    for (size_t m = 0; m < parts->members; m++) {
        scankit_context *context = scankit_group_context(group, m);
        size_t begin = n * m / parts->members;
        parts->n[m] = n * (m + 1) / parts->members - begin;
        size_t bytes = parts->n[m] * size;
        scale_must(group, scankit_allocate(context, &parts->original[m], bytes), "memory of a device");
        scale_must(group, scankit_allocate(context, &parts->in[m], bytes), "memory of a device");
        scale_must(group, scankit_allocate(context, &parts->out[m], bytes), "memory of a device");
        scale_must(group, scankit_upload(context, parts->original[m], (const char *)elements + begin * size, bytes),
                   "upload");
    }
}

void scale_restore(scale_parts *parts)
{
    for (size_t m = 0; m < parts->members; m++) {
        scankit_context *context = scankit_group_context(parts->group, m);
        scale_must(parts->group, scankit_copy(context, parts->in[m], parts->original[m], parts->n[m] * parts->size),
                   "copy");
    }
    for (size_t m = 0; m < parts->members; m++)
        scale_must(parts->group, scankit_synchronize(scankit_group_context(parts->group, m)), "copy");
}

/* Bytes of the members' parts before m. */
static size_t before(const scale_parts *parts, size_t m)
{
    size_t n = 0;
    for (size_t i = 0; i < m; i++)
        n += parts->n[i];
    return n * parts->size;
}

void scale_pin(scale_parts *parts, void *elements)
{
    parts->host = elements;
    parts->host_out = malloc(before(parts, parts->members));
    if (parts->host_out == NULL)
        scale_must(parts->group, SCANKIT_E_MEMORY, "host memory");
    for (size_t m = 0; m < parts->members; m++) {
        scankit_context *context = scankit_group_context(parts->group, m);
        const size_t begin = before(parts, m), bytes = parts->n[m] * parts->size;
        scale_must(parts->group, scankit_pin(context, parts->host + begin, bytes, 0), "pin");
        scale_must(parts->group, scankit_pin(context, parts->host_out + begin, bytes, 0), "pin");
    }
}

static void unpin(scale_parts *parts)
{
    for (size_t m = 0; parts->host != NULL && m < parts->members; m++) {
        scankit_context *context = scankit_group_context(parts->group, m);
        scankit_unpin(context, parts->host + before(parts, m));
        scankit_unpin(context, parts->host_out + before(parts, m));
    }
    free(parts->host_out);
}

void scale_load(const scale_parts *parts)
{
#pragma omp parallel for num_threads((int)parts->members)
    for (size_t m = 0; m < parts->members; m++)
        scale_must(parts->group,
                   scankit_upload(scankit_group_context(parts->group, m), parts->in[m], parts->host + before(parts, m),
                                  parts->n[m] * parts->size),
                   "upload");
}

void scale_store(const scale_parts *parts)
{
#pragma omp parallel for num_threads((int)parts->members)
    for (size_t m = 0; m < parts->members; m++)
        scale_must(parts->group,
                   scankit_download(scankit_group_context(parts->group, m), parts->host_out + before(parts, m),
                                    parts->out[m], parts->n[m] * parts->size),
                   "download");
}

void scale_close(scale_parts *parts)
{
    unpin(parts);
    for (size_t m = 0; m < parts->members; m++) {
        scankit_context *context = scankit_group_context(parts->group, m);
        scankit_free(context, parts->original[m]);
        scankit_free(context, parts->in[m]);
        scankit_free(context, parts->out[m]);
    }
}
