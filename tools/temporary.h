/* temporary.h - the temporary file that becomes the output, and is removed when the tool ends before that. */
#ifndef TEMPORARY_H
#define TEMPORARY_H

/* Creates it in the target's folder, and answers its descriptor. One at a time. */
int temporary_create(const char *target);

/* Makes it the target. */
void temporary_rename(const char *target);

#endif
