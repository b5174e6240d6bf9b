// keys.cu - the sort of keys alone. It runs the algorithm that choose.h names, and finds out about the data what the
// choice depends on.
#include "sort/keys.cuh"

#include "common/copy.cuh"
#include "sort/bucket/digit_sort.cuh"
#include "sort/bucket/small_sort.cuh"
#include "sort/bucket/uncounted_sort.cuh"
#include "sort/choose/report.cuh"
#include "sort/sample/sample_sort.cuh"
#include "sort/survey/reverse.cuh"

namespace
{

template <class K> scankit_error reverse(cuda_device *gpu, const K *in, K *out, size_t n)
{
    size_t blocks = (n / 2) / MAP_THREADS + 1, most = size_t(gpu->processors) * 16;
    reverse_keys<<<unsigned(blocks < most ? blocks : most), MAP_THREADS, 0, gpu->stream>>>(in, out, n);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// Sorts the `count` keys with other values than the few, which survey() has gathered. *sorted: where they are. In
// place, the second array has a piece for them.
template <class K, class Order>
scankit_error sort_others(const key_sort<K, Order> &sort, workspace &scratch, size_t count, K **sorted)
{
    cuda_device *gpu = sort.gpu;
    constexpr unsigned BITS = 8 * sizeof(K);
    static_assert(OTHERS_SHARE >= 3, "there are three pieces");
    sk_piece piece = {};
    piece.size = sizeof(K);
    piece.kind = SK_PIECE_UNSIGNED;
    const sort_request request = {count, sizeof(K), 0, BITS, true, SCANKIT_AUTO, false, true, gpu->shared_most};
    *sorted = sort.in == sort.out ? sort.free_piece(2) : nullptr;
    if (*sorted == nullptr && !scratch.take(sorted, count))
        return SCANKIT_E_MEMORY;
    return sort_keys(gpu, request, piece, sort.free_piece(0), *sorted, sort.free_piece(1));
}

template <class K, class Order>
scankit_error write(const key_sort<K, Order> &sort, workspace &scratch, const key_verdict &found)
{
    cuda_device *gpu = sort.gpu;
    K *others = nullptr;
    if (found.keys > 0)
        TRY(sort_others(sort, scratch, found.keys, &others));
    report(gpu, sort_algorithm::COUNTING);
    write_values<<<gpu->processors * 8, VALUE_SLOTS, 0, gpu->stream>>>(sort.values(), others, found.keys, sort.out,
                                                                       sort.n, sort.order);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

template <class K, class Order> bool has_word(const key_sort<K, Order> &sort)
{
    return sort.n * sizeof(K) <= VERDICT_WORD_MOST;
}

// Queues the counts, as count() does, and asks for the verdict.
template <class K, class Order> scankit_error ask(const key_sort<K, Order> &sort, bool unless_even)
{
    if (has_word(sort))
        return count(sort, unless_even, cuda_next_word(sort.gpu));
    TRY(count(sort, unless_even));
    return cuda_ask(sort.gpu, &sort.found->verdict, sizeof sort.found->verdict);
}

template <class K, class Order> scankit_error answer(const key_sort<K, Order> &sort, key_verdict *found)
{
    return has_word(sort) ? cuda_wait_word(sort.gpu, found, sizeof *found)
                          : cuda_answer(sort.gpu, found, sizeof *found);
}

// Queues the first pass by digits before the host has heard that it is wanted.
template <class K, class Order> scankit_error begin_early(workspace &early, key_sort<K, Order> *sort)
{
    sort->has_begun = sort->n <= EARLY_PASS_MOST && take_other(early, sort);
    return sort->has_begun ? begin_digits(*sort) : SCANKIT_OK;
}

// The pass is not wanted: its array gives way to slack regions, or to other keys than a few values. spare: the second
// array that there was before, if any.
template <class K, class Order> void forget_early(workspace &early, K *spare, key_sort<K, Order> *sort)
{
    early.give_back();
    sort->other = spare;
    sort->has_begun = false;
}

// Digits that the survey did not ask for are not counted yet. Then the first pass is queued again.
template <class K, class Order>
scankit_error by_digits(const key_sort<K, Order> &sort, workspace &scratch, key_verdict found)
{
    cuda_device *gpu = sort.gpu;
    if (!found.by_digits) {
        CHECK(cudaMemsetAsync(&sort.found->survey.by_digits, 1, sizeof(unsigned), gpu->stream));
        TRY(ask(sort, true));
        if (sort.has_begun)
            TRY(begin_digits(sort));
        TRY(answer(sort, &found));
    }
    return sort_by_digits(sort, scratch, found.constant_digits, found.all_digits && sort.has_begun);
}

template <class K, class Order>
scankit_error by_buckets(const key_sort<K, Order> &sort, workspace &scratch, const key_verdict &found)
{
    return found.by_cdf ? sort_by<cdf_projection<K>, SCATTER_ITEMS_CDF<K>>(sort, scratch, found)
                        : sort_by<plain_projection<K>, SCATTER_ITEMS<K>>(sort, scratch, found);
}

template <class K, class Order>
scankit_error without_counting(const key_sort<K, Order> &sort, const key_verdict &found, bool *done)
{
    bool are_near = found.are_near;
    return found.by_cdf ? sort_uncounted<cdf_projection<K>, SCATTER_ITEMS_CDF<K>>(sort, are_near, done)
                        : sort_uncounted<plain_projection<K>, SCATTER_ITEMS<K>>(sort, are_near, done);
}

// The counters hold what the slack regions got, and buckets may be listed.
template <class K, class Order> scankit_error count_again(const key_sort<K, Order> &sort, key_verdict *found)
{
    cuda_device *gpu = sort.gpu;
    CHECK(cudaMemsetAsync(&sort.found->oversized, 0, sizeof(unsigned), gpu->stream));
    CHECK(cudaMemsetAsync(&sort.found->listed, 0, sizeof(unsigned), gpu->stream));
    CHECK(cudaMemsetAsync(sort.counts, 0, sort.levels.count() * sizeof(unsigned), gpu->stream));
    TRY(count(sort, false));
    return cuda_fetch(gpu, &found->keys, &sort.found->oversized, sizeof found->keys);
}

sort_facts facts_of(const key_verdict &found)
{
    sort_facts facts;
    facts.descends = found.descends;
    facts.ascends = found.ascends;
    facts.all_counted = found.all_counted;
    facts.by_samples = found.by_samples;
    facts.by_digits = found.by_digits;
    facts.even_buckets = found.even_buckets;
    facts.oversized_keys = found.keys;
    return facts;
}

template <class K, class Order>
scankit_error run(const key_sort<K, Order> &sort, sort_algorithm algorithm, workspace &scratch,
                  const key_verdict &found)
{
    switch (algorithm) {
    case sort_algorithm::SORTED: return copy_array(sort.gpu, sort.in, sort.out, sort.n * sizeof(K));
    case sort_algorithm::REVERSED: return reverse(sort.gpu, sort.in, sort.out, sort.n);
    case sort_algorithm::COUNTING: return write(sort, scratch, found);
    case sort_algorithm::RADIX: return by_digits(sort, scratch, found);
    default: return by_buckets(sort, scratch, found);
    }
}

// The workspace for few values beside as many others as there may be.
template <class K, class Order> scankit_error rehearse_others(const key_sort<K, Order> &sort)
{
    workspace scratch(sort.gpu);
    K *sorted;
    return sort_others(sort, scratch, sort.others_room(), &sorted);
}

// The same for any findings. Not done, so that sample sort is rehearsed, if it may follow.
template <class K, class Order>
scankit_error rehearse(const sort_request &request, key_sort<K, Order> sort, workspace &scratch)
{
    bool done;
    TRY(rehearse_others(sort));
    workspace early(sort.gpu);
    K *spare = sort.other;
    TRY(begin_early(early, &sort));
    forget_early(early, spare, &sort);
    if (may_skip_counting(request)) {
        TRY((sort_uncounted<cdf_projection<K>, SCATTER_ITEMS_CDF<K>>(sort, false, &done)));
        TRY((sort_uncounted<plain_projection<K>, SCATTER_ITEMS<K>>(sort, false, &done)));
    }
    if (!take_other(scratch, &sort))
        return SCANKIT_E_MEMORY;
    TRY(sort_by_digits(sort, scratch, 0, false));
    return sort_large(sort, scratch, sort.other);
}

// The sorts that begin with a survey. Not *done, and in as it was, if sample sort is better. digits: as of sort_keys().
template <class K, class Order>
scankit_error sort_surveyed(const sort_request &request, key_sort<K, Order> sort, bool *digits, bool *done)
{
    cuda_device *gpu = sort.gpu;
    workspace scratch(gpu);
    key_verdict found = {};
    *done = false;
    if (!take_memory(scratch, &sort) || (sort.in == sort.out && !take_other(scratch, &sort)))
        return SCANKIT_E_MEMORY;
    K *spare = sort.other;
    if (sk_rehearses(&gpu->base))
        return rehearse(request, sort, scratch);
    TRY(look(sort));
    rank_by way;
    TRY(split_way(gpu, &way)); // it may fetch, so it comes before a question
    TRY(survey(sort));
    TRY(ask(sort, may_skip_counting(request)));
    workspace early(gpu);
    TRY(begin_early(early, &sort));
    TRY(answer(sort, &found));
    sort_facts facts = facts_of(found);
    sort_algorithm algorithm = choose_sort(request, facts);
    if (algorithm == sort_algorithm::SAMPLE)
        return SCANKIT_OK;
    report(gpu, algorithm);
    if (digits != nullptr && algorithm == sort_algorithm::RADIX) {
        *digits = *done = true;
        return SCANKIT_OK;
    }
    if (algorithm == sort_algorithm::HYBRID_UNCOUNTED || algorithm == sort_algorithm::COUNTING)
        forget_early(early, spare, &sort);
    if (algorithm == sort_algorithm::HYBRID_UNCOUNTED) {
        TRY(without_counting(sort, found, done));
        if (*done)
            return SCANKIT_OK;
        TRY(count_again(sort, &found));
        facts.overflowed = true;
        facts.oversized_keys = found.keys;
        algorithm = choose_sort(request, facts);
        report(gpu, algorithm);
    }
    *done = true;
    bool moves = algorithm == sort_algorithm::RADIX || algorithm == sort_algorithm::HYBRID || facts.overflowed;
    if (moves && !take_other(scratch, &sort))
        return SCANKIT_E_MEMORY;
    return run(sort, algorithm, scratch, found);
}

// Blocks read what other blocks write, so in place the keys are copied first.
template <class K, class Order> scankit_error sort_few(cuda_device *gpu, Order order, const K *in, K *out, size_t n)
{
    workspace scratch(gpu);
    const K *from = in;
    if (in == out) {
        K *copy;
        if (!scratch.take(&copy, n))
            return SCANKIT_E_MEMORY;
        TRY(copy_array(gpu, in, copy, n * sizeof(K)));
        from = copy;
    }
    return sort_ranges(gpu, ordered_keys<K, Order>{from, out, order}, n);
}

} // namespace

scankit_error sort_keys(cuda_device *gpu, const sort_request &request, const sk_piece &piece, const void *in, void *out,
                        void *spare, bool *digits)
{
    size_t n = request.n;
    sort_algorithm algorithm = choose_sort(request);
    bool done = false;
    report(gpu, algorithm);
    if (algorithm != sort_algorithm::SAMPLE)
        TRY(dispatch_number(piece, [&](auto order) {
            using K = typename decltype(order)::key_type;
            const K *from = static_cast<const K *>(in);
            K *to = static_cast<K *>(out);
            done = true;
            if (algorithm == sort_algorithm::BLOCK_RANGES)
                return sort_few(gpu, order, from, to, n);
            key_sort<K, decltype(order)> sort = {gpu, order, from, to, n, buckets_for(n)};
            sort.other = static_cast<K *>(spare);
            return sort_surveyed(request, sort, digits, &done);
        }));
    if (done ||
        (sk_rehearses(&gpu->base) && algorithm != sort_algorithm::SAMPLE && !may_sample_popular(n, request.key_size)))
        return SCANKIT_OK;
    report(gpu, sort_algorithm::SAMPLE);
    return sample_sort(gpu, piece, in, out, spare, sample_for(n));
}
