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
    uint64_t depth;        /* bytes that were compared in words */
    uint64_t *passed;      /* of each row: others that were; NULL if there are none */
};

/* The bytes of a row's text that were not compared. */
struct rest {
    const unsigned char *bytes;
    uint64_t size;
};

static struct rest rest_of(const struct ranking *ranking, uint64_t row)
{
    const struct arrow_batch *batch = arrow_batch_of(ranking->table, row);
    const struct arrow_part *part = &batch->parts[ranking->column];
    size_t size = ranking->table->columns[ranking->column].size;
    uint64_t i = row - batch->first;
    if (arrow_is_null(part, i))
        return (struct rest){NULL, 0};
    uint64_t begin = arrow_offset(part, size, i) + ranking->depth, end = arrow_offset(part, size, i + 1);
    begin += ranking->passed == NULL ? 0 : ranking->passed[row];
    return end > begin ? (struct rest){part->buffers[2].data + begin, end - begin} : (struct rest){NULL, 0};
}

static uint64_t *get_zeros(size_t n)
{
    uint64_t *zeros = get_memory(n * sizeof *zeros);
    memset(zeros, 0, n * sizeof *zeros);
    return zeros;
}

static uint64_t word_of(const struct ranking *ranking, uint64_t row)
{
    struct rest rest = rest_of(ranking, row);
    uint64_t word = 0;
    unsigned bytes = rest.size < WORD_TEXT ? (unsigned)rest.size : WORD_TEXT;
    for (unsigned b = 0; b < bytes; b++)
        word |= (uint64_t)rest.bytes[b] << (56 - 8 * b);
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

/* How many bytes are equal, up to `most`. */
static uint64_t common_bytes(const unsigned char *a, const unsigned char *b, uint64_t most)
{
    uint64_t i = 0;
    if (most == 0 || memcmp(a, b, most) == 0)
        return most;
    while (a[i] == b[i])
        i++;
    return i;
}

/* The bytes that the rests of all rows from i to `end`, in order, begin with. *all_equal: they are no more than that.
 */
static uint64_t common_start(const struct ranking *ranking, size_t i, size_t end, bool *all_equal)
{
    struct rest first = rest_of(ranking, ranking->open[ranking->order[i]]);
    uint64_t common = first.size;
    *all_equal = false;
    if (first.size <= WORD_TEXT) /* the next round costs less */
        return 0;
    for (size_t j = i + 1; j < end && common > 0; j++) {
        struct rest rest = rest_of(ranking, ranking->open[ranking->order[j]]);
        *all_equal = (*all_equal || j == i + 1) && rest.size == first.size;
        common = common_bytes(first.bytes, rest.bytes, common < rest.size ? common : rest.size);
    }
    *all_equal = *all_equal && common == first.size;
    return common;
}

#define FEW_ROWS 8 /* a look at them costs more than a second round does */

/* Passes over the bytes that rows of equal words have in common, so that long texts do not take a round a word. Returns
 * false if all the texts are equal. */
static bool pass_common(struct ranking *ranking, size_t i, size_t end)
{
    bool all_equal;
    if (ranking->depth == WORD_TEXT && end - i <= FEW_ROWS)
        return true;
    uint64_t common = common_start(ranking, i, end, &all_equal);
    if (all_equal || common == 0)
        return !all_equal;
    if (ranking->passed == NULL)
        ranking->passed = get_zeros(ranking->table->rows);
    for (size_t j = i; j < end; j++)
        ranking->passed[ranking->open[ranking->order[j]]] += common;
    return true;
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
        bool goes_on = end - i > 1 && (ranking->word[row] & 0xff) == WORD_TEXT && pass_common(ranking, i, end);
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
    while (ranking.n > 0) {
        crew_run(table->threads, (ranking.n + SLICE_ROWS - 1) / SLICE_ROWS, read_words, &ranking);
        sort_open(&ranking);
        ranking.depth += WORD_TEXT;
        rank_open(&ranking, next);
        uint64_t *free_now = ranking.open;
        ranking.open = next;
        next = free_now;
    }
    free(next);
    free(ranking.passed);
    for (size_t i = 1; i < sizeof arrays / sizeof arrays[0]; i++)
        free(*arrays[i]);
    return ranking.rank;
}
