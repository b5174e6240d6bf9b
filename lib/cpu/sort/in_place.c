/* in_place.c - partition of keys alone within their array, not stable (after IPS4o and IPS2Ra: Axtmann, Witt, Ferizovic
 * and Sanders 2022, "Engineering In-place (Shared-memory) Sorting Algorithms"). Each thread gathers the keys of its
 * part into blocks of one digit, which it writes over keys that it has read. Blocks move to the slots that belong to
 * their digit. Then the first and the last keys of each digit, which fill no slot, go to their places.
 *
 * Other than in the source, blocks are small, as lines of a partition that is not in place, and their digits are kept.
 * So each block's place follows from the counts, and threads do not share pointers to each digit's next slot. */
#include "cpu/cpu.h"

/* Slots are aligned, so the first one may begin before the array. Places of keys count from there too. */
typedef struct in_place {
    const sk_kernels *kernels;
    const sk_partition *partition;
    const sk_digits *digits;
    sk_shape shape;
    const char *in;
    size_t n, buckets;
    size_t shift;   /* keys before the array */
    size_t each;    /* keys of a block */
    sk_range slots; /* that lie within the array */
    bool has_rest;  /* keys after those: blocks.beyond is one more slot */
    sk_blocks blocks;
    size_t *offsets;
    int team;
} in_place;

bool sk_partition_open_in_place(sk_device *device, sk_shape shape, size_t digits, const void *out, size_t n,
                                sk_partition *partition)
{
    size_t slots = n * shape.key_size / SK_LINE + 2, threads = (size_t)sk_cpu_team(device, n * shape.key_size);
    sk_arena *arena = &device->workspace;
    partition->digits = digits;
    partition->counts = sk_arena_take(arena, threads * digits * sizeof(size_t));
    partition->lines = sk_arena_take(arena, threads * digits * SK_LINE_BYTES(shape));
    partition->places = sk_arena_take(arena, slots * sizeof *partition->places);
    partition->spills = sk_arena_take(arena, threads * SK_LINE);
    partition->first_slot = (uintptr_t)out / SK_LINE;
    return partition->counts != NULL && partition->lines != NULL && partition->places != NULL &&
           partition->spills != NULL;
}

static in_place begin(sk_device *device, const sk_partition *partition, sk_shape shape, const sk_digits *digits,
                      const void *in, void *out, size_t n)
{
    in_place p = {.kernels = sk_kernels_of(device), .partition = partition, .digits = digits, .shape = shape};
    size_t before = (uintptr_t)out % SK_LINE;
    p.in = in;
    p.n = n;
    p.buckets = (size_t)digits->last + 1;
    p.shift = before / shape.key_size;
    p.each = SK_LINE / shape.key_size;
    p.slots = (sk_range){before > 0 ? 1 : 0, (p.shift + n) / p.each};
    p.has_rest = (p.shift + n) % p.each > 0;
    p.blocks.slots = (char *)((uintptr_t)out - before);
    p.blocks.last = p.slots.end;
    p.blocks.place = partition->places + ((uintptr_t)out / SK_LINE - partition->first_slot);
    p.team = sk_cpu_team(device, n * shape.key_size);
    return p;
}

/* Does a phase for each thread's part. */
static void by_team(const in_place *p, void (*phase)(const in_place *p, int part))
{
    if (p->team == 1) {
        phase(p, 0);
        return;
    }
#pragma omp parallel for num_threads(p->team) schedule(static, 1)
    for (int part = 0; part < p->team; part++)
        phase(p, part);
}

/* A thread's slots, except the one that is beyond the array. */
static sk_range slots_of(const in_place *p, int part)
{
    sk_range mine = sk_slice(p->slots.end - p->slots.begin, part, p->team);
    return (sk_range){p->slots.begin + mine.begin, p->slots.begin + mine.end};
}

static size_t end_of_slots(const in_place *p, int part)
{
    return slots_of(p, part).end + (part == p->team - 1 && p->has_rest ? 1 : 0);
}

