/* composer.c - see composer.h. */
#include "composer.h"

#include <stdlib.h>
#include <string.h>

#include "container.h"

/* Values and counts of a block. */
#define PAYLOAD_BYTES ((size_t)4 << 20)

/* The elements are kept while they are at most this much longer than the runs. */
#define KEPT_BYTES ((size_t)64 << 10)

/* The runs that are added at once: their counts are read several times, and stay in the second-level cache. */
#define CACHED_RUNS ((size_t)8192)

/* ---- the runs of a block ---- */

size_t block_runs(size_t element, uint64_t bits)
{
    size_t runs = PAYLOAD_BYTES / (element + container_width(bits));
    return runs > 0 ? runs : 1;
}

static size_t room(const struct composer *composer, uint64_t bits)
{
    return block_runs(composer->size, bits);
}

/* Stores the counts that have not been. */
static void count_ones(struct composer *composer)
{
    unsigned width = container_width(composer->bits);
    container_ones(composer->counts + composer->counted * width, width, composer->runs - composer->counted);
    composer->counted = composer->runs;
}

static void add_values(struct composer *composer, const char *values, size_t n)
{
    memcpy(composer->values + composer->runs * composer->size, values, n * composer->size);
    composer->runs += n;
}

static void add(struct composer *composer, const char *values, const uint64_t *counts, size_t n)
{
    unsigned width = container_width(composer->bits);
    count_ones(composer);
    container_narrow(composer->counts + composer->runs * width, width, counts, n);
    add_values(composer, values, n);
    composer->counted = composer->runs;
}

/* Makes room for a count that may need a greater width. */
static void add_bits(struct composer *composer, uint64_t bits)
{
    unsigned width = container_width(composer->bits), wider = container_width(composer->bits | bits);
    count_ones(composer);
    composer->bits |= bits;
    if (wider > width) {
        container_widen(composer->wide, composer->counts, width, composer->runs);
        container_narrow(composer->counts, wider, composer->wide, composer->runs);
    }
}

/* Adds up to n runs to the block, up to the first whose count needs more than the block's width. Returns how many. */
static size_t add_narrow(struct composer *composer, const char *values, const uint64_t *counts, size_t n)
{
    unsigned width = container_width(composer->bits);
    uint64_t bits = 0, sum = 0;
    if (n > CACHED_RUNS)
        n = CACHED_RUNS;
    for (size_t i = 0; i < n; i++) {
        bits |= counts[i];
        sum += counts[i];
    }
    if (container_width(bits) > width) {
        sum = 0;
        for (n = 0; container_width(counts[n]) <= width; n++)
            sum += counts[n];
    }
    composer->elements += sum;
    add(composer, values, counts, n);
    return n;
}

/* Adds n runs of one element each to the block, whose counts any width can hold. */
static size_t add_ones(struct composer *composer, const char *values, size_t n)
{
    add_values(composer, values, n);
    composer->elements += n;
    return n;
}

/* Adds a run to the block if it fits with the width that its count needs. Returns how many were added. */
static size_t add_wide(struct composer *composer, const char *value, const uint64_t *count)
{
    if (composer->runs > 0 && composer->runs >= room(composer, composer->bits | *count))
        return 0;
    add_bits(composer, *count);
    composer->elements += *count;
    add(composer, value, count, 1);
    return 1;
}

static size_t add_some(struct composer *composer, const char *values, const uint64_t *counts, size_t n)
{
    if (counts == NULL)
        return add_ones(composer, values, n);
    size_t narrow = add_narrow(composer, values, counts, n);
    return narrow > 0 ? narrow : add_wide(composer, values, counts);
}

/* Whether the block may become plain, and there is room for its elements. */
static bool may_be_plain(const struct composer *composer)
{
    size_t bytes = composer->runs * (composer->size + container_width(composer->bits)) + KEPT_BYTES;
    return composer->elements <= (bytes < PAYLOAD_BYTES ? bytes : PAYLOAD_BYTES) / composer->size;
}

/* Keeps the elements of the runs just added, the first of this value, which saves expanding them. There were `runs`
 * runs of `elements` elements before. While all counts are 1, the values are the elements. */
