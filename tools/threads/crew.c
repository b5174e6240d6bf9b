/* crew.c - see crew.h. */
#include "crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define THREADS_MAX 16

struct crew {
    atomic_size_t next;
    size_t count;
    void (*work)(void *state, size_t i, unsigned thread);
    void *state;
};

struct member {
    struct crew *crew;
    unsigned thread;
    pthread_t id;
    bool started;
};

static void *do_turns(void *argument)
{
    const struct member *member = argument;
    struct crew *crew = member->crew;
    for (size_t i; (i = atomic_fetch_add(&crew->next, 1)) < crew->count;)
        crew->work(crew->state, i, member->thread);
    return NULL;
}

void crew_run(unsigned threads, size_t count, void (*work)(void *state, size_t i, unsigned thread), void *state)
{
    struct crew crew = {.count = count, .work = work, .state = state};
    struct member members[THREADS_MAX];
    unsigned most = threads < THREADS_MAX ? threads : THREADS_MAX;
    if (most > count)
        most = (unsigned)count;
    for (unsigned t = 1; t < most; t++) {
        members[t] = (struct member){.crew = &crew, .thread = t};
        members[t].started = pthread_create(&members[t].id, NULL, do_turns, &members[t]) == 0;
    }
    do_turns(&(struct member){.crew = &crew});
    for (unsigned t = 1; t < most; t++)
        if (members[t].started)
            pthread_join(members[t].id, NULL);
}
