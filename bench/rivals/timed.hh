/* timed.hh - the time of a call by the host's clock. */
#ifndef BENCH_TIMED_HH
#define BENCH_TIMED_HH

#include <chrono>

/* Seconds per call of work(), with prepare() before each call. prepare() is not counted. */
template <typename Prepare, typename Work> double host_seconds_of(unsigned calls, Prepare prepare, Work work)
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

#endif
