/* power.h - powers of ten in 128 bits, for numbers with a decimal point. */
#ifndef POWER_H
#define POWER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 uint128;

#define POWER_LEAST (-342)
#define POWER_MOST 324

/* From 10^0 to this power they are exact. */
#define POWER_EXACT 55

/* 10^q, times a power of two, in 128 bits of which the highest is set: rounded down, and rounded up. */
struct powers {
    uint128 down[POWER_MOST - POWER_LEAST + 1], up[POWER_MOST - POWER_LEAST + 1];
};

/* The table, which is made when it is asked for first. */
extern struct powers powers_table;
extern atomic_bool powers_made;
void powers_make(void);

static inline const struct powers *powers_get(void)
{
    if (!atomic_load_explicit(&powers_made, memory_order_acquire))
        powers_make();
    return &powers_table;
}

/* The exponent of the highest bit of 10^q, and of 2^e in powers of ten, both rounded down. (Giulietti, "The Schubfach
 * way to render doubles", 2020, gives the constants and their ranges, which include all floats.) */
static inline int power_log2(int q)
{
    return (q * 1741647) >> 19;
}

static inline int power_log10(int e, int subtrahend)
{
    return (e * 1262611 - subtrahend) >> 22;
}

#endif
