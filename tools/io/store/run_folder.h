/* run_folder.h - folders for nameless temporaries. */
#ifndef RUN_FOLDER_H
#define RUN_FOLDER_H

#include <stddef.h>

struct run_folders {
    char **paths;
    size_t count, next;
};

/* Takes the folders given, else $TMPDIR, else /tmp. Fails if one of them cannot hold temporaries. */
void run_folders_open(struct run_folders *folders, char *const *given, size_t count);
void run_folders_close(struct run_folders *folders);

/* Creates a file without a name in the next folder. Returns its descriptor; *folder gets the folder's path. */
int run_folders_create(struct run_folders *folders, const char **folder);

#endif
