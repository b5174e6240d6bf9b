/* ranks.c - a sort over MPI ranks: mpirun -n RANKS bench/ranks DEVICE BYTES [REPEAT [MEMORY]]
 *
 * Random u64 in even parts, in memory of the devices. Rank 0 prints the median of the seconds, between two points that
 * all ranks reach, and the rate at which each rank gives its part to the next. One rank with the device cpu:2 is one
 * process with two threads. MEMORY bounds the bytes that a rank receives before it merges them. */
#include <stdio.h>
#include <stdlib.h>

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

/* This rank's part, in the memory of its device. */
typedef struct part {
    void *original, *in, *out;
    size_t n;
} part;

static void *allocate(scankit_context *context, size_t n)
{
    void *memory;
    must(scankit_allocate(context, &memory, n * sizeof(uint64_t)), "memory of the device");
    return memory;
}

static part open_part(scankit_group *group, scankit_context *context, size_t n)
{
    part p = {allocate(context, n), allocate(context, n), allocate(context, n), n};
    uint64_t *host = malloc(n * sizeof *host);
    shape_stream stream;
    if (host == NULL)
        give_up("host memory", scankit_error_string(SCANKIT_E_MEMORY));
    shape_open(&stream, SHAPE_uniform, SCANKIT_U64, n, scankit_group_rank(group) + 1);
    shape_fill(&stream, host, n);
    must(scankit_upload(context, p.original, host, n * sizeof *host), "upload");
    free(host);
    return p;
}

static void close_part(scankit_context *context, part *p)
{
    scankit_free(context, p->original);
    scankit_free(context, p->in);
    scankit_free(context, p->out);
}

static void meet(scankit_context *context)
{
    must(scankit_synchronize(context), "synchronize");
    MPI_Barrier(MPI_COMM_WORLD);
}

static double time_sort(scankit_group *group, scankit_context *context, part *p)
{
    must(scankit_copy(context, p->in, p->original, p->n * sizeof(uint64_t)), "copy");
    meet(context);
    double start = host_seconds();
    const void *in = p->in;
    must(scankit_group_sort(group, SCANKIT_U64, &in, &p->out, &p->n, &p->n, NULL), "sort");
    meet(context);
    return host_seconds() - start;
}

/* Every rank gives its whole part to the next one; the last one gives none. Bytes a second of one rank. */
static double time_exchange(scankit_group *group, scankit_context *context, part *p)
{
    const size_t rank = scankit_group_rank(group), members = scankit_group_members(group);
    const size_t n = rank + 1 < members ? p->n : 0, to = rank > 0 ? p->n : 0;
    const void *in = p->in;
    meet(context);
    double start = host_seconds();
    must(scankit_group_redistribute(group, sizeof(uint64_t), &in, &n, &p->out, &to), "redistribute");
    meet(context);
    return (double)(p->n * sizeof(uint64_t)) / (host_seconds() - start);
}

typedef double timed(scankit_group *group, scankit_context *context, part *p);

/* The median, after one run that does not count. */
static double measure(timed *run, scankit_group *group, scankit_context *context, part *p, unsigned repeat)
{
    double figures[REPEAT_MOST];
    (void)run(group, context, p);
    for (unsigned r = 0; r < repeat; r++)
        figures[r] = run(group, context, p);
    return median_of(figures, repeat);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    unsigned repeat = argc > 3 ? (unsigned)atoi(argv[3]) : 5;
    if (argc < 3 || repeat < 1 || repeat > REPEAT_MOST) {
        give_up("usage", "mpirun -n RANKS bench/ranks DEVICE BYTES [REPEAT [MEMORY]]");
    }
    scankit_context *context;
    scankit_group *group;
    must(scankit_mpi_open(&context, argv[1], MPI_COMM_WORLD), argv[1]);
    must(scankit_mpi_group_open(&group, context, MPI_COMM_WORLD), "group");
    must(scankit_group_set_memory(group, argc > 4 ? strtoull(argv[4], NULL, 10) : 0), "memory");
    size_t members = scankit_group_members(group), n = strtoull(argv[2], NULL, 10) / sizeof(uint64_t) / members;
    part p = open_part(group, context, n);
    double seconds = measure(time_sort, group, context, &p, repeat);
    double rate = members > 1 ? measure(time_exchange, group, context, &p, repeat) : 0;
    if (scankit_group_rank(group) == 0)
        printf("%zu x %s: %zu u64: %.5f s, exchange %.1f GB/s\n", members, scankit_device_name(context), n * members,
               seconds, rate * 1e-9);
    close_part(context, &p);
    scankit_group_close(group);
    scankit_close(context);
    MPI_Finalize();
    return 0;
}
