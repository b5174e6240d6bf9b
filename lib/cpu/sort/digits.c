/* digits.c - digits for a partition by leading bits. A sample says where the keys lie, so that outliers do not spoil
 * the buckets. */
#include "cpu/cpu.h"

#include <math.h>

#define SAMPLE_LOG2 11
#define SAMPLE (1 << SAMPLE_LOG2)

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

/* The range of the sample, without a few keys at either end that would stretch it to four times and more. */
static void trim(const uint64_t *sample, uint64_t *low, uint64_t *high)
{
    static const size_t trims[] = {SAMPLE / 256, SAMPLE / 64, SAMPLE / 16};
    *low = sample[0];
    *high = sample[SAMPLE - 1];
    for (size_t t = 0; t < sizeof trims / sizeof *trims; t++) {
        uint64_t trimmed_low = sample[trims[t]], trimmed_high = sample[SAMPLE - 1 - trims[t]];
        if ((*high - *low) / 4 > trimmed_high - trimmed_low) {
            *low = trimmed_low;
            *high = trimmed_high;
        }
    }
}

/* Sets the digit that spreads the sample over up to `buckets`; `top` is the greatest there may be. What was trimmed
 * goes to the outer buckets. */
static void spread_digits(const uint64_t *sample, size_t buckets, uint64_t top, sk_digits *digits)
{
    uint64_t low, high;
    trim(sample, &low, &high);
    digits->shift = 0;
    if (low == high) {
        /* Nearly all are one value: what is below it, it, and what is above. */
        digits->low = low > 0 ? low - 1 : 0;
        high = low < top ? low + 1 : low;
    } else {
        while ((high >> digits->shift) - (low >> digits->shift) >= buckets)
            digits->shift++;
        digits->low = low >> digits->shift << digits->shift;
        /* One more for what is above the sample, where there is room. */
        if (((high - digits->low) >> digits->shift) + 1 < buckets && high >> digits->shift < top >> digits->shift)
            high += (uint64_t)1 << digits->shift;
    }
    digits->last = (high - digits->low) >> digits->shift;
}

/* How many keys of the sample have the digit that most have. */
static size_t fullest_bucket(const uint64_t *sample, const sk_digits *digits)
{
    size_t fullest = 0, begin = 0;
    uint64_t previous = 0;
    for (size_t i = 0; i < SAMPLE; i++) {
        uint64_t above = sample[i] > digits->low ? sample[i] - digits->low : 0;
        uint64_t digit = sk_min(above >> digits->shift, digits->last);
        if (digit != previous)
            begin = i;
        previous = digit;
        if (i + 1 - begin > fullest)
            fullest = i + 1 - begin;
    }
    return fullest;
}

/* The digits of another scale, if these are so much more even that the fullest one has less than a part of the keys
 * that the fullest one had. */
static void try_scale(const uint64_t *sample, unsigned key_size, size_t buckets, sk_digits scale, size_t part,
                      sk_digits *digits, size_t *fullest)
{
    const bool of_floats = scale.scale == SK_OF_FLOATS;
    const uint64_t top = of_floats ? (uint64_t)SK_FLOAT_NUMBERS : sk_logarithm(scale.mask, key_size);
    uint64_t number[SAMPLE];
    for (size_t i = 0; i < SAMPLE; i++)
        number[i] = of_floats ? sk_float_number(sample[i], key_size, &scale) : sk_logarithm(sample[i], key_size);
    spread_digits(number, buckets, top, &scale);
    const size_t found = fullest_bucket(number, &scale);
    if (found < *fullest / part) {
        *fullest = found;
        *digits = scale;
    }
}

static double float_of(uint64_t word, unsigned key_size)
{
    return key_size == 8 ? sk_from_key_f64(word) : (double)sk_from_key_f32((uint32_t)word);
}

/* Numbers for the range of nearly all floats, and half as many on either side. The range has almost a power of two of
 * them, as digits are shifted numbers. turn: as of the digits. Returns false if the words are no such floats. */
static bool scale_floats(const uint64_t *sample, unsigned key_size, uint64_t turn, sk_digits *digits)
{
    const uint64_t low = sample[SAMPLE / 64], high = sample[SAMPLE - 1 - SAMPLE / 64];
    const double least = float_of((turn == 0 ? low : high) ^ turn, key_size);
    const double width = float_of((turn == 0 ? high : low) ^ turn, key_size) - least;
    digits->scale = SK_OF_FLOATS;
    digits->turn = turn;
    digits->steps = 0.85 * SK_FLOAT_NUMBERS / 2 / width;
    digits->first = least - SK_FLOAT_NUMBERS / 4 / digits->steps;
    if (key_size == 4)
        return isfinite((float)digits->first) && isfinite((float)digits->steps) && (float)digits->steps > 0;
    return isfinite(digits->first) && isfinite(digits->steps) && digits->steps > 0;
}

/* A fullest digit with this many times the mean is uneven, and a scale of floats pays if it has a quarter of that:
 * words of floats, which have few exponents as a rule. */
#define UNEVEN 4

/* Digits of the field, or of a scale in which these are far more even. */
static sk_digits choose_digits(const sk_sort_task *task, const uint64_t *sample, size_t buckets, size_t *fullest)
{
    const unsigned key_size = task->shape.key_size;
    const uint64_t all = sk_low_mask(8 * key_size);
    const sk_digits fields = {.begin = task->begin_bit, .mask = sk_low_mask(task->end_bit - task->begin_bit)};
    sk_digits digits = fields, scale = fields;
    spread_digits(sample, buckets, fields.mask, &digits);
    *fullest = fullest_bucket(sample, &digits);
    scale.scale = SK_OF_LOGARITHMS;
    if (*fullest >= SAMPLE / 8 && key_size >= 4)
        try_scale(sample, key_size, buckets, scale, 2, &digits, fullest);
    if (*fullest * buckets < UNEVEN * SAMPLE || key_size < 4 || fields.mask != all)
        return digits;
    if (scale_floats(sample, key_size, 0, &scale))
        try_scale(sample, key_size, buckets, scale, 4, &digits, fullest);
    if (scale_floats(sample, key_size, all, &scale))
        try_scale(sample, key_size, buckets, scale, 4, &digits, fullest);
    return digits;
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
