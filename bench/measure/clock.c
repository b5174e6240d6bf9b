/* clock.c - see clock.h. */
#include "clock.h"

#include <stdlib.h>
#include <time.h>

static double started;

double host_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

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

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median_of(double *seconds, unsigned count)
{
    qsort(seconds, count, sizeof *seconds, compare_seconds);
    return count % 2 != 0 ? seconds[count / 2] : (seconds[count / 2 - 1] + seconds[count / 2]) / 2;
}
