/* digits.c - digits for a partition by leading bits. A sample says where the keys lie, so that outliers do not spoil
 * the buckets. */
#include "cpu/cpu.h"

#include <math.h>

#define SAMPLE_LOG2 11
#define SAMPLE (1 << SAMPLE_LOG2)

static const sk_range all = {0, SAMPLE}; /* keys of a sample */

/* The fields of a sample, sorted. */
static void take_fields(const sk_sort_task *task, const sk_piece *piece, const void *keys, size_t n, uint64_t *sample)
{
    uint64_t scratch[SK_LOCAL_ROOM(SAMPLE)], words[SAMPLE];
    sk_take_sample(task, piece, keys, n, SAMPLE_LOG2, words);
    for (size_t i = 0; i < SAMPLE; i++)
        sample[i] = sk_word_at(words, task->shape.key_size, i) >> task->begin_bit &
                    sk_low_mask(task->end_bit - task->begin_bit);
    sk_columns from = {sample, NULL};
    sk_local_sort *sort = sk_kernels_of(task->device)->local[sk_shape_row((sk_shape){sizeof *sample, 0})];
    sort(sk_read(from), (sk_columns){scratch, NULL}, from, SAMPLE, UINT64_MAX);
}

/* The range of n numbers of the sample, without a few at either end that would stretch it to four times and more. */
static void trim(const uint64_t *number, size_t n, uint64_t *low, uint64_t *high)
{
    static const size_t parts[] = {256, 64, 16};
    *low = number[0];
    *high = number[n - 1];
    for (size_t t = 0; t < sizeof parts / sizeof *parts; t++) {
        uint64_t trimmed_low = number[n / parts[t]], trimmed_high = number[n - 1 - n / parts[t]];
        if ((*high - *low) / 4 > trimmed_high - trimmed_low) {
            *low = trimmed_low;
            *high = trimmed_high;
        }
    }
}

/* Sets the digit that spreads n numbers of the sample over up to `buckets`; `top` is the greatest there may be. What
 * was trimmed goes to the outer buckets. */
static void spread_digits(const uint64_t *number, size_t n, size_t buckets, uint64_t top, sk_digits *digits)
{
    uint64_t low, high;
    trim(number, n, &low, &high);
    digits->shift = 0;
    if (low == high) {
        /* Nearly all are one value: what is below it, it, and what is above. */
        digits->low = low > 0 ? low - 1 : 0;
        high = low < top ? low + 1 : low;
    } else {
        while ((high >> digits->shift) - (low >> digits->shift) >= buckets)
            digits->shift++;
        digits->low = low >> digits->shift << digits->shift;
        /* One more for what is above these, where there is room. */
        if (((high - digits->low) >> digits->shift) + 1 < buckets && high >> digits->shift < top >> digits->shift)
            high += (uint64_t)1 << digits->shift;
    }
    digits->last = (high - digits->low) >> digits->shift;
}

/* Digits, and the numbers of the sample's keys on their scale. */
typedef struct scaled {
    sk_digits digits;
    uint64_t number[SAMPLE];
} scaled;

static void find_numbers(const uint64_t *sample, unsigned key_size, scaled *to)
{
    const sk_digits digits = to->digits;
    switch (digits.scale) {
    case SK_OF_FIELDS: memcpy(to->number, sample, sizeof to->number); break;
    case SK_OF_LOGARITHMS:
        for (size_t i = 0; i < SAMPLE; i++)
            to->number[i] = sk_logarithm(sample[i], key_size);
        break;
    case SK_OF_FLOATS:
        for (size_t i = 0; i < SAMPLE; i++)
            to->number[i] = sk_float_number(sample[i], key_size, &digits);
        break;
    }
}

static uint64_t digit_of(const scaled *of, size_t i)
{
    const sk_digits *digits = &of->digits;
    const uint64_t above = of->number[i] > digits->low ? of->number[i] - digits->low : 0;
    return sk_min(above >> digits->shift, digits->last);
}

/* How some keys of the sample crowd: those with the digit that most have, and pairs with the same digit. */
typedef struct crowd {
    size_t fullest, pairs;
} crowd;

static crowd crowd_of(const scaled *of, sk_range some)
{
    crowd found = {0, 0};
    uint64_t previous = UINT64_MAX;
    for (size_t i = some.begin, begin = some.begin; i < some.end; i++) {
        const uint64_t digit = digit_of(of, i);
        if (digit != previous)
            begin = i;
        previous = digit;
        found.pairs += i - begin;
        if (i + 1 - begin > found.fullest)
            found.fullest = i + 1 - begin;
    }
    return found;
}

/* Spreads digits over some keys of the sample. top: the greatest number. */
static void spread_scale(const uint64_t *sample, sk_range some, unsigned key_size, size_t buckets, uint64_t top,
                         scaled *to)
{
    find_numbers(sample, key_size, to);
    spread_digits(to->number + some.begin, some.end - some.begin, buckets, top, &to->digits);
}

static double float_of(uint64_t word, unsigned key_size)
{
    return key_size == 8 ? sk_from_key_f64(word) : (double)sk_from_key_f32((uint32_t)word);
}

/* The keys of the sample that are neither infinities nor NaNs, which lie at its ends. */
static sk_range find_finite(const uint64_t *sample, unsigned key_size, uint64_t turn)
{
    sk_range finite = {0, SAMPLE};
    while (finite.begin < SAMPLE && !isfinite(float_of(sample[finite.begin] ^ turn, key_size)))
        finite.begin++;
    while (finite.end > finite.begin && !isfinite(float_of(sample[finite.end - 1] ^ turn, key_size)))
        finite.end--;
    return finite;
}

