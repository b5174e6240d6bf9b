/* table_sort.h - gpusort --by: a whole table of Arrow's format, by several columns. */
#ifndef TABLE_SORT_H
#define TABLE_SORT_H

#include "common/job.h"

struct table_request {
    const struct common *common;
    const char *const *by; /* the texts of --by */
    size_t by_count;
    bool nulls_first, reverse, unique, argsort, check_quietly;
    uint64_t top;
};

/* Sorts a table that fits into memory, and writes it, or the positions of its rows. */
void sort_table(const struct table_request *request, char *const *paths, size_t count, struct job *job);

/* Checks whether its rows are sorted: STATUS_DONE or STATUS_NO. */
int check_table(const struct table_request *request, char *const *paths, size_t count, struct job *job);

#endif
