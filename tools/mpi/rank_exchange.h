/* rank_exchange.h - each rank gives each rank something else, or all the same. All functions are collective. */
#ifndef RANK_EXCHANGE_H
#define RANK_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

/* from[r] becomes what rank r has as to[this rank]. */
void ranks_exchange_numbers(const uint64_t *to, uint64_t *from);

/* What goes to or comes from a rank: less than 2 GiB. */
struct rank_message {
    char *memory;
    size_t bytes;
};

/* to[r] is sent to rank r, from[r] received from it. */
void ranks_exchange(const struct rank_message *to, const struct rank_message *from);

/* Bytes that this rank sent so to others. Not collective. */
uint64_t ranks_exchanged(void);

/* `all` gets what each rank has, in the order of ranks; rank r has bytes[r]. */
void ranks_collect(const void *mine, void *all, const size_t *bytes);

#endif
