/* scankit_mpi.h - groups (scankit_group.h) whose members are the ranks of an MPI communicator.
 *
 * SPDX-License-Identifier: MIT
 *
 *     MPI_Init(NULL, NULL);
 *     scankit_context *context;
 *     scankit_group *group;
 *     if (scankit_mpi_open(&context, "auto", MPI_COMM_WORLD) != SCANKIT_OK) ...
 *     if (scankit_mpi_group_open(&group, context, MPI_COMM_WORLD) != SCANKIT_OK) ...
 *     scankit_group_sort(group, SCANKIT_U64, &in, &out, &n, &n, NULL);       this rank's part
 *     scankit_group_close(group);
 *     scankit_close(context);
 *     MPI_Finalize();
 *
 * Only the thread that calls a group's functions calls MPI: MPI_THREAD_FUNNELED is enough for the main thread. */
#ifndef SCANKIT_MPI_H
#define SCANKIT_MPI_H

#include <mpi.h>

#include "scankit_group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a context for this rank. "auto" and "cuda": ranks of one host take its GPUs in turn. "auto" without a GPU, and
 * "cpu": ranks of one host share its processors. Any other device of scankit_open(): that one. Collective. Errors as
 * scankit_open(); SCANKIT_E_DEVICE if MPI fails. */
SCANKIT_API scankit_error scankit_mpi_open(scankit_context **context, const char *device, MPI_Comm comm);

/* A group with one member for each rank of the communicator, which is duplicated. The context stays the caller's.
 * Collective. Close the group before MPI_Finalize(). Memory of GPUs goes directly where MPI can read it, otherwise
 * through the host, in pieces of 64 MiB. Where MPI fails, calls return SCANKIT_E_DEVICE; a rank that dies ends the job,
 * as MPI does. */
SCANKIT_API scankit_error scankit_mpi_group_open(scankit_group **group, scankit_context *context, MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
