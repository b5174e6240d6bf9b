/* workspace.h - the folder of a job that can be resumed: runs with names, and a manifest of those that are complete. At
 * any moment the folder is such that the same job can go on from it, even if the process is killed or the machine
 * stops: the manifest is replaced as a whole, and names only runs that are on disk. */
#ifndef WORKSPACE_H
#define WORKSPACE_H

#include "manifest.h"
#include "run_file.h"

struct workspace {
    const char *path;
    int folder, lock; /* lock -1: it is only read */
    struct manifest manifest;
    struct run_file *files; /* of the runs that are resumed, in the order of the manifest */
    size_t resumed;
    uint64_t next; /* number of the next run */
};

/* Opens the folder, or makes it. Keeps the complete runs if the manifest belongs to the same job, and removes other
 * files of its own. Fails if there is anything else, or if another process uses the folder. */
void workspace_open(struct workspace *workspace, const char *path, const char *key, size_t element);

/* Opens the runs that another process completed, to be read while others may do the same. Without a folder or a
 * manifest there are none. */
void workspace_open_kept(struct workspace *workspace, const char *path, const char *key, size_t element);

/* Creates the file of a new run. Returns its descriptor; *number gets its number. */
int workspace_create(struct workspace *workspace, uint64_t *number);

/* The path of a run's file, with free() left to the caller. */
char *workspace_path(const struct workspace *workspace, uint64_t number);

/* Puts a run whose file is on disk into the manifest. */
void workspace_add(struct workspace *workspace, const struct manifest_run *run);

/* Removes a run's file. The next manifest will not name it. */
void workspace_remove(struct workspace *workspace, uint64_t number);

/* Removes all files of its own, and the folder if workspace_open() made it. */
void workspace_close(struct workspace *workspace);

/* Closes it and keeps the runs and the manifest. */
void workspace_leave(struct workspace *workspace);

#endif
