/* turn.h - threads that do one thing after another, in a fixed order or in any. */
#ifndef SK_TURN_H
#define SK_TURN_H

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

#define SK_SPINS 2000 /* looks at what is waited for before the processor is offered to others */

/* After that many looks that were in vain. */
static inline void sk_before_next_look(unsigned spins)
{
    if (spins >= SK_SPINS)
        (void)sched_yield();
}

/* Whose turn it is. What one wrote before it passed the turn on, the next may read. */
typedef struct sk_turn {
    _Alignas(64) atomic_size_t now;
} sk_turn;

static inline void sk_wait_for_turn(const sk_turn *turn, size_t mine)
{
    for (unsigned spins = 0; atomic_load_explicit(&turn->now, memory_order_acquire) != mine; spins++)
        sk_before_next_look(spins);
}

static inline void sk_pass_turn(sk_turn *turn, size_t mine)
{
    atomic_store_explicit(&turn->now, mine + 1, memory_order_release);
}

/* In any order, for short work. */
static inline void sk_spin_lock(atomic_flag *busy)
{
    for (unsigned spins = 0; atomic_flag_test_and_set_explicit(busy, memory_order_acquire); spins++)
        sk_before_next_look(spins);
}

static inline void sk_spin_unlock(atomic_flag *busy)
{
    atomic_flag_clear_explicit(busy, memory_order_release);
}

#endif
