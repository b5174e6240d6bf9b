/* temporary.h - temporary files that become outputs. They vanish if the tool ends before that, however it ends. */
#ifndef TEMPORARY_H
#define TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

/* Creates a temporary in the target's folder. Returns its descriptor. */
int temporary_create(const char *target);

/* The same, with a hidden name from the start, by which other processes find it. */
int temporary_create_named(const char *target);
const char *temporary_path(int descriptor);

/* Has this process, too, remove a file of that name if it fails or is asked to end. */
void temporary_share(const char *path);

/* A temporary, by its open descriptor, and the target that it becomes. sync: the folder is synced. */
struct placement {
    int descriptor;
    const char *target;
    bool sync;
};

/* Puts up to two temporaries in their places. If one cannot be, neither target changes, and it fails. */
void temporaries_place(const struct placement *placements, size_t count);

#endif
