/* launcher.c - is this process a rank? */
#include <stdlib.h>

#include "launcher.h"

/* What launchers set: Open MPI's mpirun; mpiexec of MPICH, Intel MPI and others, and srun with PMI2; srun for each of
 * its steps, but not for a batch script. */
unsigned long ranks_expected(void)
{
    static const char *const sizes[][2] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                           {"PMI_SIZE", "PMI_RANK"},
                                           {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *size = getenv(sizes[i][0]);
        if (size != NULL && getenv(sizes[i][1]) != NULL)
            return strtoul(size, NULL, 10);
    }
    return 0;
}

bool ranks_wanted(const struct common *common)
{
    unsigned long expected = ranks_expected();
    if (common->mpi != 0)
        return common->mpi > 0;
    return expected > 1 || (expected == 0 && getenv("PMIX_RANK") != NULL);
}
