/* group.c - opening and closing groups, and running a call on the local members. */
#include "group.h"

#include <stdio.h>
#include <stdlib.h>

#include "devices.h"

/* ---- opening and closing ---- */

static void free_group(scankit_group *group)
{
    free(group->owned);
    free(group->headers);
    free(group->member);
    free(group);
}

static scankit_group *new_group(size_t members, size_t rank, size_t local)
{
    scankit_group *group = calloc(1, sizeof *group);
    if (group == NULL)
        return NULL;
    *group = (scankit_group){.members = members, .rank = rank, .local = local};
    group->member = calloc(local, sizeof *group->member);
    group->headers = sk_host_array(members, local * SK_HEADER_BYTES);
    if (group->member != NULL && group->headers != NULL)
        return group;
    free_group(group);
    return NULL;
}

static void set_member(scankit_group *group, size_t local, scankit_context *context, const scankit_transport *transport,
                       void *state)
{
    group->member[local] = (sk_member){.context = context,
                                       .transport = transport,
                                       .state = state,
                                       .rank = group->rank + local,
                                       .members = group->members,
                                       .local = local,
                                       .headers = group->headers + local * group->members * SK_HEADER_BYTES};
}

/* Members of different devices of one kind can copy from each other. */
static scankit_error introduce(scankit_context *const *contexts, size_t members)
{
    for (size_t i = 0; i < members; i++)
        for (size_t j = 0; j < members; j++) {
            const sk_backend *backend = contexts[i]->backend;
            if (backend != contexts[j]->backend)
                return SCANKIT_E_ARGUMENT;
            SK_TRY(backend->reach(contexts[i]->device, contexts[j]->device));
        }
    return SCANKIT_OK;
}

static scankit_error fill_in_process(scankit_group *group, scankit_context *const *contexts)
{
    size_t members = group->local;
    void **states = sk_host_array(members, sizeof *states);
    scankit_error error = states == NULL ? SCANKIT_E_MEMORY : introduce(contexts, members);
    if (error == SCANKIT_OK)
        error = sk_in_process_open(members, states);
    for (size_t i = 0; error == SCANKIT_OK && i < members; i++)
        set_member(group, i, contexts[i], &sk_in_process, states[i]);
    free(states);
    return error;
}

/* A group of all `members` contexts, in this process. */
static scankit_error open_in_process(scankit_group **opened, scankit_context *const *contexts, size_t members)
{
    scankit_group *group = new_group(members, 0, members);
    if (group == NULL)
        return SCANKIT_E_MEMORY;
    scankit_error error = fill_in_process(group, contexts);
    if (error != SCANKIT_OK) {
        free_group(group);
        return error;
    }
    if (members > 1 && (group->crew = sk_crew_open(members)) == NULL) {
        scankit_group_close(group);
        return SCANKIT_E_MEMORY;
    }
    *opened = group;
    return SCANKIT_OK;
}

scankit_error scankit_group_of(scankit_group **group, scankit_context *const *contexts, size_t members)
{
    if (group == NULL)
        return SCANKIT_E_ARGUMENT;
    *group = NULL;
    if (contexts == NULL || members == 0 || members > SK_MEMBERS_MAX)
        return SCANKIT_E_ARGUMENT;
    for (size_t i = 0; i < members; i++)
        for (size_t j = 0; j <= i; j++)
            if (contexts[i] == NULL || (i != j && contexts[i] == contexts[j]))
                return SCANKIT_E_ARGUMENT;
    return open_in_process(group, contexts, members);
}

scankit_error scankit_group_open(scankit_group **group, const char *devices)
{
    if (group == NULL)
        return SCANKIT_E_ARGUMENT;
    *group = NULL;
    if (devices == NULL)
        return SCANKIT_E_ARGUMENT;
    size_t members = sk_count_devices(devices);
    if (members == 0)
        return SCANKIT_E_NO_DEVICE;
    if (members > SK_MEMBERS_MAX)
        return SCANKIT_E_SYNTAX;
    scankit_context **contexts = calloc(members, sizeof *contexts);
    if (contexts == NULL)
        return SCANKIT_E_MEMORY;
    scankit_error error = sk_open_devices(devices, contexts, members);
    if (error == SCANKIT_OK && (error = open_in_process(group, contexts, members)) != SCANKIT_OK)
        sk_close_devices(contexts, members);
    if (error == SCANKIT_OK)
        (*group)->owned = contexts;
    else
        free(contexts);
    return error;
}

scankit_error scankit_group_join(scankit_group **group, scankit_context *context, size_t rank, size_t members,
                                 const scankit_transport *transport, void *state)
{
    if (group == NULL)
        return SCANKIT_E_ARGUMENT;
    *group = NULL;
    if (context == NULL || rank >= members || transport == NULL)
        return SCANKIT_E_ARGUMENT;
    scankit_group *joined = new_group(members, rank, 1);
    if (joined == NULL)
        return SCANKIT_E_MEMORY;
    set_member(joined, 0, context, transport, state);
    *group = joined;
    return SCANKIT_OK;
}

void scankit_group_close(scankit_group *group)
{
    if (group == NULL)
        return;
    sk_crew_close(group->crew);
    for (size_t i = 0; i < group->local; i++)
        if (group->member[i].transport->close != NULL)
            group->member[i].transport->close(group->member[i].state);
    if (group->owned != NULL)
        sk_close_devices(group->owned, group->local);
    free_group(group);
}

size_t scankit_group_members(const scankit_group *group)
{
    return group == NULL ? 0 : group->members;
}

size_t scankit_group_local(const scankit_group *group)
{
    return group == NULL ? 0 : group->local;
}

size_t scankit_group_rank(const scankit_group *group)
{
    return group == NULL ? 0 : group->rank;
}

scankit_context *scankit_group_context(const scankit_group *group, size_t i)
{
    return group == NULL || i >= group->local ? NULL : group->member[i].context;
}

scankit_error scankit_group_set_memory(scankit_group *group, size_t bytes)
{
    if (group == NULL)
        return SCANKIT_E_ARGUMENT;
    for (size_t i = 0; i < group->local; i++)
        group->member[i].round_bytes = bytes;
    return SCANKIT_OK;
}

const char *scankit_group_error_detail(const scankit_group *group)
{
    return group == NULL ? "" : group->detail;
}

/* ---- running ---- */

typedef struct running {
    sk_member *member;
    sk_member_work *work;
    const void *call;
    scankit_error error; /* of the first local member */
} running;

static void run_member(void *state, size_t i)
{
    running *run = state;
    sk_member *member = &run->member[i];
    member->failed = false;
    member->detail[0] = '\0';
    scankit_error error = run->work(member, run->call);
    if (error == SCANKIT_OK)
        error = scankit_synchronize(member->context);
    (void)sk_finish_exchange(member);
    if (!member->failed)
        error = sk_agree(member, error);
    if (i == 0)
        run->error = error;
}

scankit_error sk_run(scankit_group *group, const char *function, sk_member_work *work, const void *call)
{
    if (group == NULL)
        return SCANKIT_E_ARGUMENT;
    running run = {group->member, work, call, SCANKIT_OK};
    if (group->crew == NULL)
        run_member(&run, 0);
    else
        sk_crew_run(group->crew, run_member, &run);
    if (run.error != SCANKIT_OK)
        snprintf(group->detail, sizeof group->detail, "%s: %s", function, group->member[0].detail);
    return run.error;
}
