// hybrid.cu - the sort of keys alone: few in one launch, more by a sample, many by buckets, which are counted where
// they may be of very different sizes. Data in order, or of few values, is found before it moves; some that is skewed
// is sorted by digits.
#include "sort/keys.cuh"

#include "sort/bucket/digit_sort.cuh"
#include "sort/bucket/small_sort.cuh"
#include "sort/bucket/uncounted_sort.cuh"
#include "sort/survey/reverse.cuh"
#include "sort/sample/sample_sort.cuh"

namespace
{

constexpr unsigned MOST_BITS = COUNT_BITS + 2; // more are counted in groups, each in a read of its own

template <class K> scankit_error reverse(cuda_device *gpu, const K *in, K *out, size_t n)
{
    size_t blocks = (n / 2) / MAP_THREADS + 1, most = size_t(gpu->processors) * 16;
    reverse_keys<<<unsigned(blocks < most ? blocks : most), MAP_THREADS, 0, gpu->stream>>>(in, out, n);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

template <class K, class Order> scankit_error write(const key_sort<K, Order> &sort)
{
    cuda_device *gpu = sort.gpu;
    write_values<<<gpu->processors * 8, VALUE_SLOTS, 0, gpu->stream>>>(sort.values(), sort.out, sort.n, sort.order);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// Four digits are less work than rounds for many keys; of 8 bytes, keys need eight, and rounds are less.
template <class K, class Order> bool are_digits_better(const key_sort<K, Order> &sort, unsigned oversized)
{
    return sizeof(K) <= 4 && oversized > sort.n / oversized_share<K>(sort.levels.bits);
}

// What was not foreseen is to be counted yet.
template <class K, class Order>
scankit_error by_digits(const key_sort<K, Order> &sort, workspace &scratch, const findings &found)
{
    cuda_device *gpu = sort.gpu;
    unsigned constant = found.constant_digits;
    if (!found.survey.by_digits) {
        CHECK(cudaMemsetAsync(&sort.found->survey.by_digits, 1, sizeof(unsigned), gpu->stream));
        TRY(count(sort, true));
        TRY(cuda_fetch(gpu, &constant, &sort.found->constant_digits, sizeof constant));
    }
    gpu->base.algorithm = "radix";
    return sort_by_digits(sort, scratch, constant);
}

// Regions that were too small have left numbers behind.
template <class K, class Order> scankit_error count_again(const key_sort<K, Order> &sort, findings *found)
{
    cuda_device *gpu = sort.gpu;
    CHECK(cudaMemsetAsync(&sort.found->oversized, 0, sizeof(unsigned), gpu->stream));
    CHECK(cudaMemsetAsync(sort.counts, 0, sort.levels.count() * sizeof(unsigned), gpu->stream));
    TRY(count(sort, false));
    return cuda_fetch(gpu, &found->oversized, &sort.found->oversized, sizeof found->oversized);
}

// The keys are in no order, and no few values.
template <class K, class Order>
scankit_error sort_counted(const key_sort<K, Order> &sort, workspace &scratch, const findings &found)
{
    if (found.survey.by_digits || are_digits_better(sort, found.oversized))
        return by_digits(sort, scratch, found);
    return found.survey.by_cdf ? sort_by<cdf_projection<K>, SCATTER_ITEMS_CDF<K>>(sort, scratch, found)
                               : sort_by<plain_projection<K>, SCATTER_ITEMS<K>>(sort, scratch, found);
}

// Who is to sort what is not sorted yet.
enum class left_to { NOBODY, SAMPLE, SMALL_SAMPLE, OTHERS };

// Of not many keys, those of few values, and those of 8 bytes whose leading bits do not spread them.
template <class K, class Order> scankit_error leave_to_sample(const key_sort<K, Order> &sort, left_to *left)
{
    key_survey seen;
    *left = left_to::OTHERS;
    if (sort.n > SAMPLE_SORT_SKEWED_MOST || sizeof(K) <= 4)
        return SCANKIT_OK;
    TRY(cuda_fetch(sort.gpu, &seen, &sort.found->survey, sizeof seen));
    if (seen.descends && seen.ascends && (seen.few || !is_even(seen)))
        *left = seen.few ? left_to::SMALL_SAMPLE : left_to::SAMPLE;
    return SCANKIT_OK;
}

template <class K, class Order>
scankit_error sort_many(cuda_device *gpu, Order order, const K *in, K *out, K *spare, size_t n, left_to *left)
{
    key_sort<K, Order> sort = {gpu, order, in, out, n, buckets_for(n)};
    sort.other = spare;
    workspace scratch(gpu);
    bool uncounted = can_skip_counting(sort);
    *left = left_to::OTHERS;
    if (sort.levels.bits > MOST_BITS || gpu->shared_most < sizeof(uint16_t) << COUNT_BITS)
        return SCANKIT_OK;
    if (!take_memory(scratch, &sort))
        return SCANKIT_E_MEMORY;
    TRY(look(sort));
    TRY(leave_to_sample(sort, left));
    if (*left != left_to::OTHERS)
        return SCANKIT_OK;
    TRY(survey(sort));
    TRY(count(sort, uncounted));
    findings found;
    TRY(cuda_fetch(gpu, &found, sort.found, sizeof found));
    const key_survey &seen = found.survey;
    *left = left_to::NOBODY;
    gpu->base.algorithm = !seen.descends   ? "sorted"
                          : !seen.ascends  ? "reversed"
                          : seen.is_done() ? "counted"
                                           : "hybrid";
    if (!seen.descends)
        return copy_keys(gpu, in, out, n);
    if (!seen.ascends)
        return reverse(gpu, in, out, n);
    if (seen.is_done())
        return write(sort);
    bool done = false;
    uncounted = uncounted && seen.has_even_buckets();
    if (uncounted)
        TRY((seen.by_cdf ? sort_uncounted<cdf_projection<K>, SCATTER_ITEMS_CDF<K>>(sort, &done)
                         : sort_uncounted<plain_projection<K>, SCATTER_ITEMS<K>>(sort, &done)));
    if (done)
        return SCANKIT_OK;
    if (!take_other(scratch, &sort))
        return SCANKIT_E_MEMORY;
    if (uncounted) {
        gpu->base.algorithm = "hybrid, counted again";
        TRY(count_again(sort, &found));
    }
    return sort_counted(sort, scratch, found);
}

template <class K, class Order> scankit_error sort_few(cuda_device *gpu, Order order, const K *in, K *out, size_t n)
{
    workspace scratch(gpu);
    const K *from = in;
    gpu->base.algorithm = "hybrid";
    if (in == out) { // blocks read what others write
        K *copy;
        if (!scratch.take(&copy, n))
            return SCANKIT_E_MEMORY;
        TRY(copy_keys(gpu, in, copy, n));
        from = copy;
    }
    const small_sort_shape *shape = SMALL_SORT_SHAPES;
    while (n < shape->least)
        shape++;
    unsigned blocks = unsigned((n - 1) / shape->mean) + 1;
    return launch(gpu, sort_in_blocks<K, Order>, blocks, small_tile<K>::THREADS, sizeof(small_sort_memory<K>), from,
                  out, unsigned(n), order, shape->samples);
}

template <class K, class Order>
scankit_error run(cuda_device *gpu, Order order, const K *in, K *out, K *spare, size_t n, left_to *left)
{
    return n < SAMPLE_SORT_LEAST ? sort_few(gpu, order, in, out, n) : sort_many(gpu, order, in, out, spare, n, left);
}

template <class K>
scankit_error run_in_order(cuda_device *gpu, const sk_piece &piece, const void *in, void *out, void *spare, size_t n,
                           left_to *left)
{
    return dispatch_flipped<K>(piece, [&](auto order) {
        return run(gpu, order, static_cast<const K *>(in), static_cast<K *>(out), static_cast<K *>(spare), n, left);
    });
}

} // namespace

scankit_error hybrid_sort(cuda_device *gpu, const sk_piece &piece, const void *in, void *out, void *spare, size_t n,
                          bool *done)
{
    left_to left = n >= SAMPLE_SORT_LEAST && n <= SAMPLE_SORT_MOST ? left_to::SAMPLE : left_to::NOBODY;
    if (left == left_to::NOBODY)
        TRY(piece.size == 4 ? run_in_order<uint32_t>(gpu, piece, in, out, spare, n, &left)
                            : run_in_order<uint64_t>(gpu, piece, in, out, spare, n, &left));
    *done = left != left_to::OTHERS;
    bool few_values = left == left_to::SMALL_SAMPLE;
    return few_values || left == left_to::SAMPLE ? sample_sort(gpu, piece, in, out, spare, n, few_values) : SCANKIT_OK;
}
