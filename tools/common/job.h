/* job.h - one start of a tool: its options, its device, and what it did. */
#ifndef JOB_H
#define JOB_H

#include "device.h"
#include "stats.h"

struct job {
    const struct common *common;
    struct device device;
    struct stats stats;
};

#endif
