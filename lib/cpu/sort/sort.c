/* sort.c - the entry of all sorts: looks whether keys are in order (order.c), asks choose.c for an algorithm, runs it.
 */
#include "cpu/cpu.h"

static void reverse_slice(const void *state, sk_range mine)
{
    const sk_sort_task *task = state;
    sk_kernels_of(task->device)->reverse[sk_shape_row(task->shape)](task->in, task->out, task->n, mine);
}

static scankit_error reverse(const sk_sort_task *task)
{
    sk_cpu_slices(task->device, task->n * sk_element_size(task->shape), task->n / 2 + task->n % 2, reverse_slice, task);
    return SCANKIT_OK;
}

static scankit_error copy_sorted(const sk_sort_task *task)
{
    sk_copy_columns(task->device, task->shape, task->in, task->out, task->n);
    return SCANKIT_OK;
}

/* A partition in place is not stable, and numbers blocks by 32 bits. */
static bool can_partition_in_place(const sk_sort_task *task)
{
    return sk_are_whole_keys(task) && task->n / SK_LINE < SK_PLACE_DONE / task->shape.key_size;
}

/* True if a sample of the keys may tell a way that takes equal keys together. */
static bool is_worth_sampling(const sk_sort_task *task, sk_order order, scankit_algorithm wanted)
{
    return wanted == SCANKIT_AUTO && order == SK_ORDER_NONE && task->n >= SK_SAMPLED_KEYS && sk_are_whole_keys(task) &&
           task->shape.key_size >= 4;
}

static bool can_have_heavy(const sk_sort_task *task, sk_order order, scankit_algorithm wanted)
{
    return task->heavy != NULL && is_worth_sampling(task, order, wanted);
}

static bool can_have_runs(const sk_sort_task *task, sk_order order, scankit_algorithm wanted)
{
    return !task->lean && is_worth_sampling(task, order, wanted);
}

/* Pairs of which a look pays for itself: from here on one pass is faster than a sort by words in registers, and than
 * one that counts digits within the L2. */
#define ONE_DIGIT_PAIRS_BY_WORDS ((size_t)1 << 12)
#define ONE_DIGIT_PAIRS ((size_t)1 << 16)

/* Pairs whose keys differ in a few neighbouring bits: one of a Zen 4 sorts 2^21 u32/u32 with 320 values at 312 million
 * a second by one pass, and at 147 by records; 2^12 and 2^16 with 256 values at 560 and 570, and at 430 and 230 by
 * words. Values that are to be encoded are looked at once more as words. Positions of 4-byte keys, and short keys, have
 * ways that are as fast. */
static bool has_one_digit(const sk_sort_task *task, sk_order order, scankit_algorithm wanted)
{
    enum { LOG2_SAMPLE = 6 };
    uint64_t sample[1 << LOG2_SAMPLE], any = 0, all = UINT64_MAX, mask = sk_task_mask(task);
    const unsigned least_size = task->positions != NULL ? 8 : 4;
    const bool by_words = sk_kernels_of(task->device)->records != NULL;
    const size_t least = by_words ? ONE_DIGIT_PAIRS_BY_WORDS : ONE_DIGIT_PAIRS;
    if (wanted != SCANKIT_AUTO || order != SK_ORDER_NONE || task->shape.value_size == 0 ||
        task->shape.key_size < least_size || task->n < least)
        return false;
    if (sk_is_one_digit(mask, task->n))
        return true; /* no more bits count */
    if (task->end_bit - task->begin_bit != 8 * task->shape.key_size || sk_rehearses(task->device))
        return false;
    sk_take_sample(task, task->piece, task->in.keys, task->n, LOG2_SAMPLE, sample);
    for (size_t i = 0; i < (size_t)1 << LOG2_SAMPLE; i++) {
        any |= sk_word_at(sample, task->shape.key_size, i);
        all &= sk_word_at(sample, task->shape.key_size, i);
    }
    if (!sk_is_one_digit((any ^ all) & mask, task->n))
        return false;
    return task->piece != NULL ||
           sk_is_one_digit(sk_varying_bits(task->device, task->shape, task->in.keys, task->n, mask), task->n);
}

static sk_cpu_algorithm choose(const sk_sort_task *task, sk_order order, scankit_algorithm wanted)
{
    sk_sort_facts facts = {.n = task->n, .shape = task->shape, .bits = task->end_bit - task->begin_bit};
    facts.threads = sk_cpu_team(task->device, task->n * sk_element_size(task->shape));
    facts.pivot_threads = sk_cpu_pivot_team(task->device, task->n, task->shape.key_size);
    facts.order = order;
    facts.in_place = task->lean && can_partition_in_place(task);
    facts.in_registers = sk_sorts_in_registers(task->device, task->shape, facts.bits);
    facts.by_pivots = sk_sorts_by_pivots(task->device, task->shape, facts.bits);
    facts.by_records = sk_sorts_records(task->device, task->shape);
    facts.wanted = wanted;
    facts.encodes = task->piece != NULL;
    facts.heavy = can_have_heavy(task, order, wanted) && sk_find_heavy(task);
    facts.one_digit = has_one_digit(task, order, wanted);
    return sk_choose_sort(&facts);
}

