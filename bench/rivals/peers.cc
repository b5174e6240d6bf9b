/* peers.cc - see peers.h. Compiled for the machine that it is built on, as these libraries advise. */
#include <algorithm>
#include <cstring>

#include "peers.h"
#include "timed.hh"

#ifdef HAVE_VQSORT
#include <hwy/base.h>
#include <hwy/contrib/sort/vqsort.h>
#endif
#ifdef HAVE_IPS4O
#include <ips4o.hpp>
#endif
#ifdef HAVE_IPS2RA
#include <ips2ra.hpp>
#endif
#ifdef HAVE_X86_SIMD_SORT
#define XSS_USE_OPENMP
#include <omp.h>
#include <x86simdsort-static-incl.h>
#endif

namespace
{

template <typename F> double with_sort_key(scankit_type type, F f)
{
    switch (type) {
    case SCANKIT_U32: return f(static_cast<uint32_t *>(nullptr));
    case SCANKIT_I32: return f(static_cast<int32_t *>(nullptr));
    case SCANKIT_F32: return f(static_cast<float *>(nullptr));
    case SCANKIT_U64: return f(static_cast<uint64_t *>(nullptr));
    case SCANKIT_I64: return f(static_cast<int64_t *>(nullptr));
    case SCANKIT_F64: return f(static_cast<double *>(nullptr));
    default: return -1;
    }
}

/* Seconds per call of sort(begin, end) for all arrays. They are copied before, outside of the time. Floats with NaNs
 * have no order for these libraries. */
template <typename Sort> double seconds_of(const bench_job *job, unsigned calls, Sort sort)
{
    return with_sort_key(job->type, [&](auto *type) {
        using T = std::remove_pointer_t<decltype(type)>;
        auto *in = static_cast<const T *>(job->in);
        auto *out = static_cast<T *>(job->out);
        size_t each = job->n / job->arrays;
        if (std::any_of(in, in + job->n, [](T value) { return value != value; }))
            return -1.0;
        return host_seconds_of(
            calls, [&] { std::memcpy(out, in, job->n * sizeof(T)); },
            [&] {
                for (size_t a = 0; a < job->arrays; a++)
                    sort(out + a * each, out + (a + 1) * each);
            });
    });
}

double run_std_sort(const bench_job *job, unsigned calls)
{
    return seconds_of(job, calls, [](auto *begin, auto *end) { std::sort(begin, end); });
}

#ifdef HAVE_VQSORT
double run_vqsort(const bench_job *job, unsigned calls)
{
#if HWY_MAJOR > 1 || HWY_MINOR > 0
    return seconds_of(job, calls,
                      [](auto *begin, auto *end) { hwy::VQSort(begin, size_t(end - begin), hwy::SortAscending()); });
#else
    hwy::Sorter sorter;
    return seconds_of(job, calls,
                      [&](auto *begin, auto *end) { sorter(begin, size_t(end - begin), hwy::SortAscending()); });
#endif
}
#endif

#ifdef HAVE_IPS4O
double run_ips4o(const bench_job *job, unsigned calls)
{
    return seconds_of(job, calls, [&](auto *begin, auto *end) {
        if (job->threads > 1)
            ips4o::parallel::sort(begin, end, std::less<>(), int(job->threads));
        else
            ips4o::sort(begin, end);
    });
}
#endif

#ifdef HAVE_IPS2RA
double run_ips2ra(const bench_job *job, unsigned calls)
{
    if (job->type == SCANKIT_F32 || job->type == SCANKIT_F64)
        return -1;
    return seconds_of(job, calls, [&](auto *begin, auto *end) {
        using T = std::remove_pointer_t<decltype(begin)>;
        if constexpr (std::is_integral_v<T>) {
            /* It takes unsigned keys. */
            auto key = [](T value) {
                using U = std::make_unsigned_t<T>;
                return U(std::is_signed_v<T> ? U(value) ^ U(U(1) << (8 * sizeof(U) - 1)) : U(value));
            };
            if (job->threads > 1)
                ips2ra::parallel::sort(begin, end, key, int(job->threads));
            else
                ips2ra::sort(begin, end, key);
        }
    });
}
#endif

#ifdef HAVE_X86_SIMD_SORT
double run_x86_simd_sort(const bench_job *job, unsigned calls)
{
    omp_set_num_threads(int(job->threads));
    return seconds_of(job, calls, [](auto *begin, auto *end) { x86simdsortStatic::qsort(begin, size_t(end - begin)); });
}
#endif

} // namespace

const sort_peer *sort_peers(void)
{
    static const sort_peer peers[] = {
        {"std::sort", false, run_std_sort},
#ifdef HAVE_VQSORT
        {"vqsort", false, run_vqsort},
#endif
#ifdef HAVE_IPS4O
        {"ips4o", true, run_ips4o},
#endif
#ifdef HAVE_IPS2RA
        {"ips2ra", true, run_ips2ra},
#endif
#ifdef HAVE_X86_SIMD_SORT
        {"x86-simd-sort", true, run_x86_simd_sort},
#endif
        {nullptr, false, nullptr},
    };
    return peers;
}
