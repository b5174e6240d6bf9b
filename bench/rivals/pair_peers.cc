/* pair_peers.cc - other libraries' sorts of pairs and of positions (see peers.h). They sort an array of structures.
 * Compiled as peers.cc is. */
#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "peers.h"
#include "timed.hh"

#ifdef HAVE_VQSORT
#include <hwy/base.h>
#include <hwy/contrib/sort/vqsort.h>
#endif
#ifdef HAVE_IPS4O
#include <ips4o.hpp>
#endif
#ifdef HAVE_X86_SIMD_SORT
#define XSS_USE_OPENMP
#include <omp.h>
#include <x86simdsort-static-incl.h>
#endif

namespace
{

/* The layout of vqsort's pairs. */
template <typename K> struct alignas(2 * sizeof(K)) Pair {
    K value, key;

    bool operator<(const Pair &other) const
    {
        return key < other.key;
    }
};

template <typename F> double with_pair_key(scankit_type type, F f)
{
    switch (type) {
    case SCANKIT_U32: return f(static_cast<uint32_t *>(nullptr));
    case SCANKIT_U64: return f(static_cast<uint64_t *>(nullptr));
    default: return -1;
    }
}

/* value(i): of pair i. */
template <typename K, typename Value> void make_pairs(const bench_job *job, std::vector<Pair<K>> &pairs, Value value)
{
    auto *keys = static_cast<const K *>(job->in);
    pairs.resize(job->n);
    for (size_t i = 0; i < job->n; i++)
        pairs[i] = {value(i), keys[i]};
}

/* Seconds per call of sort(begin, end) of pairs, which are made before, outside of the time. */
template <typename Sort> double seconds_of_pairs(const bench_job *job, unsigned calls, Sort sort)
{
    return with_pair_key(job->type, [&](auto *type) {
        using K = std::remove_pointer_t<decltype(type)>;
        static std::vector<Pair<K>> pairs;
        auto *values = static_cast<const K *>(job->values_in);
        return host_seconds_of(
            calls, [&] { make_pairs(job, pairs, [&](size_t i) { return values[i]; }); },
            [&] { sort(pairs.data(), pairs.data() + job->n); });
    });
}

/* Of positions by way of pairs, which are made and taken apart within the time. */
template <typename Sort> double seconds_of_numbered(const bench_job *job, unsigned calls, Sort sort)
{
    return with_pair_key(job->type, [&](auto *type) {
        using K = std::remove_pointer_t<decltype(type)>;
        static std::vector<Pair<K>> pairs;
        auto *positions = static_cast<uint64_t *>(job->out);
        pairs.resize(job->n);
        return host_seconds_of(
            calls, [] {},
            [&] {
                make_pairs(job, pairs, [](size_t i) { return K(i); });
                sort(pairs.data(), pairs.data() + job->n);
                for (size_t i = 0; i < job->n; i++)
                    positions[i] = pairs[i].value;
            });
    });
}

/* Of positions alone: sort(begin, end, is_before). */
template <typename Sort> double seconds_of_positions(const bench_job *job, unsigned calls, Sort sort)
{
    return with_pair_key(job->type, [&](auto *type) {
        auto *keys = static_cast<decltype(type)>(const_cast<void *>(job->in));
        auto *positions = static_cast<uint64_t *>(job->out);
        return host_seconds_of(
            calls, [] {},
            [&] {
                for (size_t i = 0; i < job->n; i++)
                    positions[i] = i;
                sort(positions, positions + job->n, [=](uint64_t a, uint64_t b) { return keys[a] < keys[b]; });
            });
    });
}

auto std_sort = [](auto *begin, auto *end) { std::sort(begin, end); };

double run_std_pairs(const bench_job *job, unsigned calls)
{
    return seconds_of_pairs(job, calls, std_sort);
}

double run_std_positions(const bench_job *job, unsigned calls)
{
    return seconds_of_positions(job, calls, [](auto *begin, auto *end, auto before) { std::sort(begin, end, before); });
}

double run_std_numbered(const bench_job *job, unsigned calls)
{
    return seconds_of_numbered(job, calls, std_sort);
}

#ifdef HAVE_VQSORT
template <typename T> void vqsort(T *begin, size_t n)
{
#if HWY_MAJOR > 1 || HWY_MINOR > 0
    hwy::VQSort(begin, n, hwy::SortAscending());
#else
    hwy::Sorter sorter;
    sorter(begin, n, hwy::SortAscending());
#endif
}

void vqsort(Pair<uint32_t> *begin, Pair<uint32_t> *end)
{
    vqsort(reinterpret_cast<hwy::K32V32 *>(begin), size_t(end - begin));
}

void vqsort(Pair<uint64_t> *begin, Pair<uint64_t> *end)
{
    vqsort(reinterpret_cast<hwy::K64V64 *>(begin), size_t(end - begin));
}

double run_vqsort_pairs(const bench_job *job, unsigned calls)
{
    return seconds_of_pairs(job, calls, [](auto *begin, auto *end) { vqsort(begin, end); });
}

double run_vqsort_numbered(const bench_job *job, unsigned calls)
{
    return seconds_of_numbered(job, calls, [](auto *begin, auto *end) { vqsort(begin, end); });
}
#endif

#ifdef HAVE_IPS4O
template <typename T, typename Before> void ips4o_sort(const bench_job *job, T *begin, T *end, Before before)
{
    if (job->threads > 1)
        ips4o::parallel::sort(begin, end, before, int(job->threads));
    else
        ips4o::sort(begin, end, before);
}

double run_ips4o_pairs(const bench_job *job, unsigned calls)
{
    return seconds_of_pairs(job, calls, [=](auto *begin, auto *end) { ips4o_sort(job, begin, end, std::less<>()); });
}

double run_ips4o_positions(const bench_job *job, unsigned calls)
{
    return seconds_of_positions(job, calls,
                                [=](auto *begin, auto *end, auto before) { ips4o_sort(job, begin, end, before); });
}

double run_ips4o_numbered(const bench_job *job, unsigned calls)
{
    return seconds_of_numbered(job, calls, [=](auto *begin, auto *end) { ips4o_sort(job, begin, end, std::less<>()); });
}
#endif

#ifdef HAVE_X86_SIMD_SORT
/* Keys and values lie apart, as the library's. */
double run_x86_simd_sort_pairs(const bench_job *job, unsigned calls)
{
    omp_set_num_threads(int(job->threads));
    return with_pair_key(job->type, [&](auto *type) {
        using K = std::remove_pointer_t<decltype(type)>;
        auto *keys_in = static_cast<const K *>(job->in), *values_in = static_cast<const K *>(job->values_in);
        static std::vector<K> keys, values;
        return host_seconds_of(
            calls,
            [&] {
                keys.assign(keys_in, keys_in + job->n);
                values.assign(values_in, values_in + job->n);
            },
            [&] { x86simdsortStatic::keyvalue_qsort(keys.data(), values.data(), job->n); });
    });
}

double run_x86_simd_sort_positions(const bench_job *job, unsigned calls)
{
    static_assert(sizeof(size_t) == sizeof(uint64_t));
    omp_set_num_threads(int(job->threads));
    return with_pair_key(job->type, [&](auto *type) {
        auto *keys = static_cast<decltype(type)>(const_cast<void *>(job->in));
        auto *positions = static_cast<size_t *>(job->out);
        return host_seconds_of(
            calls, [] {},
            [&] {
                std::iota(positions, positions + job->n, size_t(0));
                x86simdsortStatic::argsort(keys, positions, job->n);
            });
    });
}
#endif

} // namespace

const sort_peer *pair_peers(void)
{
    static const sort_peer peers[] = {
        {"std::sort", false, run_std_pairs},
#ifdef HAVE_VQSORT
        {"vqsort", false, run_vqsort_pairs},
#endif
#ifdef HAVE_IPS4O
        {"ips4o", true, run_ips4o_pairs},
#endif
#ifdef HAVE_X86_SIMD_SORT
        {"x86-simd-sort", true, run_x86_simd_sort_pairs},
#endif
        {nullptr, false, nullptr},
    };
    return peers;
}

const sort_peer *position_peers(void)
{
    static const sort_peer peers[] = {
        {"std::sort", false, run_std_positions},
        {"std::sort, pairs", false, run_std_numbered},
#ifdef HAVE_VQSORT
        {"vqsort, pairs", false, run_vqsort_numbered},
#endif
#ifdef HAVE_IPS4O
        {"ips4o", true, run_ips4o_positions},
        {"ips4o, pairs", true, run_ips4o_numbered},
#endif
#ifdef HAVE_X86_SIMD_SORT
        {"x86-simd-sort", true, run_x86_simd_sort_positions},
#endif
        {nullptr, false, nullptr},
    };
    return peers;
}
