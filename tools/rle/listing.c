/* listing.c - gpurle -l: a table of containers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/progress.h"
#include "container.h"
#include "rle.h"

#define COLUMN_MOST 40 /* longer names and types exceed their column */

/* A line of the table. */
struct entry {
    const char *name;
    char *type;
    uint64_t elements, runs, bytes, decoded; /* bytes: of the container; decoded: of its content */
};

struct listing {
    struct entry *entries;
    size_t count, room;
};

static struct entry *add_entry(struct listing *listing)
{
    if (listing->count == listing->room) {
        listing->room = 2 * listing->room + 1;
        listing->entries = realloc(listing->entries, listing->room * sizeof *listing->entries);
        if (listing->entries == NULL)
            fail(NULL, "out of memory");
    }
    return &listing->entries[listing->count++];
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

static void list_container(struct listing *listing, struct container *container, struct container_block *block,
                           const char *name)
{
    while (container_next_block(container, block))
        progress_add(block->payload.used);
    const struct container_totals *totals = &container->totals;
    struct entry *entry = add_entry(listing);
    *entry = (struct entry){.name = name, .elements = totals->elements, .runs = totals->runs};
    entry->type = strndup(container->schema.data, container->schema.used);
    if (entry->type == NULL)
        fail(NULL, "out of memory");
    entry->bytes = container->input->taken - container->begin;
    entry->decoded = plus(totals->elements * container->element, container->prefix.used);
}

static void print_entry(const struct entry *entry, const size_t width[2])
{
    char ratio[32] = "-";
    if (entry->bytes > 0)
        snprintf(ratio, sizeof ratio, "%.2f", (double)entry->decoded / (double)entry->bytes);
    printf("%-*s  %-*s %13llu %13llu %13llu %9s\n", (int)width[0], entry->name, (int)width[1], entry->type,
           (unsigned long long)entry->elements, (unsigned long long)entry->runs, (unsigned long long)entry->bytes,
           ratio);
}

static size_t widen(size_t width, const char *text)
{
    size_t length = strlen(text);
    return length > width && length <= COLUMN_MOST ? length : width;
}

static void print(const struct listing *listing)
{
    static char no_type[] = "-";
    struct entry total = {.name = "total", .type = no_type};
    size_t width[2] = {strlen(total.name), strlen("type")};
    for (size_t i = 0; i < listing->count; i++) {
        const struct entry *entry = &listing->entries[i];
        width[0] = widen(width[0], entry->name);
        width[1] = widen(width[1], entry->type);
        total.elements = plus(total.elements, entry->elements);
        total.runs = plus(total.runs, entry->runs);
        total.bytes = plus(total.bytes, entry->bytes);
        total.decoded = plus(total.decoded, entry->decoded);
    }
    printf("%-*s  %-*s %13s %13s %13s %9s\n", (int)width[0], "name", (int)width[1], "type", "elements", "runs", "bytes",
           "ratio");
    for (size_t i = 0; i < listing->count; i++)
        print_entry(&listing->entries[i], width);
    if (listing->count > 1)
        print_entry(&total, width);
}

void list_files(const struct rle_request *request, char *const *paths, size_t count, struct job *job)
{
    struct listing listing = {.entries = NULL};
    struct container_block block = {.runs = 0};
    struct input *inputs = inputs_open_bytes(paths, count, &request->common);
    stats_phase(&job->stats, PHASE_read, inputs_size(inputs, count));
    for (size_t i = 0; i < count; i++) {
        struct container container = {.input = &inputs[i]};
        while (container_next(&container))
            list_container(&listing, &container, &block, paths[i]);
        container_free(&container);
        job->stats.bytes_in += inputs[i].taken;
    }
    stats_end(&job->stats);
    print(&listing);
    cli_end_text();
    for (size_t i = 0; i < listing.count; i++) {
        job->stats.elements = plus(job->stats.elements, listing.entries[i].elements);
        free(listing.entries[i].type);
    }
    free(listing.entries);
    container_free_bytes(&block.payload);
    inputs_close(inputs, count);
}
