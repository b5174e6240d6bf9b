/* each_group.c - the programs of t/group/ on the group of all ranks. Rank 0 prints; the exit status of a rank says
 * whether its part was right. SCANKIT_TEST_RANK_DEVICE=cuda in the environment: on the GPUs of the host. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#include "group/parts.h"
#include "scankit_mpi.h"
#include "support/tap.h"

/* Ranks beside rank 0 print only their failures. */
static void be_quiet(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0 && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        tap_bail_out("no output");
}

int parts_each_group(void (*test)(scankit_group *group, const char *name))
{
    scankit_context *context;
    scankit_group *group;
    const char *device = getenv("SCANKIT_TEST_RANK_DEVICE");
    MPI_Init(NULL, NULL);
    be_quiet();
    if (scankit_mpi_open(&context, device == NULL ? "cpu:1" : device, MPI_COMM_WORLD) != SCANKIT_OK ||
        scankit_mpi_group_open(&group, context, MPI_COMM_WORLD) != SCANKIT_OK)
        tap_bail_out("no group");
    test(group, "MPI");
    scankit_group_close(group);
    scankit_close(context);
    scankit_close(parts_alone());
    int status = tap_finish();
    MPI_Finalize();
    return status;
}
