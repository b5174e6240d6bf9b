/* case-words.c - a sort of keys whose order is known beforehand. */
#include <stdlib.h>

#include "cases.h"
#include "oracle.h"
#include "tap.h"

unsigned bits_of_words(scankit_type type)
{
    const bool is_float = type == SCANKIT_F32 || type == SCANKIT_F64;
    return (unsigned)(8 * scankit_type_size(type)) - (is_float ? 2 : 0);
}

static int compare_words(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void sort_words(uint64_t *words, size_t n)
{
    qsort(words, n, sizeof *words, compare_words);
}

static void shuffle(uint64_t *words, size_t n, random_state *random)
{
    for (size_t i = n; i > 1; i--) {
        size_t other = random_below(random, i);
        uint64_t moved = words[i - 1];
        words[i - 1] = words[other];
        words[other] = moved;
    }
}

/* Words stay within their part of `window` words. */
static void shuffle_near(uint64_t *words, size_t n, size_t window, random_state *random)
{
    for (size_t at = 0; at < n; at += window)
        shuffle(words + at, n - at < window ? n - at : window, random);
}

/* Words of positive numbers: they have the order of the floats with the same bits. */
static void narrow(void *to, const uint64_t *words, size_t n, size_t size)
{
    for (size_t i = 0; i < n; i++)
        if (size == 4)
            ((uint32_t *)to)[i] = (uint32_t)words[i];
        else
            ((uint64_t *)to)[i] = words[i];
}

void check_words(device *d, scankit_type type, uint64_t *words, size_t n, random_state *random, bool in_place)
{
    check_near_words(d, type, words, n, n, random, in_place);
}

void check_near_words(device *d, scankit_type type, uint64_t *words, size_t n, size_t window, random_state *random,
                      bool in_place)
{
    size_t size = scankit_type_size(type);
    void *keys = data_allocate(n, size), *sorted = data_allocate(n, size);
    narrow(sorted, words, n, size);
    shuffle_near(words, n, window, random);
    narrow(keys, words, n, size);
    const void *in = device_put(d, KEYS_IN, keys, n * size, 0);
    void *out = in_place ? d->area[KEYS_IN].data : device_put(d, KEYS_OUT, NULL, n * size, 0);
    if (DEVICE_DID(d, scankit_sort(d->context, type, in, out, n, NULL)))
        device_expect(d, in_place ? KEYS_IN : KEYS_OUT, sorted, n, size, "keys");
    free(keys), free(sorted);
}
