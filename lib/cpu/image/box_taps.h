/* box_taps.h - sums between the ends of a box, of prefixes. */
#ifndef SK_BOX_TAPS_H
#define SK_BOX_TAPS_H

#include "pixels.h"

/* A side of a box as six weights of prefixes: P(k) is the sum of the first k pixels. Weights of P(0), which is 0, may
 * be dropped. */
#define SK_BOX_TAPS 6

typedef struct sk_box_taps {
    size_t at[SK_BOX_TAPS];
    int64_t weight[SK_BOX_TAPS];
    unsigned count;
    uint64_t length;
} sk_box_taps;

static inline void sk_add_tap(sk_box_taps *taps, size_t at, int64_t weight)
{
    if (at == 0 || weight == 0)
        return;
    taps->at[taps->count] = at;
    taps->weight[taps->count++] = weight;
}

static inline void sk_add_end(sk_box_taps *taps, const sk_box_end *end, size_t length, int64_t sign)
{
    sk_add_tap(taps, end->at, sign * end->low);
    sk_add_tap(taps, end->at + 1, sign * end->high);
    sk_add_tap(taps, length, sign * end->all);
}

static inline sk_box_taps sk_box_taps_at(size_t pixel, uint32_t radius, size_t length, scankit_edge edge)
{
    const sk_box_side side = sk_box_side_at(pixel, radius, length, edge);
    sk_box_taps taps;
    taps.count = 0;
    taps.length = side.length;
    sk_add_end(&taps, &side.begin, length, -1);
    sk_add_end(&taps, &side.end, length, 1);
    return taps;
}

#endif
