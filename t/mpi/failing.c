/* failing.c - a rank that fails, and a rank that dies. With "die", the last rank kills itself inside of a sort of many
 * rounds. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scankit_mpi.h"

#define N 100000

/* A context that one rank lacks, and communicators that are none. */
static int fail_to_open(scankit_context *context, int rank, int size)
{
    scankit_group *group = (scankit_group *)&group;
    scankit_error error = scankit_mpi_group_open(&group, rank == size - 1 ? NULL : context, MPI_COMM_WORLD);
    if (error != SCANKIT_E_ARGUMENT || group != NULL || scankit_mpi_error_detail()[0] == '\0') {
        fprintf(stderr, "rank %d: opens without a context: %s\n", rank, scankit_error_string(error));
        return 1;
    }
    return scankit_mpi_group_open(&group, context, MPI_COMM_NULL) != SCANKIT_E_ARGUMENT || group != NULL;
}

static int fail_together(scankit_group *group, int rank, int size)
{
    uint32_t *keys = calloc(N, sizeof *keys);
    const void *in = rank == size - 1 ? NULL : keys;
    void *out = keys;
    const size_t n = N;
    char name[32];
    scankit_error error = scankit_group_sort(group, SCANKIT_U32, &in, &out, &n, &n, NULL);
    snprintf(name, sizeof name, "member %d: ", size - 1);
    if (error != SCANKIT_E_ARGUMENT || strstr(scankit_group_error_detail(group), name) == NULL) {
        fprintf(stderr, "rank %d: %s: %s\n", rank, scankit_error_string(error), scankit_group_error_detail(group));
        return 1;
    }
    in = keys;
    error = scankit_group_sort(group, SCANKIT_U32, &in, &out, &n, &n, NULL);
    free(keys);
    return error != SCANKIT_OK;
}

static int die(scankit_group *group, int rank, int size)
{
    uint64_t sum, one = 1;
    const void *in = &one;
    const size_t n = 1;
    for (int call = 0;; call++) {
        if (call == 100 && rank == size - 1)
            raise(SIGKILL);
        if (scankit_group_reduce(group, SCANKIT_U64, SCANKIT_SUM, &in, &sum, &n) != SCANKIT_OK)
            return 1;
    }
}

int main(int argc, char **argv)
{
    scankit_context *context;
    scankit_group *group;
    int rank, size;
    if (scankit_mpi_group_open(&group, NULL, MPI_COMM_WORLD) != SCANKIT_E_ARGUMENT)
        return 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (scankit_mpi_open(&context, "cpu:1", MPI_COMM_WORLD) != SCANKIT_OK || fail_to_open(context, rank, size) != 0 ||
        scankit_mpi_group_open(&group, context, MPI_COMM_WORLD) != SCANKIT_OK)
        return 1;
    int status = (argc > 1 ? die : fail_together)(group, rank, size);
    scankit_group_close(group);
    scankit_close(context);
    MPI_Finalize();
    return status;
}
