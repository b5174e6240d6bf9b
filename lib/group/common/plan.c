/* plan.c - see plan.h. */
#include "plan.h"

#include <stdlib.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Cuts each stretch at the parts' borders. Sends what this member owns, receives what lies in its part. */
static void slice(const sk_member *member, const sk_plan *p, sk_slice *send, size_t *sends, sk_slice *receive,
                  size_t *receives)
{
    const size_t me = member->rank;
    size_t part = 0;
    for (size_t s = 0; s < p->count; s++) {
        const sk_stretch *from = &p->stretches[s];
        for (size_t done = 0; done < from->n;) {
            size_t place = from->begin + done;
            while (part < member->members && p->begins[part + 1] <= place)
                part++;
            if (part == member->members)
                return;
            size_t n = least(from->n - done, p->begins[part + 1] - place);
            if (from->owner == me)
                send[(*sends)++] = (sk_slice){part, from->at + done, n};
            if (part == me)
                receive[(*receives)++] = (sk_slice){from->owner, place - p->begins[me], n};
            done += n;
        }
    }
}

/* Each border cuts one stretch at most. */
scankit_error sk_follow_plan(sk_member *member, const sk_plan *p, const sk_column *column)
{
    const size_t most = p->count + member->members;
    size_t sends = 0, receives = 0;
    sk_slice *send = sk_host_array(2 * most, sizeof *send);
    if (send == NULL)
        return SCANKIT_E_MEMORY;
    sk_slice *receive = send + most;
    slice(member, p, send, &sends, receive, &receives);
    scankit_error error = sk_exchange_slices(member, send, sends, receive, receives, column, 1);
    free(send);
    return error;
}

/* Room for the plan of a result in parts of out_n elements. Gathers. */
scankit_error sk_open_plan(sk_member *member, sk_plan *p, size_t stretches, size_t out_n)
{
    *p = (sk_plan){sk_host_array(stretches, sizeof *p->stretches), 0,
                   sk_host_array(member->members + 1, sizeof *p->begins)};
    if (p->stretches == NULL || p->begins == NULL)
        return SCANKIT_E_MEMORY;
    return sk_gather_begins(member, out_n, p->begins);
}

void sk_close_plan(sk_plan *p)
{
    free(p->stretches);
    free(p->begins);
}

void sk_add_stretch(sk_plan *p, size_t owner, size_t at, size_t n)
{
    const sk_stretch *last = &p->stretches[p->count - (p->count > 0)];
    size_t begin = p->count == 0 ? 0 : last->begin + last->n;
    p->stretches[p->count++] = (sk_stretch){owner, at, begin, n};
}

/* The parts take no more than there is. */
scankit_error sk_check_parts(sk_member *member, const sk_plan *p)
{
    const sk_stretch *last = &p->stretches[p->count - 1];
    SK_MEMBER_REQUIRE(p->begins[member->members] <= last->begin + last->n,
                      "the output's parts are larger than the input");
    return SCANKIT_OK;
}
