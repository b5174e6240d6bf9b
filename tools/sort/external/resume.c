/* resume.c - see resume.h. */
#include "resume.h"

#include <stdlib.h>

#include "common/cli.h"
#include "threads/crew.h"

#define READ_BYTES ((size_t)1 << 20)

/* Reads a run once to make its index. This also checks it. */
static void make_index(void *state, size_t i, unsigned thread)
{
    const struct run_set *set = state;
    struct sorted_run *run = set->runs[i];
    size_t size = set->items->size, step = READ_BYTES > size ? READ_BYTES / size : 1;
    uint64_t n = run->length;
    char *memory = get_memory(step * size);
    (void)thread;
    while (run->n < n) {
        size_t part = n - run->n < step ? (size_t)(n - run->n) : step;
        run_fetch(set, run, run->n, part, memory);
        run_index(set, run, memory, part);
    }
    free(memory);
}

void index_runs(struct run_set *set, unsigned threads)
{
    crew_run(threads, set->count, make_index, set);
}

uint64_t resume_runs(struct run_set *set, uint64_t covered, bool verify)
{
    uint64_t begin, end;
    struct run *stored;
    for (size_t i = 0; (stored = run_store_resume(set->store, i, &begin, &end)) != NULL; i++) {
        if (begin != covered || (verify && !run_is_whole(stored))) { /* or the runs before it are lost */
            run_destroy(stored);
            continue;
        }
        struct sorted_run *run = run_set_make(set);
        run->stored = stored;
        run->length = run_elements(stored);
        run->begin = begin;
        run->end = covered = end;
        run_set_add(set, run);
    }
    return covered;
}
