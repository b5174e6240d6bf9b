/* text_ranks.c - see text_ranks.h. A rank is the number of texts that are less, as far as is known. */
#include "text_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "positions.h"
#include "threads/crew.h"

/* A word holds this many bytes of a text, the first one most significant, and their number. So a text that ends comes
 * before one that goes on with zeros. */
#define WORD_TEXT 7

#define SLICE_ROWS ((size_t)1 << 14)

struct ranking {
    const struct arrow_table *table;
    size_t column;
    scankit_context *context;
    uint64_t *rank;        /* of each row */
    uint64_t *open;        /* rows that are equal to others so far */
    size_t n;              /* of them */
    uint64_t *word, *less; /* of each open row: its next bytes, and its rank so far */
    uint64_t *order;       /* of the open rows */
    uint64_t depth;        /* bytes that were compared */
};

static uint64_t word_of(const struct ranking *ranking, uint64_t row)
{
    const struct arrow_batch *batch = arrow_batch_of(ranking->table, row);
    const struct arrow_part *part = &batch->parts[ranking->column];
    size_t size = ranking->table->columns[ranking->column].size;
    uint64_t i = row - batch->first;
    if (arrow_is_null(part, i))
        return 0;
    uint64_t begin = arrow_offset(part, size, i), end = arrow_offset(part, size, i + 1);
    uint64_t left = end - begin > ranking->depth ? end - begin - ranking->depth : 0, word = 0;
    unsigned bytes = left < WORD_TEXT ? (unsigned)left : WORD_TEXT;
    for (unsigned b = 0; b < bytes; b++)
        word |= (uint64_t)part->buffers[2].data[begin + ranking->depth + b] << (56 - 8 * b);
    return word | bytes;
}

static void read_words(void *state, size_t slice, unsigned thread)
{
    const struct ranking *ranking = state;
    size_t begin = slice * SLICE_ROWS, end = begin + SLICE_ROWS < ranking->n ? begin + SLICE_ROWS : ranking->n;
    (void)thread;
    for (size_t i = begin; i < end; i++) {
        ranking->word[i] = word_of(ranking, ranking->open[i]);
        ranking->less[i] = ranking->rank[ranking->open[i]];
    }
}

static void sort_open(const struct ranking *ranking)
{
    const scankit_column columns[] = {{.data = ranking->less, .type = SCANKIT_U64},
                                      {.data = ranking->word, .type = SCANKIT_U64}};
    const bool is_first = ranking->depth == 0; /* all have rank 0 */
    sort_positions(ranking->context, columns + is_first, 2 - (size_t)is_first, ranking->n, ranking->order);
}

static bool are_equal(const struct ranking *ranking, uint64_t a, uint64_t b)
{
    return ranking->less[a] == ranking->less[b] && ranking->word[a] == ranking->word[b];
}

/* The end of the run of equal texts that begins at i, in order. */
static size_t end_of_run(const struct ranking *ranking, size_t i)
{
    size_t end = i + 1;
    while (end < ranking->n && are_equal(ranking, ranking->order[i], ranking->order[end]))
        end++;
    return end;
}

/* Sets the ranks of the open rows. Those that stay equal and go on are open again. */
static void rank_open(struct ranking *ranking, uint64_t *still_open)
{
    size_t first = 0, count = 0; /* first: of the rows with the same rank before */
    for (size_t i = 0, end; i < ranking->n; i = end) {
        uint64_t row = ranking->order[i];
        end = end_of_run(ranking, i);
        if (ranking->less[row] != ranking->less[ranking->order[first]])
            first = i;
        bool goes_on = end - i > 1 && (ranking->word[row] & 0xff) == WORD_TEXT;
        for (size_t j = i; j < end; j++) {
            uint64_t open = ranking->open[ranking->order[j]];
            ranking->rank[open] = ranking->less[row] + (i - first);
            if (goes_on)
                still_open[count++] = open;
        }
    }
    ranking->n = count;
}

uint64_t *text_ranks(const struct arrow_table *table, size_t column, scankit_context *context)
{
    size_t bytes = table->rows * sizeof(uint64_t);
    struct ranking ranking = {.table = table, .column = column, .context = context, .n = table->rows};
    uint64_t **arrays[] = {&ranking.rank, &ranking.open, &ranking.word, &ranking.less, &ranking.order};
    uint64_t *next = get_memory(bytes);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = get_memory(bytes);
    memset(ranking.rank, 0, bytes);
    for (size_t i = 0; i < ranking.n; i++)
        ranking.open[i] = i;
    for (; ranking.n > 0; ranking.depth += WORD_TEXT) {
        crew_run(table->threads, (ranking.n + SLICE_ROWS - 1) / SLICE_ROWS, read_words, &ranking);
        sort_open(&ranking);
        rank_open(&ranking, next);
        uint64_t *free_now = ranking.open;
        ranking.open = next;
        next = free_now;
    }
    free(next);
    for (size_t i = 1; i < sizeof arrays / sizeof arrays[0]; i++)
        free(*arrays[i]);
    return ranking.rank;
}
