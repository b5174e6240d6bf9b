/* bound.c - see bound.h. The bound is the least of the last items in memory, for no sequence can still have a lesser
 * one. Of equal items, the first sequence's come first. */
#include "bound.h"

static const char *last_item(const struct items *items, const struct sequence_head *head)
{
    return head->items + (head->n - 1) * items->size;
}

/* The sequence whose last item is the least, of those that have not ended; k if all have. */
static size_t find_bound(const struct items *items, const struct sequence_head *heads, size_t k)
{
    size_t least = k;
    for (size_t i = 0; i < k; i++)
        if (!heads[i].ended &&
            (least == k || items_compare(items, last_item(items, &heads[i]), last_item(items, &heads[least])) < 0))
            least = i;
    return least;
}

/* Items that do not order behind the bound. `first`: nor do those that equal it. */
static size_t count_before(const struct items *items, const struct sequence_head *head, const char *bound, bool first)
{
    size_t low = 0, high = head->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = items_compare(items, head->items + middle * items->size, bound);
        if (order < 0 || (order == 0 && first))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void count_in_bound(const struct items *items, const struct sequence_head *heads, size_t k, size_t *counts)
{
    size_t least = find_bound(items, heads, k);
    for (size_t i = 0; i < k; i++)
        counts[i] = i == least || least == k
                        ? heads[i].n
                        : count_before(items, &heads[i], last_item(items, &heads[least]), i < least);
}
