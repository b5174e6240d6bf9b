/* nearly-sorted.c - keys that are a few places away from where they belong. Their neighbours are in the same bin, so a
 * sort by bins that counts them one by one counts the same bin again and again. */
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/tap.h"

/* In ascending order: spread evenly over the range, or ever further apart from its middle on. */
static void fill_rising(uint64_t *words, size_t n, unsigned width, bool even, random_state *random)
{
    const uint64_t range = UINT64_MAX >> (64 - width), step = range / n;
    for (size_t i = 0; i < n; i++) {
        const uint64_t word = step * i + random_below(random, step);
        words[i] = even ? word : range / 2 + (uint64_t)((double)word * ((double)i / (double)n) / 4);
    }
}

static void check_nearly_sorted(device *d, scankit_type type, size_t n, size_t window, bool even)
{
    random_state random = random_seeded(n + window);
    if (!device_case_is_due())
        return;
    tap_case("%s n %zu within %zu places%s", scankit_type_name(type), n, window, even ? "" : ", uneven");
    uint64_t *words = data_allocate(n, sizeof *words);
    fill_rising(words, n, bits_of_words(type), even, &random);
    check_near_words(d, type, words, n, window, &random, window % 3 == 0);
    free(words);
}

static void test(device *d)
{
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_F32, SCANKIT_U64, SCANKIT_F64};
    static const size_t windows[] = {8, 60, 1000, 15000, 300000};
    const bool is_gpu = strncmp(d->name, "cuda", 4) == 0;
    const size_t n = is_gpu ? 5 << 20 : 1 << 18; /* a GPU sorts fewer in tiles that are too small for this */
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        tap_begin("%s: %s: nearly sorted", d->name, scankit_type_name(types[t]));
        for (size_t w = 0; w < sizeof windows / sizeof *windows; w++)
            for (int even = 0; even < 2; even++)
                check_nearly_sorted(d, types[t], n + w, windows[w], even);
        tap_end();
    }
    if (!is_gpu)
        return;
    tap_begin("%s: nearly sorted keys of 4 bytes, enough of them for a map of the distribution", d->name);
    for (size_t t = 0; t < 2; t++)
        for (size_t w = 0; w < sizeof windows / sizeof *windows; w += 2)
            check_nearly_sorted(d, types[t], ((size_t)1 << 24) + 12345 + w, windows[w], false);
    tap_end();
}

int main(void)
{
    return device_each("sort of nearly sorted keys", test);
}