static scankit_error sort_heavy(const sk_sort_task *task);

static scankit_error run(const sk_sort_task *task, sk_cpu_algorithm algorithm)
{
    static scankit_error (*const sorts[])(const sk_sort_task *task) = {
        [SK_CPU_SORTED] = copy_sorted,
        [SK_CPU_REVERSED] = reverse,
        [SK_CPU_COUNTING] = sk_sort_counting,
        [SK_CPU_LOCAL] = sk_sort_local,
        [SK_CPU_PIVOTS] = sk_sort_pivots,
        [SK_CPU_HYBRID] = sk_sort_hybrid,
        [SK_CPU_HYBRID_IN_PLACE] = sk_sort_hybrid_in_place,
        [SK_CPU_RECORDS] = sk_sort_records,
        [SK_CPU_RADIX] = sk_sort_radix,
        [SK_CPU_CHUNK_MERGE] = sk_sort_chunk_merge,
        [SK_CPU_HEAVY] = sort_heavy,
    };
    size_t mark = sk_arena_mark(&task->device->workspace);
    sk_cpu_ran(task->device, algorithm);
    scankit_error error = sorts[algorithm](task);
    sk_arena_reset(&task->device->workspace, mark);
    return error;
}

/* Where memory is short, a hybrid sort does with little. Sorts take their memory before they write anything. */
static scankit_error run_or_do_with_less(const sk_sort_task *task, sk_cpu_algorithm algorithm)
{
    scankit_error error = run(task, algorithm);
    if (error == SCANKIT_E_MEMORY && algorithm == SK_CPU_HYBRID && can_partition_in_place(task))
        error = run(task, SK_CPU_HYBRID_IN_PLACE);
    return error;
}

/* ---- rehearsals: the workspace that a sort takes at most, whatever the keys are ---- */

static scankit_error rehearse_some(const sk_sort_task *task, size_t n, scankit_algorithm wanted)
{
    sk_sort_task some = *task;
    some.n = n;
    some.heavy = NULL;
    return run(&some, choose(&some, SK_ORDER_NONE, wanted));
}

/* The task's keys or fewer. */
static scankit_error rehearse_up_to(const sk_sort_task *task)
{
    static const size_t turns[] = SK_SORT_TURNS;
    scankit_error error = rehearse_some(task, task->n, SCANKIT_AUTO);
    for (size_t i = 0; i < sizeof turns / sizeof *turns && error == SCANKIT_OK; i++)
        if (turns[i] <= task->n)
            error = rehearse_some(task, turns[i] - 1, SCANKIT_AUTO);
    return error;
}

/* Sorts what is a part of another sort. Nothing is final before that one ends, so nobody is told of progress. */
static scankit_error sort_within(const sk_sort_task *task)
{
    const sk_progress progress = task->device->progress;
    if (sk_rehearses(task->device))
        return rehearse_up_to(task);
    task->device->progress = (sk_progress){0};
    scankit_error error = run_or_do_with_less(task, choose(task, SK_ORDER_NONE, SCANKIT_AUTO));
    task->device->progress = progress;
    return error;
}

/* ---- keys in runs ---- */

static scankit_error sort_runs(const sk_sort_task *task, bool *done)
{
    const size_t mark = sk_arena_mark(&task->device->workspace);
    scankit_error error = sk_sort_runs(task, sort_within, done);
    sk_arena_reset(&task->device->workspace, mark);
    sk_cpu_ran(task->device, SK_CPU_RUNS);
    return error;
}

/* Sorts keys that are in runs. If they are not, or these are too many, or memory is short, *done is false. */
static scankit_error try_runs(const sk_sort_task *task, sk_order order, scankit_algorithm wanted, bool *done)
{
    *done = false;
    if (!can_have_runs(task, order, wanted) || !sk_has_runs(task))
        return SCANKIT_OK;
    scankit_error error = sort_runs(task, done);
    return *done ? error : SCANKIT_OK;
}

/* ---- rehearsals of whole sorts ---- */

static scankit_error rehearse_runs(const sk_sort_task *task, scankit_algorithm wanted)
{
    bool done;
    return can_have_runs(task, SK_ORDER_NONE, wanted) ? sort_runs(task, &done) : SCANKIT_OK;
}

