/* temporary.h - temporary files that become outputs. They vanish if the tool ends before that, however it ends. */
#ifndef TEMPORARY_H
#define TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

/* Creates a temporary in the target's folder. Returns its descriptor. */
int temporary_create(const char *target);

/* A temporary, by its open descriptor, and the target that it becomes. sync: the folder is synced. */
struct placement {
    int descriptor;
    const char *target;
    bool sync;
};

/* Puts up to two temporaries in their places. If one cannot be, neither target changes, and it fails. */
void temporaries_place(const struct placement *placements, size_t count);

#endif
