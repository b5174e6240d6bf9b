/* rounds.c - see rounds.h. */
#include "rounds.h"

#include <stdlib.h>

#define ROUNDS_MOST 4096
/* Of GPUs: an exchange of this much takes longer than its start, and an eighth is all that does not overlap. */
#define GPU_ROUND_BYTES ((size_t)64 << 20)
#define GPU_ROUNDS 8

/* What all members learn of one. */
typedef struct wish {
    size_t n, out_n, bytes; /* bytes: of its part of the result */
    bool overlaps, roomy;   /* exchanges go on beside merges */
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

static bool is_roomy(sk_member *member, const sk_room *room, bool overlaps)
{
    size_t available, received = overlaps ? 2 * divide_up(room->out_n, GPU_ROUNDS) : room->out_n;
    if (member->members == 1 || scankit_is_host(member->context) ||
        scankit_memory_available(member->context, &available) != SCANKIT_OK)
        return false;
    available += arena_bytes(&member->context->device->workspace);
    return room->copied <= available / (room->each + room->sort_each) &&
           received <= (available - room->copied * (room->each + room->sort_each)) / room->each;
}

static sk_rounds rounds_of(const sk_member *member, const wish *wishes)
{
    size_t most = 0, count = 1;
    bool overlaps = true, roomy = true;
    for (size_t m = 0; m < member->members; m++) {
        most = wishes[m].bytes > most ? wishes[m].bytes : most;
        overlaps = overlaps && wishes[m].overlaps;
        roomy = roomy && wishes[m].roomy;
    }
    /* Two rounds are in memory at a time. */
    if (member->round_bytes > 0)
        count = divide_up(most, divide_up(member->round_bytes, 2));
    else if (overlaps && roomy)
        count = most / GPU_ROUND_BYTES < GPU_ROUNDS ? most / GPU_ROUND_BYTES : GPU_ROUNDS;
    return (sk_rounds){count < 1 ? 1 : count > ROUNDS_MOST ? ROUNDS_MOST : count, roomy};
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

scankit_error sk_choose_rounds(sk_member *member, const sk_room *room, sk_rounds *rounds)
{
    bool overlaps = member->members > 1 && member->transport->start != NULL && !scankit_is_host(member->context);
    const wish mine = {room->n, room->out_n, room->out_n * room->each, overlaps, is_roomy(member, room, overlaps)};
    wish *wishes = sk_host_array(member->members, sizeof *wishes);
    if (wishes == NULL)
        return SCANKIT_E_MEMORY;
    scankit_error error = sk_gather(member, &mine, wishes, sizeof mine);
    if (error == SCANKIT_OK && !are_parts(member, wishes))
        error = sk_member_refuse(member, "the output's parts are larger than the input");
    if (error == SCANKIT_OK)
        *rounds = rounds_of(member, wishes);
    free(wishes);
    return error;
}
