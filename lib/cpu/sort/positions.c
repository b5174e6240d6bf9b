/* positions.c - positions in the stable order of short keys: words of a key and its position, made where the positions
 * will lie. No two of them are the same, so they are sorted as keys alone. */
#include "cpu/cpu.h"

#define BLOCK ((size_t)512) /* words made at a time, within the L1 */

/* Up to this many bits a partition of pairs by the whole key is the sort. */
#define FEW_BITS 16

/* Keys of few values, and those that differ in one digit, are left to a partition of pairs too, which stops where a
 * bucket has one value. Two threads of a Zen 4 do 2^20 with 16 values at 246 million a second so, as words at 155.
 * Where a million values have Zipf's frequencies it is 137 and 176. Fewer keys are worth no sample. */
#define SAMPLE 256
#define SAMPLED_KEYS ((size_t)1 << 14)
#define FEW_VALUES (SAMPLE / 4)

typedef struct positions_job {
    const sk_encode_kernels *kernels;
    const sk_word *word;
    size_t stride;
    const char *in;
    unsigned begin_bit;
    uint64_t mask; /* of the bits from there on that count */
    uint64_t *words;
} positions_job;

static uint64_t field_of(const positions_job *job, uint64_t word)
{
    return word >> job->begin_bit & job->mask;
}

static void make_words(const void *state, sk_range mine)
{
    const positions_job *job = state;
    for (size_t begin = mine.begin; begin < mine.end; begin += BLOCK) {
        size_t end = sk_min(begin + BLOCK, mine.end);
        uint64_t *words = job->words;
        job->kernels->encode(job->word, job->stride, job->in + begin * job->stride, sizeof *words,
                             (char *)(words + begin), end - begin);
        for (size_t i = begin; i < end; i++)
            words[i] = field_of(job, words[i]) << 32 | i;
    }
}

static void keep_positions(const void *state, sk_range mine)
{
    const positions_job *job = state;
    for (size_t i = mine.begin; i < mine.end; i++)
        job->words[i] &= UINT32_MAX;
}

/* True if a sample has more than one value, but few, or differs in one digit. */
static bool is_for_pairs(const sk_device *device, const positions_job *job, size_t n)
{
    uint64_t sample[SAMPLE], scratch[SK_LOCAL_ROOM(SAMPLE)], random = n, any = 0, all = UINT64_MAX;
    const sk_columns keys = {sample, NULL};
    const sk_shape shape = {sizeof *sample, 0};
    size_t values = 1;
    for (size_t i = 0, each = n / SAMPLE; i < SAMPLE; i++) {
        random = sk_next_random(random);
        size_t place = i * each + (random >> 32) % each;
        job->kernels->encode(job->word, job->stride, job->in + place * job->stride, sizeof *sample, (char *)&sample[i],
                             1);
        sample[i] = field_of(job, sample[i]);
        any |= sample[i];
        all &= sample[i];
    }
    sk_kernels_of(device)->local[sk_shape_row(shape)](sk_read(keys), (sk_columns){scratch, NULL}, keys, SAMPLE,
                                                      UINT64_MAX);
    for (size_t i = 1; i < SAMPLE; i++)
        values += sample[i] != sample[i - 1];
    return values > 1 && (values <= FEW_VALUES || sk_is_one_digit(any ^ all, n));
}

/* True if the words are the elements, which are numbers. */
static bool are_plain(const positions_job *job, unsigned end_bit)
{
    const sk_piece *piece = &job->word->piece[0];
    return job->word->count == 1 && piece->kind != SK_PIECE_BYTES && piece->size >= 4 && piece->size == job->stride &&
           job->begin_bit == 0 && end_bit == 8u * piece->size;
}

static scankit_error sort_records(sk_device *device, const positions_job *job, uint64_t *positions, size_t n,
                                  bool *done)
{
    const unsigned size = (unsigned)job->stride;
    sk_sort_task task = {.device = device, .shape = {size, size}, .in = {job->in, NULL}, .n = n, .end_bit = 8 * size};
    if (!sk_sorts_records(device, task.shape))
        return SCANKIT_OK;
    size_t mark = sk_arena_mark(&device->workspace);
    task.out.keys = sk_arena_take(&device->workspace, n * size);
    task.piece = &job->word->piece[0];
    task.positions = positions;
    scankit_error error = task.out.keys != NULL ? sk_try_records(&task, done) : SCANKIT_E_MEMORY;
    sk_arena_reset(&device->workspace, mark);
    return error;
}

static scankit_error sort_words(sk_device *device, const positions_job *job, uint64_t *positions, size_t n)
{
    const sk_shape shape = {sizeof *positions, 0};
    const sk_columns words = {positions, NULL};
    if (!sk_rehearses(device))
        sk_cpu_slices(device, n * (job->stride + sizeof *positions), n, make_words, job);
    scankit_error error =
        sk_cpu_sort(device, shape, sk_read(words), words, NULL, n, 0, 8 * shape.key_size, SCANKIT_AUTO);
    if (error == SCANKIT_OK && !sk_rehearses(device))
        sk_cpu_slices(device, 2 * n * sizeof *positions, n, keep_positions, job);
    return error;
}

/* In a rehearsal the caller rehearses a sort of pairs too, which may be better. */
scankit_error sk_cpu_sort_positions(sk_device *device, const sk_word *word, size_t stride, const void *in,
                                    unsigned begin_bit, unsigned end_bit, uint64_t *positions, size_t n, bool *done)
{
    const unsigned key_bits = end_bit - begin_bit;
    const positions_job job = {sk_kernels_of(device)->encode, word,     stride, in, begin_bit,
                               sk_low_mask(key_bits),         positions};
    *done = false;
    if (key_bits <= FEW_BITS || (!sk_rehearses(device) && n >= SAMPLED_KEYS && is_for_pairs(device, &job, n)))
        return SCANKIT_OK;
    scankit_error error = are_plain(&job, end_bit) ? sort_records(device, &job, positions, n, done) : SCANKIT_OK;
    if (error != SCANKIT_OK || *done || key_bits > 32 ||
        !sk_sorts_in_registers(device, (sk_shape){sizeof *positions, 0}, 64))
        return error;
    *done = !sk_rehearses(device);
    return sort_words(device, &job, positions, n);
}
