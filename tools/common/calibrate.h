/* calibrate.h - --calibrate: measures the figures of this machine. */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include "options.h"

/* Measures both devices, prints the figures on standard output and keeps them. Takes some seconds. Returns the exit
 * status. */
int calibrate(const struct common *common);

#endif
