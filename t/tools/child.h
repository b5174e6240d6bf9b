/* child.h - parts of the tools that end the process, called in one of their own. */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Starts work(argument) in a child process, which exits with 0 if work() returns. child_end() waits for it. Returns its
 * exit status, or 128 and the signal that ended it; its standard error is in child_message() then. */
pid_t child_start(void (*work)(void *argument), void *argument);
int child_end(pid_t child);
int child_run(void (*work)(void *argument), void *argument);
const char *child_message(void);

/* Fails the current case unless work() fails with status 2 and one line that contains the text. */
void child_must_fail(void (*work)(void *argument), void *argument, const char *text);

/* A folder for the test's files, which is removed with all in it at the end of the process that made it. */
const char *test_folder(void);

/* Descriptors from 3 on that are open on regular files without a name. Returns their number. */
size_t nameless_files(int *descriptors, size_t most);

#endif
