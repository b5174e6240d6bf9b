/* temporary.h - temporary files that become outputs, and are gone when the tool ends before that, however it ends. */
#ifndef TEMPORARY_H
#define TEMPORARY_H

#include <stdbool.h>

/* Creates one in the target's folder, and answers its descriptor. */
int temporary_create(const char *target);

/* Makes that descriptor's file, which is still open, the target. sync: the new name too reaches the disk. */
void temporary_rename(int descriptor, const char *target, bool sync);

#endif
