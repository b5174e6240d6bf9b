/* member.c - the collectives: a gather that carries errors, and an exchange that follows it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "member.h"

/* The first message of every collective: an error with its detail, or small data, so that most gathers are one message.
 */
typedef struct header {
    uint32_t error;
    char data[SK_HEADER_BYTES - sizeof(uint32_t)];
} header;

_Static_assert(sizeof(header) == SK_HEADER_BYTES, "a header has no padding");

void *sk_host_array(size_t n, size_t size)
{
    size_t bytes;
    return sk_multiply(n, size, &bytes) ? malloc(bytes > 0 ? bytes : 1) : NULL;
}

static scankit_error allgather(sk_member *member, const void *mine, void *all, size_t bytes)
{
    scankit_error error = member->transport->allgather(member->state, mine, all, bytes);
    if (error != SCANKIT_OK) {
        member->failed = true;
        snprintf(member->detail, sizeof member->detail, "member %zu: the transport failed", member->rank);
    }
    return error;
}

static void say_why(const sk_member *member, header *message)
{
    const char *why = member->detail[0] != '\0' ? member->detail : scankit_error_detail(member->context);
    snprintf(message->data, sizeof message->data, "%.*s", (int)sizeof message->data - 1, why);
}

/* Gathers headers. If one has an error, the collective fails on all members, with the first error. */
static scankit_error meet(sk_member *member, const header *mine)
{
    const header *all = (const header *)member->headers;
    SK_TRY(allgather(member, mine, member->headers, sizeof *mine));
    for (size_t m = 0; m < member->members; m++)
        if (all[m].error != SCANKIT_OK) {
            member->failed = true;
            snprintf(member->detail, sizeof member->detail, "member %zu: %s", m, all[m].data);
            return (scankit_error)all[m].error;
        }
    return SCANKIT_OK;
}

scankit_error sk_gather(sk_member *member, const void *mine, void *all, size_t bytes)
{
    header message = {.error = SCANKIT_OK};
    const header *headers = (const header *)member->headers;
    if (bytes > sizeof message.data) {
        SK_TRY(meet(member, &message));
        return allgather(member, mine, all, bytes);
    }
    memcpy(message.data, mine, bytes);
    SK_TRY(meet(member, &message));
    for (size_t m = 0; m < member->members; m++)
        memcpy((char *)all + m * bytes, headers[m].data, bytes);
    return SCANKIT_OK;
}

scankit_error sk_agree(sk_member *member, scankit_error error)
{
    header message = {.error = (uint32_t)error};
    if (error != SCANKIT_OK)
        say_why(member, &message);
    return meet(member, &message);
}

/* All are ready for an exchange. */
static scankit_error begin_exchange(sk_member *member)
{
    SK_TRY(scankit_synchronize(member->context));
    return sk_agree(member, SCANKIT_OK);
}

scankit_error sk_exchange(sk_member *member, const scankit_range *send, size_t sends, const scankit_range *receive,
                          size_t receives)
{
    SK_TRY(begin_exchange(member));
    return member->transport->exchange(member->state, member->context, send, sends, receive, receives);
}

scankit_error sk_start_exchange(sk_member *member, const scankit_range *send, size_t sends,
                                const scankit_range *receive, size_t receives)
{
    if (member->transport->start == NULL)
        return sk_exchange(member, send, sends, receive, receives);
    SK_TRY(begin_exchange(member));
    member->exchanging = true;
    return member->transport->start(member->state, member->context, send, sends, receive, receives);
}

scankit_error sk_finish_exchange(sk_member *member)
{
    if (!member->exchanging)
        return SCANKIT_OK;
    member->exchanging = false;
    return member->transport->finish(member->state, member->context);
}

scankit_error sk_member_refuse(sk_member *member, const char *reason)
{
    snprintf(member->detail, sizeof member->detail, "%.*s", (int)sizeof member->detail - 1, reason);
    return SCANKIT_E_ARGUMENT;
}

scankit_error sk_gather_begins(sk_member *member, size_t n, size_t *begins)
{
    SK_TRY(sk_gather(member, &n, begins + 1, sizeof n));
    begins[0] = 0;
    for (size_t m = 0; m < member->members; m++)
        if (__builtin_add_overflow(begins[m], begins[m + 1], &begins[m + 1]))
            return sk_member_refuse(member, "too many elements in all");
    return SCANKIT_OK;
}

scankit_error sk_find_place(sk_member *member, size_t n, sk_place *place)
{
    size_t *begins = sk_host_array(member->members + 1, sizeof *begins);
    if (begins == NULL)
        return SCANKIT_E_MEMORY;
    scankit_error error = sk_gather_begins(member, n, begins);
    if (error == SCANKIT_OK)
        *place = (sk_place){begins[member->rank], begins[member->members]};
    free(begins);
    return error;
}
