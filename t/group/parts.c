/* parts.c - see parts.h. */
#include "parts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/device.h"
#include "support/tap.h"

#define GUARD_BYTES 64
#define GUARD 0xa7

const char *parts_way_name(parts_way way)
{
    static const char *const names[] = {
#define X(enumerator, name) name,
        PARTS_WAYS(X)
#undef X
    };
    return names[way];
}

static void divide_randomly(size_t *lengths, size_t members, size_t n, random_state *random)
{
    for (size_t i = 0; i + 1 < members; i++) {
        size_t share = random_below(random, 3) == 0 ? 0 : (size_t)random_below(random, n + 1);
        if (random_below(random, 2) == 0)
            share /= members;
        lengths[i] = share;
        n -= share;
    }
    lengths[members - 1] = n;
}

static void divide(size_t *lengths, size_t members, size_t n, parts_way way, random_state *random)
{
    size_t single = n < members ? n : members;
    switch (way) {
    case PARTS_EVEN:
        for (size_t i = 0; i < members; i++)
            lengths[i] = n * (i + 1) / members - n * i / members;
        break;
    case PARTS_FIRST: lengths[0] = n; break;
    case PARTS_LAST: lengths[members - 1] = n; break;
    case PARTS_ENDS:
        lengths[0] = n / 2;
        lengths[members - 1] += n - n / 2;
        break;
    case PARTS_SINGLE:
        for (size_t i = 0; i < single; i++)
            lengths[i] = 1;
        lengths[members / 2] += n - single;
        break;
    default: divide_randomly(lengths, members, n, random);
    }
}

void parts_divide(size_t *lengths, const scankit_group *group, size_t n, parts_way way, random_state *random)
{
    size_t all[PARTS_MAX] = {0};
    divide(all, scankit_group_members(group), n, way, random);
    memcpy(lengths, all + scankit_group_rank(group), scankit_group_local(group) * sizeof *lengths);
}

size_t parts_before(scankit_group *group, const size_t *lengths)
{
    static const size_t one[PARTS_MAX] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    size_t host[PARTS_MAX], local = scankit_group_local(group);
    const void *in[PARTS_MAX];
    void *memory[PARTS_MAX];
    for (size_t i = 0; i < local; i++) {
        scankit_context *context = scankit_group_context(group, i);
        if (scankit_allocate(context, &memory[i], sizeof *host) != SCANKIT_OK ||
            scankit_upload(context, memory[i], &lengths[i], sizeof *host) != SCANKIT_OK)
            tap_bail_out("no memory for a number");
        in[i] = memory[i];
    }
    if (scankit_group_scan(group, SCANKIT_U64, SCANKIT_SUM, SCANKIT_EXCLUSIVE, NULL, in, memory, one) != SCANKIT_OK ||
        scankit_download(scankit_group_context(group, 0), host, memory[0], sizeof *host) != SCANKIT_OK)
        tap_bail_out("a scan of lengths failed");
    for (size_t i = 0; i < local; i++)
        scankit_free(scankit_group_context(group, i), memory[i]);
    return host[0];
}

static void put_part(parts *p, size_t i, const void *host, size_t n, size_t lead)
{
    size_t bytes = n * p->size;
    scankit_context *context = scankit_group_context(p->group, i);
    char *all = data_allocate(lead + bytes + GUARD_BYTES, 1);
    void *memory;
    memset(all, GUARD, lead + bytes + GUARD_BYTES);
    if (host != NULL && bytes > 0)
        memcpy(all + lead, host, bytes);
    if (scankit_allocate(context, &memory, lead + bytes + GUARD_BYTES) != SCANKIT_OK ||
        scankit_upload(context, memory, all, lead + bytes + GUARD_BYTES) != SCANKIT_OK)
        tap_bail_out("no memory for a part");
    p->data[i] = (char *)memory + lead;
    p->room[i] = n;
    free(all);
}

void parts_put(parts *p, scankit_group *group, const void *host, size_t size, const size_t *lengths, size_t lead)
{
    size_t before = parts_before(group, lengths);
    *p = (parts){.group = group, .size = size, .before = before};
    for (size_t i = 0; i < scankit_group_local(group); i++) {
        put_part(p, i, host == NULL ? NULL : (const char *)host + before * size, lengths[i], lead);
        before += lengths[i];
    }
}

void parts_free(parts *p)
{
    for (size_t i = 0; i < scankit_group_local(p->group); i++) {
        /* Memory begins at a multiple of 256, and a lead is less than that. */
        scankit_free(scankit_group_context(p->group, i), (void *)((uintptr_t)p->data[i] & ~(uintptr_t)255));
    }
}

static void expect_part(const parts *p, size_t i, const void *expected, size_t n, size_t before, const char *what)
{
    const size_t bytes = p->room[i] * p->size;
    unsigned char *all = data_allocate(bytes + GUARD_BYTES, 1);
    if (scankit_download(scankit_group_context(p->group, i), all, p->data[i], bytes + GUARD_BYTES) != SCANKIT_OK)
        tap_bail_out("a download failed");
    size_t wrong = first_difference(all, expected, n, p->size);
    if (wrong < n)
        tap_fail("%s: element %zu, %zu of part %zu", what, before + wrong, wrong, i);
    for (size_t g = 0; g < GUARD_BYTES; g++)
        if (all[bytes + g] != GUARD) {
            tap_fail("%s: byte %zu behind part %zu", what, g, i);
            break;
        }
    free(all);
}

void parts_expect(const parts *p, const size_t *lengths, const void *expected, size_t n, const char *what)
{
    size_t before = parts_before(p->group, lengths);
    for (size_t i = 0; i < scankit_group_local(p->group); i++) {
        if (before > n || lengths[i] > p->room[i] || lengths[i] > n - before) {
            tap_fail("%s: part %zu has %zu elements, too many", what, i, lengths[i]);
            return;
        }
        expect_part(p, i, (const char *)expected + before * p->size, lengths[i], before, what);
        before += lengths[i];
    }
    if (before != n && scankit_group_rank(p->group) + scankit_group_local(p->group) == scankit_group_members(p->group))
        tap_fail("%s: %zu elements instead of %zu", what, before, n);
}

scankit_context *parts_alone(void)
{
    static scankit_context *context;
    if (context == NULL && scankit_open(&context, "cpu:2") != SCANKIT_OK)
        tap_bail_out("no CPU");
    return context;
}

bool parts_did(scankit_group *group, scankit_error error, const char *call)
{
    if (error != SCANKIT_OK)
        tap_fail("%.40s: %s (%s)", call, scankit_error_string(error), scankit_group_error_detail(group));
    return error == SCANKIT_OK;
}
