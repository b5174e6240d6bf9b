/* survive.h - runs code of the tools in the process of a fuzzer. The linker's --wrap sends calls of fail() here, which
 * return to survive() instead of ending the process, and calls of malloc() and its like, so that memory which the tools
 * leave to the end of the process is freed. See survive_ldflags in local.mk. */
#ifndef SURVIVE_H
#define SURVIVE_H

#include <stdbool.h>
#include <stddef.h>

/* Calls work(state). Returns false if that ended in fail(), and aborts if it returned but left memory allocated. */
bool survive(void (*work)(void *state), void *state);

/* The message of the last fail(). */
const char *survive_message(void);

/* Makes these bytes standard input, as a regular file. */
void survive_input(const void *bytes, size_t size);

#endif