static size_t *counts_of(const in_place *p, int part)
{
    return p->partition->counts + (size_t)part * p->partition->digits;
}

static char *lines_of(const in_place *p, int part)
{
    return p->partition->lines + (size_t)part * p->partition->digits * SK_LINE;
}

/* ---- gather: the keys of each part become blocks at its beginning, and what fills no block remains in lines ---- */

static void gather_keys(const in_place *p, size_t first, size_t last, sk_block_writer *writer)
{
    const sk_partition_kernels *k = &p->kernels->partition[sk_shape_row(p->shape)];
    if (first < last)
        k->gather(p->digits, p->in + (first - p->shift) * p->shape.key_size, last - first, writer);
}

/* The last thread also gathers what lies before the first slot and after the last one: at the end, as there is no slot
 * for a block before as many keys have been read. */
static void gather(const in_place *p, int part)
{
    sk_range mine = slots_of(p, part);
    sk_block_writer writer = {.lines = lines_of(p, part), .counts = counts_of(p, part)};
    writer.next = p->blocks.slots + mine.begin * SK_LINE;
    writer.end = p->blocks.slots + p->blocks.last * SK_LINE;
    writer.beyond = p->blocks.beyond;
    writer.beyond_end = p->blocks.beyond + SK_LINE;
    writer.place = p->blocks.place + mine.begin;
    writer.beyond_place = p->blocks.place + p->blocks.last;
    memset(writer.counts, 0, p->buckets * sizeof *writer.counts);
    gather_keys(p, mine.begin * p->each, mine.end * p->each, &writer);
    if (part == p->team - 1) {
        gather_keys(p, p->shift, p->slots.begin * p->each, &writer);
        gather_keys(p, p->slots.end * p->each, p->shift + p->n, &writer);
    }
    for (uint32_t *end = p->blocks.place + end_of_slots(p, part); writer.place < end; writer.place++)
        *writer.place = SK_PLACE_FREE;
}

/* ---- move: blocks go to the slots of their digits ---- */

/* Keys of a bucket in the lines of a thread, and blocks of it that the thread made. */
static size_t rest_of(const in_place *p, int part, size_t bucket)
{
    return counts_of(p, part)[bucket] % p->each;
}

static size_t blocks_of(const in_place *p, int part, size_t bucket)
{
    return counts_of(p, part)[bucket] / p->each;
}

static void find_offsets(const in_place *p)
{
    size_t sum = 0;
    for (size_t b = 0; b < p->buckets; b++) {
        p->offsets[b] = sum;
        for (int part = 0; part < p->team; part++)
            sum += counts_of(p, part)[b];
    }
    p->offsets[p->buckets] = sum;
}

/* The first slot that begins in the bucket or after it. */
static size_t first_slot(const in_place *p, size_t bucket)
{
    return (p->shift + p->offsets[bucket] + p->each - 1) / p->each;
}

/* From the digits of a part's blocks to their places. */
static void find_places(const in_place *p, int part)
{
    uint32_t next[SK_DIGITS_MAX], *place = p->blocks.place;
    for (size_t b = 0; b < p->buckets; b++) {
        size_t slot = first_slot(p, b);
        for (int before = 0; before < part; before++)
            slot += blocks_of(p, before, b);
        next[b] = (uint32_t)slot;
    }
    for (size_t slot = slots_of(p, part).begin, end = end_of_slots(p, part); slot < end; slot++)
        if (place[slot] != SK_PLACE_FREE)
            place[slot] = next[place[slot]]++;
}

static void move_blocks(const in_place *p, int part)
{
    p->kernels->move_blocks(&p->blocks, slots_of(p, part).begin, end_of_slots(p, part));
}

/* ---- fill: what lies in lines, or in slots that are only partly of its bucket, goes to the gaps ---- */

/* A bucket's keys lie in [begin, end); its blocks in [first, last), and of these, those from end on do not belong
 * there.
 */
typedef struct bucket_place {
    size_t begin, end, first, last;
} bucket_place;

