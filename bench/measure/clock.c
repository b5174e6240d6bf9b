/* clock.c - see clock.h. */
#include "clock.h"

static double started;

void clock_start(const bench_state *bench)
{
    if (bench->clock != NULL)
        bench->clock->start();
    else
        started = host_seconds();
}

double clock_stop(const bench_state *bench, const char *what)
{
    double seconds = bench->clock != NULL ? bench->clock->stop() : 0;
    bench_try(bench, scankit_synchronize(bench->context), what);
    return bench->clock != NULL ? seconds : host_seconds() - started;
}
