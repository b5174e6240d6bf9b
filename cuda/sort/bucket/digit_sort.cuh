// digit_sort.cuh - the sort of keys alone by digits, least significant first, for keys that buckets do not spread. The
// first pass reads keys in their order, and the last writes values.
#ifndef SK_CUDA_DIGIT_SORT_CUH
#define SK_CUDA_DIGIT_SORT_CUH

#include "common/copy.cuh"
#include "sort/bucket/key_sort.cuh"

// The positions to split by: digits that are not constant, and constant ones until the first and the last pass differ
// and no pass writes onto its input.
inline unsigned pick_digits(unsigned digits, unsigned constant, bool in_place, unsigned *position)
{
    unsigned picked = 0, count = 0;
    auto enough = [&] { return count >= 2 && (count % 2 == 0 || !in_place); };
    for (unsigned p = 0; p < digits; p++)
        if (!(constant >> p & 1))
            picked |= 1u << p, count++;
    for (unsigned p = 0; !enough(); p++)
        if (constant >> p & 1)
            picked |= 1u << p, count++;
    count = 0;
    for (unsigned p = 0; p < digits; p++)
        if (picked >> p & 1)
            position[count++] = p;
    return count;
}

// Where pass i of `passes` goes.
template <class K, class Order> K *target_of(const key_sort<K, Order> &sort, const K *from, unsigned i, unsigned passes)
{
    return sort.in == sort.other ? sort.across(from) : (passes - i) % 2 == 0 ? sort.other : sort.out;
}

// Queues the first pass, which does nothing unless digits are counted and none is constant.
template <class K, class Order> scankit_error begin_digits(const key_sort<K, Order> &sort)
{
    constexpr pairs_as COLUMNS = pairs_as::COLUMNS;
    K *to = target_of(sort, sort.in, 0, sizeof(K));
    auto pass = pass_over<K, no_value>({sort.in, nullptr}, {to, nullptr}, {0, 8 * sizeof(K)}, 0);
    pass.begin = sort.digit_counts;
    pass.wanted = &sort.found->all_digits;
    return run_pass<COLUMNS, COLUMNS>(sort.gpu, pass, sort.n, sort.order, same_order<K>{}, sort.cleared);
}

// Sorts by digits whose places are known. Bit p of `constant`: all keys have the same digit at position p. The input
// may be the other array: then an even number of passes ends there. has_begun: after begin_digits().
template <class K, class Order>
scankit_error sort_by_digits(const key_sort<K, Order> &sort, workspace &scratch, unsigned constant, bool has_begun)
{
    constexpr pairs_as COLUMNS = pairs_as::COLUMNS;
    cuda_device *gpu = sort.gpu;
    digit_range range = {0, 8 * sizeof(K)};
    unsigned position[sizeof(K)], passes = pick_digits(sizeof(K), constant, sort.in == sort.out, position);
    pass_states states;
    same_order<K> same;
    const K *at = has_begun ? target_of(sort, sort.in, 0, passes) : sort.in;
    if (sort.states() == sizeof(K))
        states = {sort.cleared, sort.state_bytes()};
    else
        TRY(clear_states(gpu, scratch, passes, sizeof(K), sort.state_bytes(), &states));
    for (unsigned i = has_begun; i < passes; i++) {
        K *to = target_of(sort, at, i, passes);
        auto pass = pass_over<K, no_value>({at, nullptr}, {to, nullptr}, range, position[i]);
        pass.begin = sort.digit_counts + position[i] * RADIX;
        if (i == 0)
            TRY((run_pass<COLUMNS, COLUMNS>(gpu, pass, sort.n, sort.order, same, states.of(i))));
        else if (i + 1 == passes)
            TRY((run_pass<COLUMNS, COLUMNS>(gpu, pass, sort.n, same, sort.order, states.of(i))));
        else
            TRY((run_pass<COLUMNS, COLUMNS>(gpu, pass, sort.n, same, same, states.of(i))));
        at = to;
    }
    return copy_array(gpu, at, sort.out, sort.n * sizeof(K));
}

#endif
