/* nameless.h - files without a name, which the kernel removes however the process ends. */
#ifndef NAMELESS_H
#define NAMELESS_H

/* $TMPDIR, else /tmp. */
const char *temporary_folder(void);

/* Creates a file in the folder, to be read and written. Returns its descriptor, or -1 with errno set. */
int nameless_create(const char *folder);

#endif
