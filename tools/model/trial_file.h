/* trial_file.h - how fast files are read and written. */
#ifndef TRIAL_FILE_H
#define TRIAL_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the memory to a temporary file by one thread, and reads it back by all processors; the file stays in memory if
 * it can. Sets bytes a second. Returns false if there can be no such file. */
bool time_file(char *memory, size_t bytes, double *read, double *write);

#endif
