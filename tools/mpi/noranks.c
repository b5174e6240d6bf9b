/* noranks.c - a tool without MPI never works as a rank: it gives way to its program with MPI. That one stands beside it
 * in a build's folder, and in libexec once installed. */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/tool.h"
#include "launcher.h"

static void execute_beside(const char *tool, char **argv)
{
    char self[4096], path[sizeof self + 64];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return;
    self[length] = '\0';
    snprintf(path, sizeof path, "%s/%s-mpi", dirname(self), tool);
    execv(path, argv);
}

bool ranks_begin(struct common *common, const char *tool, char **argv)
{
    char path[4096];
    if (!ranks_wanted(common))
        return false;
    execute_beside(tool, argv);
    snprintf(path, sizeof path, "%s/%s-mpi", SCANKIT_LIBEXEC, tool);
    execv(path, argv);
    fail(NULL,
         "was started as a rank of an MPI job, but its program for that, %s, cannot be run: %s; --no-mpi works on each "
         "rank alone",
         path, strerror(errno));
}

int tool_by_ranks(const void *request, char *const *paths, size_t count, struct job *job)
{
    (void)request;
    (void)paths;
    (void)count;
    (void)job;
    return STATUS_TROUBLE;
}
