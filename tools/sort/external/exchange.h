/* exchange.h - ranks merge their runs: each sends each other rank its items of that rank's part, in rounds. */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include "cuts.h"
#include "worker.h"

struct exchange {
    struct worker *worker;
    const struct run_set *set;
    const struct cuts *cuts;
    size_t room; /* items of a message; the same in all ranks */
    unsigned threads;

    /* Takes the items of this rank's part in order. */
    void (*take)(void *state, const char *memory, size_t n);
    void *state;
};

/* Buffers of a message's size in use with p ranks: for each rank what is sent, what came, and its result; and one for
 * what is loaded. */
#define EXCHANGE_BUFFERS(p) (3 * (p) + 1)

/* Collective. */
void exchange_and_merge(const struct exchange *exchange);

#endif