static bucket_place place_of(const in_place *p, size_t bucket)
{
    bucket_place at = {.begin = p->shift + p->offsets[bucket], .end = p->shift + p->offsets[bucket + 1]};
    size_t blocks = 0;
    for (int part = 0; part < p->team; part++)
        blocks += blocks_of(p, part, bucket);
    at.first = blocks > 0 ? first_slot(p, bucket) * p->each : at.end;
    at.last = at.first + blocks * p->each;
    return at;
}

static char *key_at(const in_place *p, size_t place)
{
    return p->blocks.slots + place * p->shape.key_size;
}

/* The same, of a key in the last slot of a bucket, which may be the one beyond the array. */
static char *key_in_slot(const in_place *p, size_t place)
{
    size_t after = p->blocks.last * p->each;
    return p->has_rest && place >= after ? p->blocks.beyond + (place - after) * p->shape.key_size : key_at(p, place);
}

static sk_range buckets_of(const in_place *p, int part)
{
    return sk_slice(p->buckets, part, p->team);
}

/* The last bucket of a part that has blocks; SIZE_MAX: there is none. */
static size_t last_with_blocks(const in_place *p, int part)
{
    sk_range mine = buckets_of(p, part);
    for (size_t b = mine.end; b > mine.begin; b--) {
        bucket_place at = place_of(p, b - 1);
        if (at.last > at.first)
            return b - 1;
    }
    return SIZE_MAX;
}

/* Saves a part's keys that lie where the next part will write. */
static void save_spill(const in_place *p, int part)
{
    size_t bucket = last_with_blocks(p, part);
    if (bucket == SIZE_MAX)
        return;
    bucket_place at = place_of(p, bucket);
    if (at.last > at.end)
        memcpy(p->partition->spills + (size_t)part * SK_LINE, key_in_slot(p, at.end),
               (at.last - at.end) * p->shape.key_size);
}

/* Two gaps, the first one of `room` bytes. */
typedef struct gaps {
    char *at;
    size_t room;
    char *second;
} gaps;

static void pour(gaps *to, const char *from, size_t bytes)
{
    size_t some = sk_min(bytes, to->room);
    memcpy(to->at, from, some);
    to->at += some;
    to->room -= some;
    memcpy(to->second, from + some, bytes - some);
    to->second += bytes - some;
}

static void fill_bucket(const in_place *p, size_t bucket, const char *saved)
{
    const size_t size = p->shape.key_size;
    bucket_place at = place_of(p, bucket);
    gaps to = {key_at(p, at.begin), (at.first - at.begin) * size, key_at(p, at.last)};
    size_t after = p->blocks.last * p->each;
    if (at.last > after && at.end > after && at.last > at.first)
        memcpy(key_at(p, after), p->blocks.beyond, (at.end - after) * size);
    if (at.last > at.end)
        pour(&to, saved != NULL ? saved : key_at(p, at.end), (at.last - at.end) * size);
    for (int part = 0; part < p->team; part++)
        pour(&to, lines_of(p, part) + bucket * SK_LINE, rest_of(p, part, bucket) * size);
}

static void fill(const in_place *p, int part)
{
    sk_range mine = buckets_of(p, part);
    size_t last = last_with_blocks(p, part);
    for (size_t b = mine.begin; b < mine.end; b++)
        if (p->offsets[b + 1] > p->offsets[b])
            fill_bucket(p, b, b == last ? p->partition->spills + (size_t)part * SK_LINE : NULL);
}

void sk_partition_in_place(sk_device *device, const sk_partition *partition, sk_shape shape, const sk_digits *digits,
                           const void *in, void *out, size_t n, size_t *offsets)
{
    _Alignas(64) char beyond[SK_LINE];
    in_place p = begin(device, partition, shape, digits, in, out, n);
    p.blocks.beyond = beyond;
    p.offsets = offsets;
    by_team(&p, gather);
    find_offsets(&p);
    by_team(&p, find_places);
    by_team(&p, move_blocks);
    by_team(&p, save_spill);
    by_team(&p, fill);
}
