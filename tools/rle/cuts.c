/* cuts.c - see cuts.h. A block takes runs while they fit, so a rank's blocks depend on all ranks before. The ranks pass
 * the open block on, one after the other. To make that short, each has the bitwise or of its counts by stretches. */
#include "cuts.h"

#include <stdlib.h>

#include "common/cli.h"
#include "composer.h"

#define STRETCH ((size_t)4096)

struct survey {
    const uint64_t *counts;
    size_t n;
    uint64_t *bits; /* of each stretch */
};

struct survey *counts_survey(const uint64_t *counts, size_t n)
{
    struct survey *survey = get_memory(sizeof *survey);
    *survey = (struct survey){.counts = counts, .n = n};
    survey->bits = get_memory((n / STRETCH + 1) * sizeof *survey->bits);
    for (size_t i = 0; i < n / STRETCH + 1; i++)
        survey->bits[i] = 0;
    for (size_t i = 0; i < n; i++)
        survey->bits[i / STRETCH] |= counts[i];
    return survey;
}

/* Adds the runs from i on that the block takes, up to the end of a stretch. Returns how many. The bits of a stretch
 * come from counts before i too, which is right if they change nothing. */
static size_t add(const struct survey *survey, size_t element, struct open_block *block, size_t i)
{
    size_t end = (i / STRETCH + 1) * STRETCH, n = (end < survey->n ? end : survey->n) - i;
    uint64_t all = block->bits | survey->bits[i / STRETCH];
    bool same_width = container_width(all) == container_width(block->bits);
    if (block->runs + n <= block_runs(element, all) && (i % STRETCH == 0 || same_width)) {
        block->bits |= all;
        block->runs += n;
        return n;
    }
    for (size_t added = 0; added < n; added++) {
        uint64_t bits = block->bits | survey->counts[i + added];
        if (block->runs > 0 && block->runs >= block_runs(element, bits))
            return added;
        block->bits = bits;
        block->runs++;
    }
    return n;
}

size_t counts_cut(const struct survey *survey, size_t element, struct open_block *block)
{
    size_t n = survey->n, first = block->runs == 0 ? 0 : n;
    for (size_t i = 0, added; i < n; i += added) {
        added = add(survey, element, block, i);
        if (added > 0)
            continue;
        first = first == n ? i : first;
        *block = (struct open_block){.runs = 0};
    }
    return first;
}

void counts_free(struct survey *survey)
{
    free(survey->bits);
    free(survey);
}
