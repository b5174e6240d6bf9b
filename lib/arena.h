/* arena.h - a context's workspace: a growing stack of device memory, the same for every device.
 *
 *     size_t mark = sk_arena_mark(arena);
 *     void *scratch = sk_arena_take(arena, bytes);     NULL where memory is short
 *     ...
 *     sk_arena_reset(arena, mark);
 *
 * Taking is cheap once the arena has grown: memory is kept from call to call. A GPU may still be reading what a reset
 * gave back; the stream orders that before whatever takes it next.
 *
 * A fixed arena is the caller's memory, which neither grows nor is released. A counting arena has no memory: it hands
 * out addresses that nobody may use, and the most that was taken at a time is the workspace that a call needs. */
#ifndef SK_ARENA_H
#define SK_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SK_ARENA_BLOCKS 48
#define SK_ARENA_ALIGNMENT ((size_t)256)

typedef enum sk_arena_mode { SK_ARENA_GROWS, SK_ARENA_FIXED, SK_ARENA_COUNTS } sk_arena_mode;

typedef struct sk_arena {
    sk_arena_mode mode;
    void *(*allocate)(void *owner, size_t bytes);
    void (*release)(void *owner, void *memory);
    void *owner;
    size_t used;   /* over all blocks, as if they were one */
    size_t most;   /* of a counting arena: the most that was used at a time */
    size_t wanted; /* of a fixed arena: the size that its last take without success needed */
    bool replaced; /* since it was empty, blocks were given back for larger ones */
    int blocks;
    struct {
        char *base;
        size_t begin, size; /* the block serves [begin, begin + size) of `used` */
    } block[SK_ARENA_BLOCKS];
} sk_arena;

/* True while calls only count: they take their workspace and do nothing else. */
static inline bool sk_arena_counts(const sk_arena *arena)
{
    return arena->mode == SK_ARENA_COUNTS;
}

static inline size_t sk_arena_mark(const sk_arena *arena)
{
    return arena->used;
}

/* Gives memory back to the system until everything taken still fits. */
static inline void sk_arena_trim(sk_arena *arena)
{
    if (arena->mode != SK_ARENA_GROWS)
        return;
    while (arena->blocks > 0 && arena->block[arena->blocks - 1].begin >= arena->used)
        arena->release(arena->owner, arena->block[--arena->blocks].base);
}

/* Adds a block after the others. */
static inline void *sk_arena_grow(sk_arena *arena, size_t size)
{
    size_t begin = 0;
    if (arena->blocks > 0)
        begin = arena->block[arena->blocks - 1].begin + arena->block[arena->blocks - 1].size;
    char *base = (char *)arena->allocate(arena->owner, size);
    if (base == NULL)
        return NULL;
    arena->block[arena->blocks].base = base;
    arena->block[arena->blocks].begin = begin;
    arena->block[arena->blocks].size = size;
    arena->blocks++;
    return base;
}

/* A stack that grew in pieces keeps them: the same call finds the same pieces, whose pages were touched. If a call had
 * to give pieces of another call back, the empty stack becomes one piece, which serves both. (If that fails, the next
 * take begins anew.) */
static inline void sk_arena_reset(sk_arena *arena, size_t mark)
{
    arena->used = mark;
    if (mark > 0 || arena->mode != SK_ARENA_GROWS)
        return;
    bool replaced = arena->replaced || arena->blocks > SK_ARENA_BLOCKS / 4;
    arena->replaced = false;
    if (replaced && arena->blocks > 1) {
        size_t size = arena->block[arena->blocks - 1].begin + arena->block[arena->blocks - 1].size;
        sk_arena_trim(arena);
        sk_arena_grow(arena, size);
    }
}

/* An address that is not NULL. */
static inline void *sk_arena_count(sk_arena *arena, size_t need)
{
    arena->used += need;
    if (arena->most < arena->used)
        arena->most = arena->used;
    return (char *)SK_ARENA_ALIGNMENT + (arena->used - need);
}

static inline void *sk_arena_take(sk_arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX / 2 || arena->used > SIZE_MAX / 2)
        return NULL;
    size_t need = (bytes + SK_ARENA_ALIGNMENT - 1) & ~(SK_ARENA_ALIGNMENT - 1);
    if (need == 0)
        need = SK_ARENA_ALIGNMENT;
    if (arena->mode == SK_ARENA_COUNTS)
        return sk_arena_count(arena, need);
    for (int i = 0; i < arena->blocks; i++) {
        size_t from = arena->used > arena->block[i].begin ? arena->used : arena->block[i].begin;
        size_t offset = from - arena->block[i].begin;
        if (offset <= arena->block[i].size && need <= arena->block[i].size - offset) {
            arena->used = from + need;
            return arena->block[i].base + offset;
        }
    }
    if (arena->mode == SK_ARENA_FIXED)
        arena->wanted = arena->used + need;
    if (arena->mode == SK_ARENA_FIXED || arena->blocks == SK_ARENA_BLOCKS)
        return NULL;
    /* Blocks that are too small and hold nothing only stand in the way. */
    int before = arena->blocks;
    sk_arena_trim(arena);
    arena->replaced = arena->replaced || arena->blocks < before;
    void *base = sk_arena_grow(arena, need);
    if (base != NULL)
        arena->used = arena->block[arena->blocks - 1].begin + need;
    return base;
}

/* Makes the next takes, of `bytes` bytes together, come from one block: there are few blocks. Returns false where
 * memory is short. */
static inline bool sk_arena_reserve(sk_arena *arena, size_t bytes)
{
    size_t mark = sk_arena_mark(arena);
    bool reserved = sk_arena_take(arena, bytes) != NULL;
    arena->used = mark;
    return reserved;
}

static inline void sk_arena_close(sk_arena *arena)
{
    arena->used = 0;
    sk_arena_trim(arena);
}

/* From here on, an empty arena is this memory alone; with NULL it grows again. */
static inline void sk_arena_fix(sk_arena *arena, void *memory, size_t bytes)
{
    sk_arena_close(arena);
    arena->mode = memory != NULL ? SK_ARENA_FIXED : SK_ARENA_GROWS;
    arena->blocks = memory != NULL ? 1 : 0;
    arena->replaced = false;
    arena->block[0].base = (char *)memory;
    arena->block[0].begin = 0;
    arena->block[0].size = bytes;
}

#endif
