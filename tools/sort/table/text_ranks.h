/* text_ranks.h - ranks of texts: numbers in the same order. */
#ifndef TEXT_RANKS_H
#define TEXT_RANKS_H

#include "arrow/arrow_table.h"

/* Bytes of memory for each row while texts are ranked, beside the ranks. */
#define TEXT_RANKS_COST 48

/* A rank for each row of a column of texts: equal for equal texts, and ordered as their bytes are, as unsigned numbers;
 * a text comes before all that begin with it. Nulls rank as empty texts. get_memory()'d. Method: texts are sorted by
 * their first bytes; those that are equal so far are sorted again by the first bytes that they do not all share, until
 * none are left (Deshpande and Narayanan, Can GPUs Sort Strings Efficiently?, 2013). */
uint64_t *text_ranks(const struct arrow_table *table, size_t column, scankit_context *context);

#endif
