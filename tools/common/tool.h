/* tool.h - the main() of every tool. */
#ifndef TOOL_H
#define TOOL_H

#include "job.h"

/* A tool. Its request is a structure of its own that holds its options and a struct common. */
struct tool {
    struct cli_tool cli;
    bool in_blocks; /* it reads, computes and writes at the same time */
    bool ranks;     /* it has a program for ranks of MPI */
    bool arrow;     /* it writes elements, in Arrow's format too */
    bool commands;  /* its operands begin with a command; run() gets all of them, and checks them */

    /* Refuses options that contradict each other. Returns true if each FILE is to be replaced. */
    bool (*check)(void *request);

    /* Does the work. Returns the exit status. */
    int (*run)(const void *request, char *const *paths, size_t count, struct job *job);
};

/* For tools with `ranks`, once the options are known. The tool itself does without MPI: if the process is a rank of
 * MPI, this executes NAME-mpi, the tool's program with MPI. In that program, it starts MPI and returns true; all ranks
 * but the first wait until it calls ranks_follow(), so that only one complains about wrong options and files. */
bool ranks_begin(struct common *common, const char *tool, char **argv);

/* What NAME-mpi runs then instead of run(): the tool's by_ranks.c. Returns the exit status. */
int tool_by_ranks(const void *request, char *const *paths, size_t count, struct job *job);

int tool_main(int argc, char **argv, const struct tool *tool, void *request, struct common *common);

#endif
