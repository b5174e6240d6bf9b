/* tool.h - the main() of every tool. */
#ifndef TOOL_H
#define TOOL_H

#include "job.h"

/* A tool. Its request is a structure of its own that holds its options and a struct common. */
struct tool {
    struct cli_tool cli;
    bool in_blocks; /* it reads, computes and writes at the same time */
    bool commands;  /* its operands begin with a command; run() gets all of them, and checks them */

    /* Refuses options that contradict each other. Returns true if each FILE is to be replaced. */
    bool (*check)(void *request);

    /* Does the work. Returns the exit status. */
    int (*run)(const void *request, char *const *paths, size_t count, struct job *job);
};

int tool_main(int argc, char **argv, const struct tool *tool, void *request, struct common *common);

#endif
