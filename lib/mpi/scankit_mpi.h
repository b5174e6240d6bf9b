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

/* Opens a context for this rank. "auto" (or NULL) and "cuda": ranks of one host take its GPUs in turn. "auto" without a
 * GPU, and "cpu": ranks of one host share the processors that the launcher lets them run on. Any other device of
 * scankit_open(): that one. Collective. Errors as scankit_open(); SCANKIT_E_DEVICE if MPI fails. */
SCANKIT_API scankit_error scankit_mpi_open(scankit_context **context, const char *device, MPI_Comm comm);

/* A group with one member for each rank of the communicator, which is duplicated. The context stays the caller's, and
 * must exist as long as the group. Collective: if it fails on one rank, it fails on all. Close the group before
 * MPI_Finalize(). Memory of GPUs goes by NCCL where all ranks have it and a GPU of their own; else directly where MPI
 * can read it; else through 64 MiB of host memory. Where MPI or NCCL fails, calls return SCANKIT_E_DEVICE or
 * SCANKIT_E_MEMORY; a rank that dies ends the job, as MPI does.
 * SCANKIT_E_ARGUMENT: MPI is not initialised, or the communicator has no ranks or is an intercommunicator. */
SCANKIT_API scankit_error scankit_mpi_group_open(scankit_group **group, scankit_context *context, MPI_Comm comm);

/* One line about the last failure of MPI or NCCL that this thread saw, also within a call of a group: which of its functions,
 * and its message. Empty if there was none. */
SCANKIT_API const char *scankit_mpi_error_detail(void);

/* Bytes of arrays that this process has sent to other ranks so far, over all groups. */
SCANKIT_API uint64_t scankit_mpi_bytes_sent(void);

#ifdef __cplusplus
}
#endif

#endif
