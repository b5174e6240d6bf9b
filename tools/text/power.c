/* power.c - see power.h. The powers of five are computed exactly when the first one is asked for, which takes 0.1 ms:
 * upwards by products, and downwards by quotients of a large power of two, for floor(floor(x / 5) / 5) = floor(x / 25).
 */
#include "power.h"

#include <pthread.h>

#define WORDS 18 /* 2^1151: after 342 quotients 356 bits are left, and 5^324 has 753 */

struct powers powers_table;
atomic_bool powers_made;
static pthread_once_t asked = PTHREAD_ONCE_INIT;

/* The highest 128 bits, from the highest one that is set. The lowest word comes first. */
static uint128 top(const uint64_t *words)
{
    int i = WORDS - 1;
    while (words[i] == 0)
        i--;
    int zeros = __builtin_clzll(words[i]);
    uint64_t next = i > 0 ? words[i - 1] : 0, last = i > 1 ? words[i - 2] : 0;
    uint128 both = (uint128)words[i] << 64 | next;
    return zeros == 0 ? both : both << zeros | last >> (64 - zeros);
}

static void multiply(uint64_t *words)
{
    uint64_t carry = 0;
    for (int i = 0; i < WORDS; i++) {
        uint128 product = (uint128)words[i] * 5 + carry;
        words[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
}

static void divide(uint64_t *words)
{
    uint64_t rest = 0;
    for (int i = WORDS - 1; i >= 0; i--) {
        uint128 dividend = (uint128)rest << 64 | words[i];
        words[i] = (uint64_t)(dividend / 5);
        rest = (uint64_t)(dividend % 5);
    }
}

static void compute(void)
{
    uint64_t up[WORDS] = {1}, down[WORDS] = {[WORDS - 1] = (uint64_t)1 << 63};
    for (int q = 0; q <= POWER_MOST; q++) {
        powers_table.down[q - POWER_LEAST] = top(up);
        multiply(up);
    }
    for (int q = -1; q >= POWER_LEAST; q--) {
        divide(down);
        powers_table.down[q - POWER_LEAST] = top(down);
    }
    for (int q = POWER_LEAST; q <= POWER_MOST; q++)
        powers_table.up[q - POWER_LEAST] = powers_table.down[q - POWER_LEAST] + (q < 0 || q > POWER_EXACT);
    atomic_store_explicit(&powers_made, true, memory_order_release);
}

void powers_make(void)
{
    pthread_once(&asked, compute);
}