static scankit_error rehearse(const sk_sort_task *task, scankit_algorithm wanted)
{
    scankit_error error = rehearse_some(task, task->n, wanted);
    if (error == SCANKIT_OK && can_have_heavy(task, SK_ORDER_NONE, wanted))
        error = run(task, SK_CPU_HEAVY);
    return error == SCANKIT_OK ? rehearse_runs(task, wanted) : error;
}

/* ---- values that many keys have ---- */

/* The rest of the output has room for a second array of the others, if these are not more than the heavy keys. */
static scankit_error sort_others(const sk_sort_task *task, size_t others)
{
    sk_sort_task rest = *task;
    rest.in = sk_read(task->out);
    rest.n = others;
    rest.heavy = NULL;
    rest.piece = NULL;
    if (!sk_rehearses(task->device) && others <= task->n - others) {
        rest.lean = false;
        rest.spare = sk_at(task->shape, task->out, others);
        task->heavy->filled = sk_min(task->n, task->heavy->filled + others);
    }
    return sort_within(&rest);
}

/* Without memory for the others, these and the heavy keys stay in some order. */
static scankit_error sort_heavy(const sk_sort_task *task)
{
    size_t others;
    scankit_error error = sk_sift_heavy(task, &others);
    if (error != SCANKIT_OK)
        return error;
    if (others > 1)
        error = sort_others(task, others);
    if (!sk_rehearses(task->device))
        sk_spread_heavy(task, others, error == SCANKIT_OK);
    sk_cpu_ran(task->device, SK_CPU_HEAVY);
    return error;
}

static sk_sort_task task_of(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, void *spare,
                            size_t n)
{
    sk_sort_task task = {.device = device, .shape = shape, .in = in, .out = out, .n = n};
    task.lean = spare != NULL && spare == out.keys;
    task.spare.keys = task.lean ? NULL : spare;
    return task;
}

scankit_error sk_rehearse_sorts(sk_device *device, sk_shape shape, sk_columns out, size_t n)
{
    sk_heavy heavy;
    sk_sort_task task = task_of(device, shape, sk_read(out), out, NULL, n);
    task.end_bit = 8 * shape.key_size;
    task.heavy = &heavy;
    scankit_error error = rehearse_up_to(&task);
    return error == SCANKIT_OK ? rehearse(&task, SCANKIT_AUTO) : error;
}

scankit_error sk_cpu_sort(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, void *spare, size_t n,
                          unsigned begin_bit, unsigned end_bit, scankit_algorithm algorithm)
{
    sk_heavy heavy;
    sk_sort_task task = task_of(device, shape, in, out, spare, n);
    task.begin_bit = begin_bit;
    task.end_bit = end_bit;
    task.heavy = &heavy;
    if (sk_rehearses(device))
        return rehearse(&task, algorithm);
    sk_count_for_bins(device, shape.value_size == 0 ? shape.key_size : 4, n);
    sk_order order = algorithm == SCANKIT_AUTO ? sk_find_order(&task) : SK_ORDER_NONE;
    bool done;
    scankit_error error = try_runs(&task, order, algorithm, &done);
    return done ? error : run_or_do_with_less(&task, choose(&task, order, algorithm));
}

/* True if values are their own keys. */
static bool is_word(const sk_piece *piece)
{
    return piece->kind == SK_PIECE_UNSIGNED && !piece->swap && !piece->descending;
}

static scankit_error run_in_order(const sk_sort_task *task, sk_order order)
{
    return run(task, order == SK_ORDER_RISING ? SK_CPU_SORTED : SK_CPU_REVERSED);
}

static bool takes_values(sk_cpu_algorithm sort)
{
    return sort == SK_CPU_LOCAL || sort == SK_CPU_PIVOTS || sort == SK_CPU_HYBRID || sort == SK_CPU_HYBRID_IN_PLACE ||
           sort == SK_CPU_HEAVY;
}

static scankit_error rehearse_values(const sk_sort_task *task)
{
    sk_sort_task plain = *task;
    plain.heavy = NULL;
    sk_cpu_algorithm best = choose(&plain, SK_ORDER_NONE, SCANKIT_AUTO);
    scankit_error error = takes_values(best) ? run(&plain, best) : SCANKIT_OK;
    if (error == SCANKIT_OK && can_have_heavy(task, SK_ORDER_NONE, SCANKIT_AUTO))
        error = run(task, SK_CPU_HEAVY);
    return error == SCANKIT_OK ? rehearse_runs(task, SCANKIT_AUTO) : error;
}

