/* crew.h - a loop whose turns several threads share. */
#ifndef CREW_H
#define CREW_H

#include <stddef.h>

/* Calls work(state, i, thread) for each i below count; thread is below `threads`. The caller is one of the threads. */
void crew_run(unsigned threads, size_t count, void (*work)(void *state, size_t i, unsigned thread), void *state);

#endif
