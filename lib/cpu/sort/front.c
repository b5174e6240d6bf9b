/* front.c - the beginning of a sort's output that is final. */
#include "cpu/cpu.h"

/* One thread reports at a time. Another one does not wait for it: what that one missed, a later bucket reports, or the
 * call at the end. */
void sk_front_done(sk_front *front, const size_t *offsets, size_t bucket)
{
    if (front == NULL)
        return;
    __atomic_store_n(&front->done[bucket], true, __ATOMIC_RELEASE);
    if (__atomic_exchange_n(&front->busy, true, __ATOMIC_ACQUIRE))
        return;
    size_t before = front->buckets;
    while (front->buckets < SK_DIGITS_MAX && __atomic_load_n(&front->done[front->buckets], __ATOMIC_ACQUIRE))
        front->buckets++;
    if (front->buckets > before)
        sk_report(front->progress, offsets[front->buckets]);
    __atomic_store_n(&front->busy, false, __ATOMIC_RELEASE);
}
