/* burst.h - elements that are moved together are read in short bursts, with stores between them, and the hardware does
 * not read ahead beyond a page. */
#ifndef SK_BURST_H
#define SK_BURST_H

#include "stream.h"

/* Asks for what lies a page behind these bytes. Two threads of a Zen 3 compact half of 2^24 u32 at 0.63 of a copy
 * without, and at 0.79 with it; 8 and 16 KiB ahead are alike, 6 is slower. A Zen 4 with AVX-512 was slower so. */
static inline void sk_will_read_page(const void *base, size_t bytes)
{
#if defined(__AVX2__) && !defined(__AVX512F__)
    for (size_t at = 0; at < bytes; at += 64)
        sk_will_read(base, 4096 + at);
#else
    (void)base;
    (void)bytes;
#endif
}

#endif
