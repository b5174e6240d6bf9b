/* words.h - words of the leading bits of a key, and below them of where it lies: of 32 bits (narrow) or 64 (wide). */
#ifndef SK_WORDS_H
#define SK_WORDS_H

#include "cpu/kernel/lanes.h"

/* Up to this many keys, words of 32 bits are tried although they leave bits of keys out: of uniform ones, 6% of the
 * words then lead as the one before them. One thread of a Zen 4 sorts 2^13 u32 with u32 at 237 million a second by
 * narrow words and at 200 by wide ones; as many as 2^15, of which 22% lead alike, take twice as long by narrow words.
 */
#define NARROW_KEYS ((size_t)16 << 10)

/* Where more than one narrow word in TIES_MOST leads as the one before it, wide words are made. */
#define TIES_MOST 4

/* How keys become words of `bits` bits: a key's bits of the mask below `end` lead, and the last `width` bits say where
 * it lies. Below `begin`, all keys are the same. */
typedef struct word_form {
    uint64_t mask;
    unsigned bits, begin, end, width;
} word_form;

static inline word_form form_of(uint64_t mask, uint64_t varying, size_t n)
{
    varying |= varying == 0;
    return (word_form){mask, 64, (unsigned)__builtin_ctzll(varying), 64 - (unsigned)__builtin_clzll(varying),
                       64 - (unsigned)__builtin_clzll((n - 1) | 1)};
}

/* True if words of 32 bits have room for all bits that differ, or for enough to tell most keys apart. */
static inline bool is_narrow(const word_form *form, size_t n)
{
    return form->end - form->begin + form->width <= 32 || n <= NARROW_KEYS;
}

/* The lowest bits of a key, as far as some differ, that words have no room for. */
static inline unsigned bits_left(const word_form *form)
{
    unsigned lead = form->bits - form->width;
    return form->end - form->begin > lead ? form->end - lead : 0;
}

static void *aligned_words(void *memory)
{
    return (void *)(((uintptr_t)memory + 63) / 64 * 64);
}

SK_INLINE uint64_t word_at(const void *words, const word_form *form, size_t i)
{
    return form->bits == 32 ? ((const sk_key_32 *)words)[i] : ((const sk_key_64 *)words)[i];
}

SK_INLINE void put_word(void *words, const word_form *form, size_t i, uint64_t word)
{
    if (form->bits == 32)
        ((sk_key_32 *)words)[i] = (uint32_t)word;
    else
        ((sk_key_64 *)words)[i] = word;
}

SK_INLINE size_t place_of_word(const void *words, const word_form *form, size_t i)
{
    return (size_t)(word_at(words, form, i) & sk_low_mask(form->width));
}

/* True if a word and the one before it lead alike. */
SK_INLINE bool are_tied(const void *words, const word_form *form, size_t i)
{
    return (word_at(words, form, i) ^ word_at(words, form, i - 1)) <= sk_low_mask(form->width);
}

static size_t count_ties(const sk_key_32 *word, const word_form *form, size_t n)
{
    const uint32_t place = (uint32_t)sk_low_mask(form->width);
    uint32_t ties = 0;
    for (size_t i = 1; i < n; i++)
        ties += (word[i] ^ word[i - 1]) <= place;
    return ties;
}

/* The first word from i on that leads as the one before it; n: there is none. */
SK_INLINE size_t next_tie(const void *words, const word_form *form, size_t i, size_t n)
{
    enum { STEP = 16 };
    for (unsigned ties = 0; i + STEP <= n; i += STEP) {
        for (size_t j = i; j < i + STEP; j++)
            ties += are_tied(words, form, j);
        if (ties > 0)
            break;
    }
    while (i < n && !are_tied(words, form, i))
        i++;
    return i;
}

static bool begin_alike(const sk_key_32 *word, const word_form *form, void *scratch, size_t n);
static void sort_narrow_words(sk_key_32 *word, void *scratch, size_t n, trust known);
static void sort_wide_words(sk_key_64 *word, size_t n);

#endif
