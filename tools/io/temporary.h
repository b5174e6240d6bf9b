/* temporary.h - temporary files that become outputs, and are removed when the tool ends before that. */
#ifndef TEMPORARY_H
#define TEMPORARY_H

/* Creates one in the target's folder, and answers its descriptor. */
int temporary_create(const char *target);

/* Makes that descriptor's file the target. */
void temporary_rename(int descriptor, const char *target);

#endif
