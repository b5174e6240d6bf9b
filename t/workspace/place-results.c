/* place-results.c - what a call left in the arrays of its place. */
#include <stdlib.h>
#include <string.h>

#include "place.h"
#include "support/tap.h"

bool place_did(const place *p, scankit_error error)
{
    if (error == SCANKIT_OK)
        error = scankit_synchronize(p->context);
    if (error != SCANKIT_OK)
        tap_fail("%s: %s", scankit_error_string(error), scankit_error_detail(p->context));
    return error == SCANKIT_OK;
}

place_result place_results(const place *p)
{
    place_result r;
    void *from[] = {p->out, p->more};
    memcpy(r.host, p->host, sizeof r.host);
    for (int i = 0; i < 2; i++) {
        r.used[i] = p->used[i];
        r.array[i] = data_allocate(p->used[i], 1);
        place_did(p, scankit_download(p->context, r.array[i], from[i], p->used[i]));
    }
    return r;
}

void place_free_results(place_result *r)
{
    free(r->array[0]);
    free(r->array[1]);
}

void place_expect_same(const place_result *a, const place_result *b)
{
    if (memcmp(a->host, b->host, sizeof a->host) != 0)
        tap_fail("another result in host memory");
    for (int i = 0; i < 2; i++)
        if (a->used[i] != b->used[i] || memcmp(a->array[i], b->array[i], a->used[i]) != 0)
            tap_fail("other results, from byte %zu on", first_difference(a->array[i], b->array[i], a->used[i], 1));
}

void place_clear_results(place *p)
{
    char *host = data_allocate(PLACE_ROOM(p->n), 1);
    memset(host, 0, PLACE_ROOM(p->n));
    memset(p->host, 0, sizeof p->host);
    place_did(p, scankit_upload(p->context, p->out, host, PLACE_ROOM(p->n)));
    place_did(p, scankit_upload(p->context, p->more, host, PLACE_ROOM(p->n)));
    place_did(p, scankit_synchronize(p->context));
    free(host);
}
