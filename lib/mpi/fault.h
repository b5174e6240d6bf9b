/* fault.h - failures of MPI, as errors with a line of detail. */
#ifndef SK_MPI_FAULT_H
#define SK_MPI_FAULT_H

#include "scankit_mpi.h"

/* Notes what MPI says about a call that returned this code. SCANKIT_E_MEMORY or SCANKIT_E_DEVICE. */
scankit_error sk_mpi_fault(const char *call, int code);

/* Notes what another library says about a call. SCANKIT_E_DEVICE. */
scankit_error sk_mpi_note(const char *call, const char *text);

/* Notes a refusal. */
scankit_error sk_mpi_refuse(const char *reason);

#define TRY_MPI(call)                                \
    do {                                             \
        int code_of_mpi = (call);                    \
        if (code_of_mpi != MPI_SUCCESS)              \
            return sk_mpi_fault(#call, code_of_mpi); \
    } while (0)

#define TRY(call)                      \
    do {                               \
        scankit_error result = (call); \
        if (result != SCANKIT_OK)      \
            return result;             \
    } while (0)

#endif
