// pairs.cu - the stable sort of pairs by buckets (hybrid-pairs): pairs are counted by their leading bits, split by
// those in one or two stable passes, and each bucket is sorted on chip. Data in order, and data with buckets that do
// not fit on chip, is found before it moves.
#include "sort/pairs/pairs.cuh"

#include <algorithm>

#include "common/copy.cuh"
#include "common/shape.cuh"
#include "device/arena.cuh"
#include "device/launch.cuh"
#include "sort/choose/report.cuh"
#include "sort/pairs/count_pairs.cuh"
#include "sort/pairs/overfull_pairs.cuh"
#include "sort/radix/pass_states.cuh"
#include "sort/radix/split.cuh"

namespace
{

template <class K, class V> struct pair_sort {
    cuda_device *gpu;
    sk_const_columns in;
    sk_columns out, other;
    size_t n;
    leading_bits leading;
    unsigned begin_bit;
    const sk_piece *order; // of the keys; NULL: they are words
    pair_sample sample = {};
    pair_findings *found = nullptr;
    pair_counts counts = {};
    sample_counts sampled = {};
    unsigned *start = nullptr, *overfull = nullptr;
    unsigned long long *digit_begin = nullptr;
    char *pass_states = nullptr; // `states` of them, the first for the early pass

    bool begins_early() const
    {
        return n <= EARLY_PASS_MOST && digits().count() % 2 == 0;
    }
    // States of passes, findings and counts, which are next to one another.
    size_t cleared_bytes() const
    {
        return states() * state_bytes() + sizeof *found + sizeof(K) * RADIX * sizeof *counts.digits +
               (leading.buckets() + sample.counters() + sample.slots) * sizeof(unsigned);
    }
    size_t state_bytes() const
    {
        return aligned_state_bytes(split_state_bytes(gpu, {sizeof(K), sizeof(V)}, n));
    }
    // States of all passes, if they are few bytes, or of the early one.
    unsigned states() const
    {
        unsigned passes = unsigned(digits().count());
        return !begins_early() ? 0 : passes * state_bytes() <= STATES_CLEARED_EARLY ? passes : 1;
    }
    digit_range digits() const
    {
        return {begin_bit, leading.end};
    }
    bool has_whole_keys() const
    {
        return begin_bit == 0 && leading.end == 8 * sizeof(K);
    }
    bool counts_at_once() const
    {
        return sizeof(K) == 4 && n <= ONE_READ_MOST && has_whole_keys();
    }
    pair_places places() const
    {
        return {leading, unsigned(digits().count()), counts_at_once(), pair_tile<K, V>::SIZE};
    }
    // Whole keys have larger bins.
    unsigned bin_most() const
    {
        return has_whole_keys() ? PAIR_BIN : unsigned(OVERFULL_BIN);
    }
};

template <class K, class V> bool take_memory(workspace &scratch, pair_sort<K, V> *sort)
{
    size_t buckets = sort->leading.buckets();
    char *cleared;
    if (!scratch.take(&cleared, sort->cleared_bytes()) || !scratch.take(&sort->start, buckets + 1) ||
        !scratch.take(&sort->overfull, buckets) || !scratch.take(&sort->digit_begin, 2 * RADIX))
        return false;
    static_assert(sizeof(pair_findings) % 8 == 0, "counts of digits are aligned");
    sort->pass_states = cleared;
    sort->found = reinterpret_cast<pair_findings *>(cleared + sort->states() * sort->state_bytes());
    sort->counts.digits = reinterpret_cast<unsigned long long *>(sort->found + 1);
    sort->counts.buckets = reinterpret_cast<unsigned *>(sort->counts.digits + sizeof(K) * RADIX);
    sort->sampled.counters = sort->counts.buckets + buckets;
    sort->sampled.bins = sort->sampled.counters + sort->sample.counters();
    return true;
}

template <class K, class V> const K *keys_of(const pair_sort<K, V> &sort)
{
    return static_cast<const K *>(sort.in.keys);
}

// Queues the first look.
template <class K, class V> scankit_error look(const pair_sort<K, V> &sort)
{
    cuda_device *gpu = sort.gpu;
    size_t steps = (sort.n - 1) / ORDER_STEP + 1, processors = size_t(gpu->processors), blocks = sort.sample.blocks;
    if (sort.has_whole_keys()) // the blocks of a large sample end before the others
        blocks += std::min(steps, blocks <= processors ? 2 * processors - blocks : 2 * processors);
    see_pairs<<<unsigned(blocks), SURVEY_THREADS, 0, gpu->stream>>>(
        keys_of(sort), sort.n, order_of<K>(sort.order), sort.sample, order_stride(steps), sort.found, sort.sampled);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// Queues the look and the count of buckets or digits.
template <class K, class V> scankit_error look_and_count(const pair_sort<K, V> &sort)
{
    cuda_device *gpu = sort.gpu;
    constexpr size_t EACH = COUNT_THREADS * COUNT_VECTORS * 16 / sizeof(K);
    size_t steps = (sort.n - 1) / EACH + 1, processors = size_t(gpu->processors);
    unsigned blocks = unsigned(std::min(steps, processors));
    if constexpr (sizeof(K) == 4)
        if (sort.counts_at_once()) {
            count_at_once<<<blocks, COUNT_THREADS, 0, gpu->stream>>>(keys_of(sort), sort.n, order_of<K>(sort.order),
                                                                     sort.sample, sort.found, sort.counts,
                                                                     sort.sampled.bins);
            CHECK_LAUNCH();
            return SCANKIT_OK;
        }
    size_t room = std::max(counters_room(sort.leading.bits()), sizeof(digit_counters<K, COUNT_THREADS>));
    TRY(look(sort));
    return launch(gpu, count_pairs<K>, blocks, COUNT_THREADS, room, keys_of(sort), sort.n, order_of<K>(sort.order),
                  sort.leading, sort.digits(), sort.found, sort.counts);
}

// Queues the counts of buckets or digits, and turns them into places.
template <class K, class V> scankit_error count(const pair_sort<K, V> &sort)
{
    cuda_device *gpu = sort.gpu;
    unsigned uppers = sort.leading.uppers();
    pair_places places = sort.places();
    CHECK(cudaMemsetAsync(sort.pass_states, 0, sort.cleared_bytes(), gpu->stream));
    TRY(look_and_count(sort));
    if (uppers > 1 && !are_few_uppers(uppers))
        TRY(launch(gpu, place_digits, 2, RADIX, 0, sort.counts.buckets, uppers, sort.found, sort.digit_begin));
    return launch(gpu, place_pair_buckets, places.blocks(), RADIX, 0, sort.counts, places, sort.sample, sort.found,
                  sort.digit_begin, sort.start, cuda_next_word(gpu));
}

template <class K, class V>
scankit_error sort_all(const pair_sort<K, V> &sort, pair_columns<const K, const V> in, pair_columns<K, V> out)
{
    cuda_device *gpu = sort.gpu;
    constexpr int BYTES = sizeof(typename pair_tile<K, V>::shared_memory);
    END_REHEARSAL(gpu);
    unsigned bit = sort.begin_bit, rest = sort.leading.shift - bit, *overfull = &sort.found->overfull;
    number_order<K> order = order_of<K>(sort.order);
    rank_by way;
    TRY(split_way(gpu, &way));
    CHECK(cudaFuncSetAttribute(sort_pair_buckets<K, V>, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
    sort_pair_buckets<<<sort.leading.buckets(), pair_tile<K, V>::THREADS, BYTES, gpu->stream>>>(
        in, out, sort.start, bit, rest, order, overfull, sort.overfull);
    CHECK_LAUNCH();
    return launch(gpu, sort_overfull_pairs<K, V>, unsigned(gpu->processors) * OVERFULL_PAIR_BLOCKS, SORT_THREADS,
                  sizeof(overfull_memory<K, V>), in, out, sort.start, bit, rest, order, way, overfull, sort.overfull);
}

// Splits in one pass to other, or in two to other and out. Then sorts the buckets to out.
template <class K, class V> scankit_error move(const pair_sort<K, V> &sort)
{
    cuda_device *gpu = sort.gpu;
    sk_shape shape = {sizeof(K), sizeof(V)};
    sk_columns at = sort.other;
    digit_range digits = {sort.leading.shift, sort.leading.end};
    bool records = sort.leading.uppers() > 1 && split_has_records(gpu, shape);
    TRY(split_pass(gpu, shape, sort.in, sort.other, sort.n, digits, 0, sort.digit_begin, {false, records, sort.order}));
    if (sort.leading.uppers() > 1) {
        at = sort.out;
        TRY(split_pass(gpu, shape, {sort.other.keys, sort.other.values}, sort.out, sort.n, digits, 1,
                       sort.digit_begin + RADIX, {records, false}));
    }
    return sort_all(sort, {static_cast<const K *>(at.keys), static_cast<const V *>(at.values)},
                    {static_cast<K *>(sort.out.keys), static_cast<V *>(sort.out.values)});
}

template <class K, class V> scankit_error copy_pairs(const pair_sort<K, V> &sort)
{
    TRY(copy_array(sort.gpu, sort.in.keys, sort.out.keys, sort.n * sizeof(K)));
    return copy_array(sort.gpu, sort.in.values, sort.out.values, sort.n * sizeof(V));
}

// Queues the first pass of radix sort, which does nothing unless digits are counted and none is constant. It goes to
// the other arrays, as it does where the number of passes is even.
template <class K, class V> scankit_error begin_radix(const pair_sort<K, V> &sort, counted_digits *counted)
{
    sk_shape shape = {sizeof(K), sizeof(V)};
    counted->as_records = split_has_records(sort.gpu, shape);
    counted->has_begun = true;
    return split_pass(sort.gpu, shape, sort.in, sort.other, sort.n, sort.digits(), 0, sort.counts.digits,
                      {false, counted->as_records, sort.order}, {&sort.found->all_digits, sort.pass_states});
}

template <class K, class V>
scankit_error run(const sort_request &request, pair_sort<K, V> sort, workspace &scratch, counted_digits *counted,
                  bool *done)
{
    cuda_device *gpu = sort.gpu;
    sort.sample = sample_of_pairs(sort.n, sort.leading, sort.begin_bit, sizeof(K), pair_tile<K, V>::SIZE,
                                  sort.bin_most(), size_t(gpu->processors));
    if (!take_memory(scratch, &sort))
        return SCANKIT_E_MEMORY;
    *done = false;
    if (sk_rehearses(&gpu->base)) // the radix sort, which may come instead, is rehearsed by the caller
        return move(sort);
    pair_verdict found;
    rank_by way;
    TRY(split_way(gpu, &way)); // it may fetch, so it comes before a question
    TRY(count(sort));
    if (sort.begins_early())
        TRY(begin_radix(sort, counted));
    TRY(cuda_wait_word(gpu, &found, sizeof found));
    sort_facts facts;
    facts.descends = found.descends;
    facts.by_digits = found.by_digits;
    facts.largest_bucket = found.largest;
    facts.bucket_room = pair_tile<K, V>::SIZE;
    sort_algorithm algorithm = choose_sort(request, facts);
    *done = algorithm != sort_algorithm::RADIX;
    report(gpu, algorithm);
    counted->begin = facts.by_digits ? sort.counts.digits : nullptr;
    counted->constant = found.constant_digits;
    counted->has_begun = counted->has_begun && found.all_digits;
    counted->states = sort.states() > 1 ? sort.pass_states : nullptr;
    if (!*done)
        return SCANKIT_OK;
    return algorithm == sort_algorithm::SORTED ? copy_pairs(sort) : move(sort);
}

} // namespace

scankit_error bucket_sort_pairs(cuda_device *gpu, const sort_request &request, sk_const_columns in, sk_columns out,
                                sk_columns other, unsigned begin_bit, const sk_piece *order, workspace &scratch,
                                counted_digits *counted, bool *done)
{
    unsigned end = begin_bit + request.bits;
    leading_bits leading = {end - pair_bucket_bits(request.n), end};
    return dispatch_wide_shape({request.key_size, request.value_size}, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        if constexpr (HAS_VALUE<V>)
            return run(request, pair_sort<K, V>{gpu, in, out, other, request.n, leading, begin_bit, order}, scratch,
                       counted, done);
        else
            return SCANKIT_E_ARGUMENT;
    });
}
