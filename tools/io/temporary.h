/* temporary.h - temporary files that become outputs, and are gone when the tool ends before that, however it ends. */
#ifndef TEMPORARY_H
#define TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

/* Creates one in the target's folder, and answers its descriptor. */
int temporary_create(const char *target);

/* A descriptor's file, which is still open, that is to become the target. sync: the new name too reaches the disk. */
struct placement {
    int descriptor;
    const char *target;
    bool sync;
};

/* Makes up to two files their targets: both or, where one cannot be put in its place, none. Then it fails. */
void temporaries_place(const struct placement *placements, size_t count);

#endif
