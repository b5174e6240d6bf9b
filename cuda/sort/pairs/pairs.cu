// pairs.cu - the stable sort of pairs by buckets (hybrid-pairs): pairs are counted by their leading bits, split by
// those in one or two stable passes, and each bucket is sorted on chip. Data in order, and data with buckets that do
// not fit on chip, is found before it moves.
#include "sort/pairs/pairs.cuh"

#include "common/copy.cuh"
#include "common/shape.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "sort/choose/report.cuh"
#include "sort/pairs/pair_buckets.cuh"
#include "sort/radix/split.cuh"
#include "sort/survey/see_order.cuh"

namespace
{

// Bits [shift, end) of a key are the number of its bucket: one digit or two, the lower one with RADIX_BITS.
struct leading_bits {
    unsigned shift, end;
    unsigned bits() const
    {
        return end - shift;
    }
    unsigned buckets() const
    {
        return 1u << bits();
    }
    unsigned uppers() const
    {
        return buckets() / RADIX;
    }
};

// Findings, cleared together with the buckets' counts, which follow.
struct pair_findings {
    key_survey survey;
    unsigned largest, overfull;
};

template <class K, class V> struct pair_sort {
    cuda_device *gpu;
    sk_const_columns in;
    sk_columns out, other;
    size_t n;
    leading_bits leading;
    unsigned begin_bit;
    pair_findings *found = nullptr;
    unsigned *counts = nullptr, *start = nullptr, *overfull = nullptr;
    unsigned long long *digit_begin = nullptr;
};

template <class K, class V> bool take_memory(workspace &scratch, pair_sort<K, V> *sort)
{
    size_t buckets = sort->leading.buckets();
    char *cleared;
    if (!scratch.take(&cleared, sizeof(pair_findings) + buckets * sizeof(unsigned)) ||
        !scratch.take(&sort->start, buckets + 1) || !scratch.take(&sort->overfull, buckets) ||
        !scratch.take(&sort->digit_begin, 2 * RADIX))
        return false;
    sort->found = reinterpret_cast<pair_findings *>(cleared);
    sort->counts = reinterpret_cast<unsigned *>(cleared + sizeof(pair_findings));
    return true;
}

template <class K, class V> bool all_bits_count(const pair_sort<K, V> &sort)
{
    return sort.begin_bit == 0 && sort.leading.end == 8 * sizeof(K);
}

template <class K, class V> scankit_error count(const pair_sort<K, V> &sort)
{
    cuda_device *gpu = sort.gpu;
    constexpr size_t EACH = COUNT_THREADS * COUNT_VECTORS * 16 / sizeof(K);
    const leading_bits &leading = sort.leading;
    const K *keys = static_cast<const K *>(sort.in.keys);
    size_t steps = (sort.n - 1) / EACH + 1, processors = size_t(gpu->processors),
           room = sizeof(uint16_t) << leading.bits();
    unsigned blocks = unsigned(steps < processors ? steps : processors);
    CHECK(cudaMemsetAsync(sort.found, 0, sizeof(pair_findings) + leading.buckets() * sizeof(unsigned), gpu->stream));
    if (all_bits_count(sort))
        see_order<<<2 * blocks, SURVEY_THREADS, 0, gpu->stream>>>(keys, sort.n, integer_order<K>{0},
                                                                  &sort.found->survey, value_table<K>{});
    CHECK_LAUNCH();
    CHECK(cudaFuncSetAttribute(count_leading<K>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(room)));
    count_leading<<<blocks, COUNT_THREADS, room, gpu->stream>>>(keys, sort.n, unsigned(8 * sizeof(K)) - leading.end,
                                                                leading.bits(), sort.counts);
    CHECK_LAUNCH();
    if (leading.uppers() > 1)
        place_digits<<<2, RADIX, 0, gpu->stream>>>(sort.counts, leading.uppers(), sort.digit_begin);
    CHECK_LAUNCH();
    place_pair_buckets<<<leading.uppers(), RADIX, 0, gpu->stream>>>(sort.counts, leading.buckets(), sort.digit_begin,
                                                                    sort.start, &sort.found->largest);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

template <class K, class V>
scankit_error sort_all(const pair_sort<K, V> &sort, const K *keys, const V *values, K *keys_out, V *values_out)
{
    cuda_device *gpu = sort.gpu;
    constexpr int BYTES = sizeof(typename pair_tile<K, V>::shared_memory);
    constexpr int OVERFULL_BYTES = sizeof(typename overfull_tile<K, V>::shared_memory);
    END_REHEARSAL(gpu);
    unsigned rest = sort.leading.shift - sort.begin_bit, *overfull = &sort.found->overfull;
    const unsigned *start = sort.start;
    CHECK(cudaFuncSetAttribute(sort_pair_buckets<K, V>, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
    sort_pair_buckets<<<sort.leading.buckets(), pair_tile<K, V>::THREADS, BYTES, gpu->stream>>>(
        keys, values, keys_out, values_out, start, sort.begin_bit, rest, overfull, sort.overfull);
    CHECK_LAUNCH();
    CHECK(cudaFuncSetAttribute(sort_overfull_pairs<K, V>, cudaFuncAttributeMaxDynamicSharedMemorySize, OVERFULL_BYTES));
    sort_overfull_pairs<<<gpu->processors, SORT_THREADS, OVERFULL_BYTES, gpu->stream>>>(
        keys, values, keys_out, values_out, start, sort.begin_bit, rest, overfull, sort.overfull);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// Splits in one pass to other, or in two to other and out. Then sorts the buckets to out.
template <class K, class V> scankit_error move(const pair_sort<K, V> &sort)
{
    cuda_device *gpu = sort.gpu;
    sk_shape shape = {sizeof(K), sizeof(V)};
    sk_columns at = sort.other;
    digit_range digits = {sort.leading.shift, sort.leading.end};
    bool records = sort.leading.uppers() > 1 && split_has_records(gpu, shape);
    TRY(split_pass(gpu, shape, sort.in, sort.other, sort.n, digits, 0, sort.digit_begin, {false, records}));
    if (sort.leading.uppers() > 1) {
        at = sort.out;
        TRY(split_pass(gpu, shape, {sort.other.keys, sort.other.values}, sort.out, sort.n, digits, 1,
                       sort.digit_begin + RADIX, {records, false}));
    }
    return sort_all(sort, static_cast<const K *>(at.keys), static_cast<const V *>(at.values),
                    static_cast<K *>(sort.out.keys), static_cast<V *>(sort.out.values));
}

template <class K, class V> scankit_error copy_pairs(const pair_sort<K, V> &sort)
{
    TRY(copy_array(sort.gpu, sort.in.keys, sort.out.keys, sort.n * sizeof(K)));
    return copy_array(sort.gpu, sort.in.values, sort.out.values, sort.n * sizeof(V));
}

template <class K, class V> scankit_error run(const sort_request &request, pair_sort<K, V> sort, bool *done)
{
    cuda_device *gpu = sort.gpu;
    workspace scratch(gpu);
    if (!take_memory(scratch, &sort))
        return SCANKIT_E_MEMORY;
    *done = false;
    if (sk_rehearses(&gpu->base)) // the radix sort, which may come instead, is rehearsed by the caller
        return move(sort);
    TRY(count(sort));
    pair_findings found;
    TRY(cuda_fetch(gpu, &found, sort.found, sizeof found));
    sort_facts facts;
    facts.descends = !all_bits_count(sort) || found.survey.descends;
    facts.largest_bucket = found.largest;
    facts.bucket_room = pair_tile<K, V>::SIZE;
    sort_algorithm algorithm = choose_sort(request, facts);
    *done = algorithm != sort_algorithm::RADIX;
    report(gpu, algorithm);
    if (!*done)
        return SCANKIT_OK;
    return algorithm == sort_algorithm::SORTED ? copy_pairs(sort) : move(sort);
}

} // namespace

scankit_error bucket_sort_pairs(cuda_device *gpu, const sort_request &request, sk_const_columns in, sk_columns out,
                                sk_columns other, unsigned begin_bit, bool *done)
{
    unsigned end = begin_bit + request.bits;
    leading_bits leading = {end - pair_bucket_bits(request.n), end};
    return dispatch_shape({request.key_size, request.value_size}, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        if constexpr (HAS_VALUE<V>)
            return run(request, pair_sort<K, V>{gpu, in, out, other, request.n, leading, begin_bit}, done);
        else
            return SCANKIT_E_ARGUMENT;
    });
}