static void keep(struct composer *composer, const char *value, size_t runs, uint64_t elements)
{
    if (composer->source == NULL)
        return;
    uint64_t n = composer->elements - elements, before = composer->before < n ? composer->before : n;
    size_t size = composer->size, rest = (size_t)(n - before) * size;
    if (composer->elements > composer->runs && may_be_plain(composer)) {
        if (elements == runs) {
            memcpy(composer->elements_kept, composer->values, runs * size);
            composer->kept = runs;
        }
        if (composer->kept == elements) {
            char *to = composer->elements_kept + elements * size;
            for (uint64_t i = 0; i < before; i++, to += size)
                memcpy(to, value, size);
            if (rest > 0)
                memcpy(to, composer->source, rest);
            composer->kept += n;
        }
    }
    composer->before -= before;
    composer->source += rest;
}

/* A block takes as many runs as fit with the width that their counts need. So blocks depend on the data alone, not on
 * how they arrive. counts is NULL if each is 1. Returns how many were added: fewer than n if the next one does not
 * fit. */
static size_t fill(struct composer *composer, const char *values, const uint64_t *counts, size_t n)
{
    size_t done = 0;
    while (done < n) {
        size_t limit = room(composer, composer->bits);
        if (composer->runs >= limit)
            break;
        size_t most = limit - composer->runs < n - done ? limit - composer->runs : n - done;
        const char *from = values + done * composer->size;
        size_t runs = composer->runs;
        uint64_t elements = composer->elements;
        size_t added = add_some(composer, from, counts == NULL ? NULL : counts + done, most);
        if (added == 0)
            break;
        keep(composer, from, runs, elements);
        done += added;
    }
    return done;
}

static void begin_block(struct composer *composer)
{
    composer->values = writer_claim(composer->writer) + CONTAINER_BLOCK_HEAD;
    composer->runs = composer->counted = composer->kept = 0;
    composer->bits = composer->elements = 0;
}

/* Replaces the runs by their elements. If all counts are 1, those are the values. */
static void expand(struct composer *composer)
{
    const char *values = composer->values;
    if (composer->elements == composer->runs)
        return;
    if (composer->kept == composer->elements) {
        memcpy(composer->values, composer->elements_kept, composer->kept * composer->size);
        return;
    }
    composer->values = writer_exchange(composer->writer) + CONTAINER_BLOCK_HEAD;
    count_ones(composer);
    container_widen(composer->wide, composer->counts, container_width(composer->bits), composer->runs);
    expander_run(&composer->expander, composer->size, values, composer->wide, composer->runs, composer->values,
                 (size_t)composer->elements);
}

/* Writes the block's runs, or its elements if those are shorter. */
static void put_block(struct composer *composer)
{
    size_t runs = composer->runs, size = composer->size;
    unsigned width = container_width(composer->bits);
    uint64_t elements = composer->elements;
    size_t bytes = runs * (size + width);
    bool plain = elements <= bytes / size && elements * size < bytes;
    if (plain) {
        bytes = (size_t)elements * size;
        expand(composer);
    } else {
        count_ones(composer);
        memcpy(composer->values + runs * size, composer->counts, runs * width);
    }
    container_block(composer->values - CONTAINER_BLOCK_HEAD, plain ? 0 : width, elements, runs);
    writer_publish(composer->writer, CONTAINER_BLOCK_HEAD + bytes + CONTAINER_CRC_BYTES);
    composer->totals.elements += elements;
    composer->totals.runs += runs;
    composer->totals.blocks++;
    composer->values = NULL;
}

/* ---- all blocks ---- */

void composer_add(struct composer *composer, const char *values, const uint64_t *counts, size_t runs, bool last)
{
    for (size_t done = 0; done < runs;) {
        if (composer->values == NULL)
            begin_block(composer);
        done += fill(composer, values + done * composer->size, counts == NULL ? NULL : counts + done, runs - done);
        if (done < runs || last)
            put_block(composer);
    }
}

void composer_open(struct composer *composer, size_t element)
{
    *composer = (struct composer){.size = element};
    size_t bytes = room(composer, 0) * sizeof *composer->wide;
    composer->counts = get_memory(bytes);
    composer->wide = get_memory(bytes);
    composer->elements_kept = get_memory(PAYLOAD_BYTES);
}

size_t composer_block(const struct composer *composer)
{
    size_t least = composer->size + sizeof(uint64_t), payload = least > PAYLOAD_BYTES ? least : PAYLOAD_BYTES;
    return CONTAINER_BLOCK_HEAD + payload + CONTAINER_CRC_BYTES;
}

void composer_close(struct composer *composer)
{
    free(composer->counts);
    free(composer->wide);
    free(composer->elements_kept);
    expander_free(&composer->expander);
}
