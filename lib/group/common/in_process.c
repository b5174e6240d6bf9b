/* in_process.c - the transport between members of one process. A member copies what it receives from the memory of the
 * others: plain memory, or that of GPUs, which reach each other directly where they can. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "barrier.h"
#include "group.h"

/* What a member shows to the others between two barriers. */
typedef struct window {
    const void *data;
    const scankit_range *send;
    size_t sends;
} window;

typedef struct shared {
    size_t members;
    atomic_size_t open; /* members that have not closed yet */
    sk_barrier barrier;
    window *window;
} shared;

typedef struct place {
    shared *shared;
    size_t rank;
} place;

static scankit_error allgather(void *state, const void *mine, void *all, size_t bytes)
{
    const place *self = state;
    shared *group = self->shared;
    group->window[self->rank].data = mine;
    sk_barrier_wait(&group->barrier);
    for (size_t m = 0; m < group->members; m++)
        memcpy((char *)all + m * bytes, group->window[m].data, bytes);
    sk_barrier_wait(&group->barrier);
    return SCANKIT_OK;
}

/* The first range from `from` on that goes to that member. */
static size_t next_to(const window *sender, size_t member, size_t from)
{
    while (from < sender->sends && sender->send[from].member != member)
        from++;
    return from;
}

/* Copies the ranges from one member, in their order. */
static scankit_error receive_from(const place *self, scankit_context *context, size_t sender,
                                  const scankit_range *receive, size_t receives)
{
    const window *from = &self->shared->window[sender];
    size_t next = 0;
    for (size_t i = 0; i < receives; i++) {
        if (receive[i].member != sender)
            continue;
        next = next_to(from, self->rank, next);
        if (next == from->sends || from->send[next].bytes != receive[i].bytes)
            return SCANKIT_E_ARGUMENT;
        SK_TRY(
            context->backend->copy_beside(context->device, receive[i].data, from->send[next].data, receive[i].bytes));
        next++;
    }
    return SCANKIT_OK;
}

static scankit_error start(void *state, scankit_context *context, const scankit_range *send, size_t sends,
                           const scankit_range *receive, size_t receives)
{
    const place *self = state;
    shared *group = self->shared;
    scankit_error error = SCANKIT_OK;
    group->window[self->rank].send = send;
    group->window[self->rank].sends = sends;
    sk_barrier_wait(&group->barrier);
    /* Each member begins with itself and goes round: so no two read from the same one at the same time. */
    for (size_t i = 0; error == SCANKIT_OK && i < group->members; i++)
        error = receive_from(self, context, (self->rank + i) % group->members, receive, receives);
    /* The lists of ranges are the callers' again. */
    sk_barrier_wait(&group->barrier);
    return error;
}

static scankit_error finish(void *state, scankit_context *context)
{
    const place *self = state;
    scankit_error error = context->backend->wait_beside(context->device);
    sk_barrier_wait(&self->shared->barrier);
    return error;
}

static scankit_error exchange(void *state, scankit_context *context, const scankit_range *send, size_t sends,
                              const scankit_range *receive, size_t receives)
{
    scankit_error started = start(state, context, send, sends, receive, receives);
    scankit_error finished = finish(state, context);
    return started != SCANKIT_OK ? started : finished;
}

static void free_shared(shared *group)
{
    free(group->window);
    free(group);
}

static void close_place(void *state)
{
    place *self = state;
    shared *group = self->shared;
    free(self);
    if (atomic_fetch_sub(&group->open, 1) > 1)
        return;
    sk_barrier_close(&group->barrier);
    free_shared(group);
}

const scankit_transport sk_in_process = {allgather, exchange, close_place, start, finish};

static shared *open_shared(size_t members)
{
    shared *group = calloc(1, sizeof *group);
    if (group == NULL)
        return NULL;
    group->members = members;
    atomic_init(&group->open, members);
    group->window = calloc(members, sizeof *group->window);
    if (group->window != NULL && sk_barrier_open(&group->barrier, members))
        return group;
    free_shared(group);
    return NULL;
}

scankit_error sk_in_process_open(size_t members, void **states)
{
    shared *group = open_shared(members);
    if (group == NULL)
        return SCANKIT_E_MEMORY;
    for (size_t m = 0; m < members; m++) {
        place *self = states[m] = malloc(sizeof *self);
        if (self == NULL) {
            while (m-- > 0)
                free(states[m]);
            sk_barrier_close(&group->barrier);
            free_shared(group);
            return SCANKIT_E_MEMORY;
        }
        *self = (place){group, m};
    }
    return SCANKIT_OK;
}