/* Numbers for the range of nearly all finite floats, and half as many on either side. The range has almost a power of
 * two of them, as digits are shifted numbers. turn: as of the digits. Returns false if the words are no such floats. */
static bool scale_floats(const uint64_t *sample, sk_range finite, unsigned key_size, uint64_t turn, sk_digits *digits)
{
    const size_t few = (finite.end - finite.begin) / 64;
    if (finite.end - finite.begin < SAMPLE / 2)
        return false;
    const double low = float_of(sample[finite.begin + few] ^ turn, key_size);
    const double high = float_of(sample[finite.end - 1 - few] ^ turn, key_size);
    const double least = turn == 0 ? low : high, width = turn == 0 ? high - low : low - high;
    digits->scale = SK_OF_FLOATS;
    digits->turn = turn;
    digits->steps = 0.85 * SK_FLOAT_NUMBERS / 2 / width;
    digits->first = least - SK_FLOAT_NUMBERS / 4 / digits->steps;
    if (key_size == 4)
        return isfinite((float)digits->first) && isfinite((float)digits->steps) && (float)digits->steps > 0;
    return isfinite(digits->first) && isfinite(digits->steps) && digits->steps > 0;
}

/* True if digits that are twice as even pay for the time that floats take. One thread of a Zen 4 sorts 2^26 f64 in
 * [0, 1) at 133 million a second so, and at 124 otherwise, and 2^24 f32 with u32 at 152 and 118; but 2^24 f64 with u32
 * at 78 and 87, and their positions at 96 and 108. */
static bool pays_floats(const sk_sort_task *task)
{
    return task->shape.key_size == 4 || (task->positions == NULL && task->shape.value_size != 4);
}

/* Takes digits even in floats if the fullest one has less than a quarter of the finite keys that the fullest one had,
 * or if they pay and half as many pairs of keys have the same one. turn: as of the digits. */
static void try_floats(const sk_sort_task *task, const uint64_t *sample, size_t buckets, uint64_t turn, scaled *best)
{
    const unsigned key_size = task->shape.key_size;
    const sk_range finite = find_finite(sample, key_size, turn);
    scaled floats = {.digits = best->digits};
    if (!scale_floats(sample, finite, key_size, turn, &floats.digits))
        return;
    spread_scale(sample, finite, key_size, buckets, (uint64_t)SK_FLOAT_NUMBERS, &floats);
    const crowd now = crowd_of(&floats, finite), before = crowd_of(best, finite);
    if (now.fullest < before.fullest / 4 || (pays_floats(task) && now.pairs < before.pairs / 2))
        *best = floats;
}

/* Takes digits even in logarithms if the fullest one has less than half of the keys that the fullest one had. */
static void try_logarithms(const uint64_t *sample, unsigned key_size, size_t buckets, scaled *best)
{
    scaled logarithms = {.digits = best->digits};
    logarithms.digits.scale = SK_OF_LOGARITHMS;
    spread_scale(sample, all, key_size, buckets, sk_logarithm(best->digits.mask, key_size), &logarithms);
    if (crowd_of(&logarithms, all).fullest < crowd_of(best, all).fullest / 2)
        *best = logarithms;
}

/* A fullest digit with this many times the mean is uneven: words of floats, which have few exponents as a rule. */
#define UNEVEN 4

/* Digits of the field, or of a scale in which these are far more even. fullest: keys of the sample with the digit that
 * most have. */
static sk_digits choose_digits(const sk_sort_task *task, const uint64_t *sample, size_t buckets, size_t *fullest)
{
    const unsigned key_size = task->shape.key_size;
    const uint64_t mask = sk_low_mask(task->end_bit - task->begin_bit), whole = sk_low_mask(8 * key_size);
    scaled best = {.digits = {.begin = task->begin_bit, .mask = mask}};
    spread_scale(sample, all, key_size, buckets, mask, &best);
    *fullest = crowd_of(&best, all).fullest;
    if (*fullest >= SAMPLE / 8 && key_size >= 4)
        try_logarithms(sample, key_size, buckets, &best);
    if (*fullest * buckets >= UNEVEN * SAMPLE && key_size >= 4 && mask == whole) {
        try_floats(task, sample, buckets, 0, &best);
        if (best.digits.scale != SK_OF_FLOATS)
            try_floats(task, sample, buckets, whole, &best);
    }
    *fullest = crowd_of(&best, all).fullest;
    return best.digits;
}

bool sk_choose_digits(const sk_sort_task *task, const sk_piece *piece, const void *keys, size_t n, size_t buckets,
                      sk_digits *digits, double *fullest)
{
    uint64_t sample[SAMPLE];
    size_t keys_of_fullest;
    take_fields(task, piece, keys, n, sample);
    if (sample[0] == sample[SAMPLE - 1] && sk_varying_bits(task->device, task->shape, keys, n, sk_task_mask(task)) == 0)
        return false;
    *digits = choose_digits(task, sample, buckets, &keys_of_fullest);
    digits->piece = piece;
    *fullest = (double)keys_of_fullest / SAMPLE;
    return true;
}

size_t sk_bucket_count(const sk_sort_task *task, size_t n, size_t bucket_bytes)
{
    size_t bytes = n * sk_element_size(task->shape), buckets = 16;
    size_t least = 8 * (size_t)sk_cpu_team(task->device, bytes); /* so that threads end at about the same time */
    while (buckets < SK_DIGITS_MAX && (buckets < least || buckets * bucket_bytes < bytes))
        buckets *= 2;
    return buckets;
}