/* Sorts values of more than a few keys, unless it is better to encode them all first: then *done is false. */
static scankit_error sort_many(const sk_sort_task *task, bool *done)
{
    if (sk_rehearses(task->device)) /* what does not take values goes the other way, which the caller rehearses */
        return rehearse_values(task);
    const sk_order order = sk_find_order(task);
    if (order != SK_ORDER_NONE) {
        *done = true;
        return run_in_order(task, order);
    }
    scankit_error error = try_runs(task, order, SCANKIT_AUTO, done);
    if (*done)
        return error;
    sk_cpu_algorithm best = choose(task, order, SCANKIT_AUTO);
    *done = takes_values(best);
    return *done ? run_or_do_with_less(task, best) : SCANKIT_OK;
}

static bool sorts_values(const sk_device *device, const sk_piece *piece, scankit_algorithm algorithm)
{
    return algorithm == SCANKIT_AUTO && piece->kind != SK_PIECE_BYTES &&
           sk_sorts_in_registers(device, (sk_shape){piece->size, 0}, 8u * piece->size);
}

/* Words that are not the output: nobody is told of progress. */
static scankit_error sort_words(const sk_sort_task *task)
{
    sk_device *device = task->device;
    const sk_progress progress = device->progress;
    device->progress = (sk_progress){0};
    scankit_error error =
        sk_cpu_sort(device, task->shape, task->in, task->out, NULL, task->n, 0, task->end_bit, SCANKIT_AUTO);
    device->progress = progress;
    return error;
}

/* Values that are worth a partition are encoded on its way, and decoded by bucket. Those in order stay as they are.
 * Others are encoded, sorted and decoded one after the other. Not a part of the next function, whose callers wait
 * for it. */
static __attribute__((noinline)) scankit_error sort_many_values(sk_device *device, const sk_piece *piece,
                                                                const void *in, void *out, void *spare, size_t n,
                                                                scankit_algorithm algorithm, bool *done)
{
    *done = algorithm == SCANKIT_AUTO && n < sk_keys_as_words(device, piece->size);
    if (*done)
        return sk_sort_as_words(device, piece, in, out, n, sort_words);
    if (is_word(piece) || !sorts_values(device, piece, algorithm))
        return SCANKIT_OK;
    sk_heavy heavy;
    sk_sort_task task =
        task_of(device, (sk_shape){piece->size, 0}, (sk_const_columns){in, NULL}, (sk_columns){out, NULL}, spare, n);
    task.end_bit = 8 * piece->size;
    task.piece = piece;
    task.heavy = &heavy;
    return sort_many(&task, done);
}

/* For few keys, looking for an order and choosing an algorithm would take as long as the sort. */
scankit_error sk_cpu_sort_values(sk_device *device, const sk_piece *piece, const void *in, void *out, void *spare,
                                 size_t n, scankit_algorithm algorithm, bool *done)
{
    uint64_t scratch[SK_LOCAL_ROOM(SK_FEW_KEYS)];
    sk_count_for_bins(device, piece->size, n);
    if (n > SK_FEW_KEYS || !sorts_values(device, piece, algorithm))
        return sort_many_values(device, piece, in, out, spare, n, algorithm, done);
    *done = true;
    sk_cpu_ran(device, SK_CPU_LOCAL);
    if (!sk_rehearses(device))
        sk_kernels_of(device)->local_values[__builtin_ctz(piece->size)](piece, piece, in, out, scratch, n);
    return SCANKIT_OK;
}

scankit_error sk_try_records(const sk_sort_task *task, bool *done)
{
    sk_cpu_algorithm best = choose(task, SK_ORDER_NONE, SCANKIT_AUTO);
    *done = false;
    if (best != SK_CPU_RECORDS)
        return SCANKIT_OK;
    if (sk_rehearses(task->device)) /* as in rehearse_values() */
        return run(task, best);
    const sk_order order = sk_find_order(task);
    *done = order == SK_ORDER_NONE || task->positions == NULL;
    if (!*done)
        return SCANKIT_OK;
    return order == SK_ORDER_NONE ? run(task, best) : run_in_order(task, order);
}

/* Keys that are worth a partition to records are encoded on its way, and decoded by bucket. */
scankit_error sk_cpu_sort_pairs(sk_device *device, const sk_piece *piece, unsigned value_size, sk_const_columns in,
                                sk_columns out, size_t n, scankit_algorithm algorithm, bool *done)
{
    sk_sort_task task = task_of(device, (sk_shape){piece->size, value_size}, in, out, NULL, n);
    task.end_bit = 8u * piece->size;
    task.piece = piece;
    *done = false;
    sk_count_for_bins(device, 4, n);
    const bool may_try = algorithm == SCANKIT_AUTO && piece->kind != SK_PIECE_BYTES && piece->size >= 4;
    return may_try ? sk_try_records(&task, done) : SCANKIT_OK;
}
