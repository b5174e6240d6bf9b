/* fault.c - see fault.h. */
#include "fault.h"

#include <stdio.h>
#include <string.h>

static _Thread_local char detail[MPI_MAX_ERROR_STRING + 64];

scankit_error sk_mpi_fault(const char *call, int code)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "unknown error";
    int length, class = MPI_ERR_OTHER;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        strcpy(text, "unknown error");
    if (MPI_Error_class(code, &class) != MPI_SUCCESS)
        class = MPI_ERR_OTHER;
    sk_mpi_note(call, text);
    return class == MPI_ERR_NO_MEM ? SCANKIT_E_MEMORY : SCANKIT_E_DEVICE;
}

scankit_error sk_mpi_note(const char *call, const char *text)
{
    snprintf(detail, sizeof detail, "%.*s: %s", (int)strcspn(call, "("), call, text);
    return SCANKIT_E_DEVICE;
}

scankit_error sk_mpi_refuse(const char *reason)
{
    snprintf(detail, sizeof detail, "%s", reason);
    return SCANKIT_E_ARGUMENT;
}

const char *scankit_mpi_error_detail(void)
{
    return detail;
}
