/* rivals.cc - the CPU's rivals: the C++ standard library, on one thread. */
#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <vector>

#if defined(__GLIBCXX__) && __has_include(<parallel/multiway_merge.h>)
#include <parallel/multiway_merge.h>
// The header above does not include what it calls.
#include <parallel/merge.h>
#define RIVALS_MULTIWAY
#endif

#include "dispatch.hh"

namespace
{

/* Seconds per call of work(). prepare() runs before each call and is not counted. */
template <typename Prepare, typename Work> double seconds_of(unsigned calls, Prepare prepare, Work work)
{
    using clock = std::chrono::steady_clock;
    std::chrono::duration<double> total{0};
    for (unsigned i = 0; i < calls; i++) {
        prepare();
        auto begin = clock::now();
        work();
        total += clock::now() - begin;
    }
    return total.count() / calls;
}

template <typename Work> double seconds_of(unsigned calls, Work work)
{
    return seconds_of(
        calls, [] {}, work);
}

double run_copy(const bench_job *job, unsigned calls)
{
    size_t bytes = job->na * scankit_type_size(job->type);
    return seconds_of(calls, [&] { std::memcpy(job->out, job->in, bytes); });
}

double run_scan(const bench_job *job, unsigned calls)
{
    return with_number(job->type, [&](auto *type) {
        using T = std::remove_pointer_t<decltype(type)>;
        auto *in = static_cast<const T *>(job->in);
        auto *out = static_cast<T *>(job->out);
        return seconds_of(calls, [&] {
            if (job->kind == SCANKIT_INCLUSIVE)
                std::inclusive_scan(in, in + job->n, out);
            else
                std::exclusive_scan(in, in + job->n, out, T(0));
        });
    });
}

double run_reduce(const bench_job *job, unsigned calls)
{
    return with_number(job->type, [&](auto *type) {
        using T = std::remove_pointer_t<decltype(type)>;
        auto *in = static_cast<const T *>(job->in);
        volatile T sink;
        return seconds_of(calls, [&] { sink = std::reduce(in, in + job->n); });
    });
}

double run_compact(const bench_job *job, unsigned calls)
{
    return with_predicate(job->predicate, [&](auto *type, auto matches) {
        using T = std::remove_pointer_t<decltype(type)>;
        auto *in = static_cast<const T *>(job->in);
        auto *out = static_cast<T *>(job->out);
        if (!job->in_place)
            return seconds_of(calls, [&] { std::copy_if(in, in + job->n, out, matches); });
        return seconds_of(
            calls, [&] { std::copy(in, in + job->n, out); },
            [&] { (void)std::remove_if(out, out + job->n, [&](T x) { return !matches(x); }); });
    });
}

double run_compact_flags(const bench_job *job, unsigned calls)
{
    auto *flags = static_cast<const uint8_t *>(job->values_in);
    return with_type(job->type, [&](auto *type) {
        using T = std::remove_pointer_t<decltype(type)>;
        auto *in = static_cast<const T *>(job->in);
        auto *out = static_cast<T *>(job->out);
        auto matches = [&](const T &x) { return flags[&x - in] != 0; };
        return seconds_of(calls, [&] { std::copy_if(in, in + job->n, out, matches); });
    });
}

double run_split_predicate(const bench_job *job, unsigned calls)
{
    return with_predicate(job->predicate, [&](auto *type, auto matches) {
        using T = std::remove_pointer_t<decltype(type)>;
        auto *in = static_cast<const T *>(job->in);
        auto *out = static_cast<T *>(job->out);
        auto *others = static_cast<T *>(job->values_out);
        return seconds_of(calls, [&] { std::partition_copy(in, in + job->n, out, others, matches); });
    });
}

/* ---- runs: of data without NaNs ---- */

double run_encode(const bench_job *job, unsigned calls)
{
    return with_type(job->type, [&](auto *type) {
        using T = std::remove_pointer_t<decltype(type)>;
        auto *in = static_cast<const T *>(job->in), *end = in + job->n;
        return seconds_of(calls, [&] {
            auto *value = static_cast<T *>(job->out);
            auto *count = job->counts;
            for (auto *begin = in, *next = in; begin != end; begin = next) {
                next = std::find_if(begin + 1, end, [=](T x) { return x != *begin; });
                *value++ = *begin;
                *count++ = static_cast<uint64_t>(next - begin);
            }
        });
    });
}

double run_decode(const bench_job *job, unsigned calls)
{
    return with_type(job->type, [&](auto *type) {
        using T = std::remove_pointer_t<decltype(type)>;
        auto *values = static_cast<const T *>(job->in);
        return seconds_of(calls, [&] {
            auto *out = static_cast<T *>(job->out);
            for (size_t r = 0; r < job->runs; r++)
                out = std::fill_n(out, job->counts[r], values[r]);
        });
    });
}

double run_unique(const bench_job *job, unsigned calls)
{
    return with_type(job->type, [&](auto *type) {
        using T = std::remove_pointer_t<decltype(type)>;
        auto *in = static_cast<const T *>(job->in);
        auto *out = static_cast<T *>(job->out);
        if (!job->in_place)
            return seconds_of(calls, [&] { std::unique_copy(in, in + job->n, out); });
        return seconds_of(
            calls, [&] { std::copy(in, in + job->n, out); }, [&] { (void)std::unique(out, out + job->n); });
    });
}

double run_reduce_by_key(const bench_job *job, unsigned calls)
{
    return with_type(job->type, [&](auto *type) {
        using T = std::remove_pointer_t<decltype(type)>;
        auto *keys = static_cast<const T *>(job->in);
        auto *values = static_cast<const uint32_t *>(job->values_in);
        return seconds_of(calls, [&] {
            auto *key = static_cast<T *>(job->out);
            auto *sum = static_cast<uint32_t *>(job->values_out);
            for (size_t begin = 0, i = 0; begin < job->n; begin = i) {
                uint32_t total = 0;
                for (; i < job->n && keys[i] == keys[begin]; i++)
                    total += values[i];
                *key++ = keys[begin];
                *sum++ = total;
            }
        });
    });
}

/* std::sort has no order for NaNs. */
template <typename T> bool has_nan(const T *in, size_t n)
{
    return std::any_of(in, in + n, [](T value) { return value != value; });
}

double run_sort(const bench_job *job, unsigned calls)
{
    return with_number(job->type, [&](auto *type) {
        using T = std::remove_pointer_t<decltype(type)>;
        auto *out = static_cast<T *>(job->out);
        if (has_nan(static_cast<const T *>(job->in), job->n))
            return -1.0;
        return seconds_of(
            calls, [&] { std::memcpy(out, job->in, job->n * sizeof(T)); }, [&] { std::sort(out, out + job->n); });
    });
}

/* Each segment of keys by itself. */
double run_segmented_sort(const bench_job *job, unsigned calls)
{
    if (job->value_size != 0)
        return -1.0;
    return with_key(job->type, [&](auto *type) {
        using T = std::remove_pointer_t<decltype(type)>;
        auto *out = static_cast<T *>(job->out);
        return seconds_of(
            calls, [&] { std::memcpy(out, job->in, job->n * sizeof(T)); },
            [&] {
                for (size_t s = 0; s < job->runs; s++)
                    std::sort(out + job->counts[s], out + job->counts[s + 1]);
            });
    });
}

/* Sorts an array of structures, as a C++ program would hold pairs. */
double run_pairs(const bench_job *job, unsigned calls)
{
    return with_number(job->type, [&](auto *type) {
        using T = std::remove_pointer_t<decltype(type)>;
        struct pair {
            T key;
            uint32_t value;
        };
        auto *keys = static_cast<const T *>(job->in);
        auto *values = static_cast<const uint32_t *>(job->values_in);
        std::vector<pair> pairs(job->n);
        return seconds_of(
            calls,
            [&] {
                for (size_t i = 0; i < job->n; i++)
                    pairs[i] = {keys[i], values[i]};
            },
            [&] {
                std::stable_sort(pairs.begin(), pairs.end(),
                                 [](const pair &a, const pair &b) { return a.key < b.key; });
            });
    });
}

double run_merge(const bench_job *job, unsigned calls)
{
    return with_type(job->type, [&](auto *type) {
        using T = std::remove_pointer_t<decltype(type)>;
        auto *a = static_cast<const T *>(job->in);
        auto *b = a + job->na;
        return seconds_of(calls, [&] { std::merge(a, b, b, a + job->n, static_cast<T *>(job->out)); });
    });
}

/* libstdc++'s merge of many sequences, by one thread, like the other algorithms here. */
double run_merge_many(const bench_job *job, unsigned calls)
{
#ifdef RIVALS_MULTIWAY
    return with_type(job->type, [&](auto *type) {
        using T = std::remove_pointer_t<decltype(type)>;
        /* The algorithm does not take constants. */
        auto *in = static_cast<T *>(const_cast<void *>(job->in));
        size_t each = job->n / job->arrays;
        std::vector<std::pair<T *, T *>> arrays(job->arrays);
        return seconds_of(
            calls,
            [&] {
                for (size_t i = 0; i < job->arrays; i++)
                    arrays[i] = {in + i * each, in + (i + 1) * each};
            },
            [&] {
                __gnu_parallel::stable_multiway_merge(arrays.begin(), arrays.end(), static_cast<T *>(job->out), job->n,
                                                      std::less<T>(), __gnu_parallel::sequential_tag());
            });
    });
#else
    (void)job, (void)calls;
    return -1;
#endif
}

} // namespace

const rivals *rivals_cpu(void)
{
    static const rivals table = {"std",
                                 nullptr,
                                 nullptr,
                                 run_copy,
                                 run_scan,
                                 nullptr,
                                 run_reduce,
                                 nullptr,
                                 run_compact,
                                 run_compact_flags,
                                 nullptr,
                                 run_split_predicate,
                                 run_encode,
                                 run_decode,
                                 run_unique,
                                 run_reduce_by_key,
                                 run_sort,
                                 nullptr,
                                 run_pairs,
                                 run_segmented_sort,
                                 nullptr,
                                 run_merge,
                                 run_merge_many};
    return &table;
}
