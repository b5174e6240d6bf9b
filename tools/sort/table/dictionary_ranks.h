/* dictionary_ranks.h - ranks of dictionary-encoded values. */
#ifndef DICTIONARY_RANKS_H
#define DICTIONARY_RANKS_H

#include "arrow/arrow_table.h"

/* A rank for each row of a dictionary-encoded column, ordered as the values of the dictionary are, and equal for equal
 * ones. Nulls have rank 0. get_memory()'d. Fails if the dictionary has nulls, or values without an order. */
uint64_t *dictionary_ranks(const struct arrow_table *table, size_t column, scankit_context *context);

#endif
