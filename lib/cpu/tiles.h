/* tiles.h - a single pass over an array by many threads: each takes the next tile, makes of it what it will write, into
 * memory of its own; waits until all tiles before it have been read; passes on the totals up to and including its tile;
 * and writes. No tile writes past the elements that have been read, so an output may be an input. */
#ifndef SK_TILES_H
#define SK_TILES_H

#include "cpu.h"
#include "turn.h"

#define SK_TILE_BYTES ((size_t)256 << 10) /* read and written by a tile, which stay in L2 */

typedef struct sk_tiles {
    size_t n, each; /* elements: of the array, and of a tile: a multiple of 64, if at least 64 */
    bool stream;
    _Alignas(64) atomic_size_t next; /* tile to take */
    sk_turn turn;                    /* tile that may read and write what is passed on */
} sk_tiles;

/* traffic: bytes read and held per element. */
static inline sk_tiles sk_tiles_of(size_t n, size_t traffic)
{
    size_t each = SK_TILE_BYTES / traffic;
    each = each < 1 ? 1 : each < 64 ? each : each & ~(size_t)63;
    return (sk_tiles){.n = n, .each = sk_min(each, n), .stream = n * traffic >= SK_AROUND_CACHES_BYTES};
}

/* Bytes of traffic from which on several threads work in place. They wait for each other: with half of it, two threads
 * of a Xeon take up to twice the time of one. */
#define SK_IN_PLACE_BYTES ((size_t)1 << 20)

static inline int sk_team_of_tiles(const sk_device *device, size_t n, size_t size, size_t traffic, bool in_place)
{
    return in_place && n * traffic < SK_IN_PLACE_BYTES ? 1 : sk_cpu_team_of(device, n, size, traffic);
}

/* The next tile's number and elements; false if no tile is left. */
static inline bool sk_take_tile(sk_tiles *tiles, size_t *tile, sk_range *elements)
{
    *tile = atomic_fetch_add_explicit(&tiles->next, 1, memory_order_relaxed);
    elements->begin = *tile * tiles->each;
    if (elements->begin >= tiles->n)
        return false;
    elements->end = elements->begin + sk_min(tiles->each, tiles->n - elements->begin);
    return true;
}

/* ---- a tile's outputs, until they are written ---- */

static inline size_t sk_staged_bytes(const sk_tiles *tiles, bool wanted, size_t size)
{
    return wanted ? ((tiles->each * size + SK_COMPRESS_SLACK) + 63) & ~(size_t)63 : 0;
}

/* Memory for a tile's elements of that size, from *memory on; NULL where it is not wanted. */
static inline void *sk_stage(const sk_tiles *tiles, bool wanted, size_t size, char **memory)
{
    void *staged = wanted ? *memory : NULL;
    *memory += sk_staged_bytes(tiles, wanted, size);
    return staged;
}

/* What a thread reads after it has written: lines of it come into the first cache meanwhile, some for each byte that is
 * written. Into the second cache they come more slowly than the writes go. */
typedef struct sk_ahead {
    const char *at; /* may be outside of any array, where left is 0 */
    size_t left, rate;
} sk_ahead;

#define SK_AHEAD_RATE ((size_t)64) /* lines for each line written, at most */

/* `bytes` to be read from `in` on, which may be NULL, while `written` are written. */
static inline sk_ahead sk_ahead_of(const void *in, size_t bytes, size_t written)
{
    size_t rate = written > 0 ? (bytes + written - 1) / written : 0;
    return (sk_ahead){.at = in, .left = in != NULL ? bytes : 0, .rate = sk_min(rate, SK_AHEAD_RATE)};
}

static inline void sk_ask_ahead(sk_ahead *ahead, size_t written)
{
    size_t bytes = sk_min(written * ahead->rate, ahead->left);
    for (size_t done = 0; done < bytes; done += 64)
        __builtin_prefetch(ahead->at + done, 0, 3);
    if (bytes > 0)
        ahead->at += bytes;
    ahead->left -= bytes;
}

#define SK_STAGED_BYTES ((size_t)256) /* written between what is asked for ahead */

static inline void sk_stream_staged(const sk_kernels *kernels, char *to, const char *staged, size_t bytes,
                                    sk_ahead *ahead)
{
    for (size_t at = 0, some; at < bytes; at += some) {
        some = sk_min(SK_STAGED_BYTES - ((uintptr_t)(to + at) & 63), bytes - at);
        sk_ask_ahead(ahead, some);
        kernels->compress->stream_part(to + at, staged + at, some);
    }
    kernels->compress->stream_end();
}

/* Fewer bytes go through the caches: a wait for stores around them at each tile, and for its first and last line, costs
 * more than fetching all lines. Two threads of a Zen 4 keep 5, 10 and 19 of 100 u32 at 6.0, 6.3 and 6.4 billion a
 * second around the caches, and at 8.2, 7.8 and 6.8 through them. */
#define SK_FEW_STAGED_BYTES ((size_t)32 << 10)

/* Writes n staged elements to out[place] and what follows. */
static inline void sk_write_staged(const sk_tiles *tiles, const sk_kernels *kernels, void *out, size_t size,
                                   size_t place, const void *staged, size_t n, sk_ahead *ahead)
{
    if (staged == NULL || n == 0)
        return;
    char *to = (char *)out + place * size;
    if (tiles->stream && n * size >= SK_FEW_STAGED_BYTES)
        sk_stream_staged(kernels, to, staged, n * size, ahead);
    else
        memcpy(to, staged, n * size);
}

#endif
