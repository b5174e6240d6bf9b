/* copy.c - copies between host memory and staging buffers, for backends. */
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "backend.h"

#define COPY_THREADS 4                 /* more do not make transfers faster */
#define COPY_LEAST ((size_t)256 << 10) /* bytes of a thread, at least */

/* The other half of the processors is left to whoever reads or writes the memory meanwhile. */
static int copy_threads(size_t bytes)
{
    int threads = 1;
#ifdef _OPENMP
    threads = omp_get_num_procs() / 2;
#endif
    threads = threads < COPY_THREADS ? threads : COPY_THREADS;
    if ((size_t)threads > bytes / COPY_LEAST)
        threads = (int)(bytes / COPY_LEAST);
    return threads > 1 ? threads : 1;
}

void sk_copy_by_threads(void *to, const void *from, size_t bytes)
{
    int threads = copy_threads(bytes);
    size_t part = bytes / (size_t)threads;
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        size_t begin = (size_t)t * part, end = t + 1 < threads ? begin + part : bytes;
        memcpy((char *)to + begin, (const char *)from + begin, end - begin);
    }
}
