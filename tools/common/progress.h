/* progress.h - a line on standard error that says how far it is. One thread at a time tells it. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "options.h"

void progress_start(const struct common *common);

/* A new phase ("reading") of total bytes, UINT64_MAX where that is not known. */
void progress_phase(const char *verb, uint64_t total);
void progress_add(uint64_t bytes);

/* Takes the line away. */
void progress_end(void);

#endif
