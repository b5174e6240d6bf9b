/* seconds.c - see seconds.h. */
#include "seconds.h"

#include <stdlib.h>
#include <time.h>

double host_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
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
