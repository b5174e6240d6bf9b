/* progress.h - a progress line on standard error. Only one thread at a time may update it. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "options.h"

void progress_start(const struct common *common);

/* Begins a phase ("reading") of total bytes; UINT64_MAX: unknown. */
void progress_phase(const char *verb, uint64_t total);
void progress_add(uint64_t bytes);

/* Erases the line. */
void progress_end(void);

#endif
