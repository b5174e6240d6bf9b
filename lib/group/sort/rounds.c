/* rounds.c - see rounds.h. */
#include "rounds.h"

#include <stdlib.h>

#define ROUNDS_MOST 4096
/* Of GPUs: an exchange of this much takes longer than its start, and an eighth is all that does not overlap. */
#define GPU_ROUND_BYTES ((size_t)64 << 20)
#define GPU_ROUNDS 8

/* What a member knows of its own. */
typedef struct wish {
    size_t n, out_n;     /* of the input, and of its part of the result */
    bool overlaps, fits; /* exchanges go on beside merges, and there is memory for that */
} wish;

static size_t divide_up(size_t a, size_t b)
{
    return a / b + (a % b > 0);
}

static size_t arena_bytes(const sk_arena *arena)
{
    size_t bytes = 0;
    for (int i = 0; i < arena->blocks; i++)
        bytes += arena->block[i].size;
    return bytes;
}

/* A sorted copy, the workspace of the fastest sort, and what two rounds receive. */
static bool fits(sk_member *member, size_t copied, size_t out_n, size_t each)
{
    size_t available;
    if (scankit_memory_available(member->context, &available) != SCANKIT_OK)
        return false;
    available += arena_bytes(&member->context->device->workspace);
    return copied + copied / 5 * 8 + 2 * divide_up(out_n, GPU_ROUNDS) <= available / each;
}

static size_t rounds_of(const sk_member *member, const wish *wishes, size_t each)
{
    size_t most = 0, rounds = 1;
    bool all = true;
    for (size_t m = 0; m < member->members; m++) {
        most = wishes[m].out_n * each > most ? wishes[m].out_n * each : most;
        all = all && wishes[m].overlaps && wishes[m].fits;
    }
    /* Two rounds are in memory at a time. */
    if (member->round_bytes > 0)
        rounds = divide_up(most, divide_up(member->round_bytes, 2));
    else if (all)
        rounds = most / GPU_ROUND_BYTES < GPU_ROUNDS ? most / GPU_ROUND_BYTES : GPU_ROUNDS;
    return rounds < 1 ? 1 : rounds > ROUNDS_MOST ? ROUNDS_MOST : rounds;
}

/* Sums that wrap are refused too. */
static bool are_parts(const sk_member *member, const wish *wishes)
{
    size_t n = 0, out_n = 0;
    bool wraps = false;
    for (size_t m = 0; m < member->members; m++)
        wraps |= __builtin_add_overflow(n, wishes[m].n, &n) || __builtin_add_overflow(out_n, wishes[m].out_n, &out_n);
    return !wraps && out_n <= n;
}

scankit_error sk_choose_rounds(sk_member *member, size_t n, size_t copied, size_t out_n, size_t each, size_t *rounds)
{
    bool overlaps = member->members > 1 && member->transport->start != NULL && !scankit_is_host(member->context);
    const wish mine = {n, out_n, overlaps, overlaps && fits(member, copied, out_n, each)};
    wish *wishes = sk_host_array(member->members, sizeof *wishes);
    if (wishes == NULL)
        return SCANKIT_E_MEMORY;
    scankit_error error = sk_gather(member, &mine, wishes, sizeof mine);
    if (error == SCANKIT_OK && !are_parts(member, wishes))
        error = sk_member_refuse(member, "the output's parts are larger than the input");
    if (error == SCANKIT_OK)
        *rounds = rounds_of(member, wishes, each);
    free(wishes);
    return error;
}
