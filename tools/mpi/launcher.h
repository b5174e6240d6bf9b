/* launcher.h - what the launcher of a process says about ranks. */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include "common/options.h"

/* The ranks that the launcher says there are; 0: it does not say, or this is no rank. */
unsigned long ranks_expected(void);

/* True if --mpi asks for ranks, or a launcher started several processes and --no-mpi does not forbid it. */
bool ranks_wanted(const struct common *common);

#endif
