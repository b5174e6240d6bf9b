/* run_set.h - the sorted runs, in the order of the input, in memory or in the run store; each with a sparse index. */
#ifndef RUN_SET_H
#define RUN_SET_H

#include "io/run_store.h"
#include "items/items.h"
#include "items/splitters.h"
#include "pool.h"

struct sorted_run {
    uint64_t n;
    uint64_t first;      /* the item of the stored run that is item 0 here */
    uint64_t length;     /* of a run that is found in the store: what n is when all of it is in the index */
    uint64_t begin, end; /* the elements of the input that it holds */
    struct chunk *chunk; /* in memory: the chunk that holds it, or NULL */
    struct run *stored;  /* in the store, or NULL */
    char *index;         /* the packed keys of items 0, every, 2 * every, ... */
    size_t index_count, index_room;
    uint64_t every;
};

struct run_set {
    const struct items *items;
    struct run_store *store;
    struct pool *pool; /* of the chunks */
    struct sorted_run **runs;
    size_t count, room;
    uint64_t every; /* of new runs */
};

/* A set that is all zeros but for its pool; or again, for further runs of another size. An index is made for runs of
 * about chunk_bytes. */
void run_set_open(struct run_set *set, const struct items *items, size_t chunk_bytes);
void run_set_close(struct run_set *set);

/* For runs in files of their own, which are all open at once: raises the limit of open files as far as it goes. */
void run_set_allow_many(void);

/* A new, empty run; run_set_add() makes it the last one. */
struct sorted_run *run_set_make(const struct run_set *set);
void run_set_add(struct run_set *set, struct sorted_run *run);

/* Replaces `count` runs, from `first` on, by one, and frees them. */
void run_set_replace(struct run_set *set, size_t first, size_t count, struct sorted_run *run);

/* Appends n items to a run's index, while they are in memory. */
void run_index(const struct run_set *set, struct sorted_run *run, const char *memory, size_t n);

/* Moves a run from its chunk to the store, and gives the chunk back. */
void run_spill(struct run_set *set, struct sorted_run *run);

/* Reads items of a run. Any thread may. */
void run_fetch(const struct run_set *set, struct sorted_run *run, uint64_t first, size_t n, char *to);

uint64_t run_set_items(const struct run_set *set);
uint64_t run_set_index_bytes(const struct run_set *set);

#endif
