/* threads.h - OpenMP's functions, or, if the compiler has no OpenMP, their answers for a single thread. The compiler
 * then skips the pragmas, so every parallel region runs once. */
#ifndef SK_THREADS_H
#define SK_THREADS_H

#ifdef _OPENMP
#include <omp.h>
#define SK_HAS_THREADS 1
#else
#define SK_HAS_THREADS 0

static inline int omp_get_thread_num(void)
{
    return 0;
}

static inline int omp_get_num_threads(void)
{
    return 1;
}

static inline int omp_get_num_procs(void)
{
    return 1;
}
#endif

#endif
