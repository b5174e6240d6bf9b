/* ranks.c - a sort over MPI ranks: mpirun -n RANKS bench/ranks DEVICE BYTES [REPEAT]
 *
 * Random u64 in even parts, in memory. Rank 0 prints the median of the seconds, between two points that all ranks
 * reach. One rank with the device cpu:2 is one process with two threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/shapes.h"
#include "measure/seconds.h"
#include "scankit_mpi.h"

#define REPEAT_MOST 25

_Noreturn static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "ranks: %s: %s\n", what, why);
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
}

static void must(scankit_error error, const char *what)
{
    if (error != SCANKIT_OK)
        give_up(what, scankit_error_string(error));
}

static double time_sort(scankit_group *group, uint64_t *in, uint64_t *out, const uint64_t *original, size_t n)
{
    const void *const from = in;
    void *const to = out;
    memcpy(in, original, n * sizeof *in);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = host_seconds();
    must(scankit_group_sort(group, SCANKIT_U64, &from, &to, &n, &n, NULL), "sort");
    MPI_Barrier(MPI_COMM_WORLD);
    return host_seconds() - start;
}

static double measure(scankit_group *group, size_t n, unsigned repeat)
{
    double seconds[REPEAT_MOST];
    shape_stream stream;
    uint64_t *original = malloc(3 * n * sizeof *original);
    if (original == NULL)
        give_up("host memory", scankit_error_string(SCANKIT_E_MEMORY));
    uint64_t *in = original + n, *out = in + n;
    shape_open(&stream, SHAPE_uniform, SCANKIT_U64, n, scankit_group_rank(group) + 1);
    shape_fill(&stream, original, n);
    (void)time_sort(group, in, out, original, n);
    for (unsigned r = 0; r < repeat; r++)
        seconds[r] = time_sort(group, in, out, original, n);
    free(original);
    return median_of(seconds, repeat);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    unsigned repeat = argc > 3 ? (unsigned)atoi(argv[3]) : 5;
    if (argc < 3 || repeat < 1 || repeat > REPEAT_MOST) {
        give_up("usage", "mpirun -n RANKS bench/ranks DEVICE BYTES [REPEAT]");
    }
    scankit_context *context;
    scankit_group *group;
    must(scankit_mpi_open(&context, argv[1], MPI_COMM_WORLD), argv[1]);
    must(scankit_mpi_group_open(&group, context, MPI_COMM_WORLD), "group");
    size_t members = scankit_group_members(group), n = strtoull(argv[2], NULL, 10) / sizeof(uint64_t) / members;
    double seconds = measure(group, n, repeat);
    if (scankit_group_rank(group) == 0)
        printf("%zu x %s: %zu u64: %.3f s\n", members, scankit_device_name(context), n * members, seconds);
    scankit_group_close(group);
    scankit_close(context);
    MPI_Finalize();
    return 0;
}
