/* run_folder.c - see run_folder.h. */
#include "run_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cli.h"
#include "io/file/nameless.h"

static int create_in(const char *folder)
{
    int descriptor = nameless_create(folder);
    if (descriptor < 0)
        fail(folder, "cannot make a temporary file: %s", strerror(errno));
    return descriptor;
}

void run_folders_open(struct run_folders *folders, char *const *given, size_t count)
{
    *folders = (struct run_folders){.count = count > 0 ? count : 1};
    folders->paths = get_memory(folders->count * sizeof *folders->paths);
    for (size_t i = 0; i < folders->count; i++) {
        folders->paths[i] = copy_text(count > 0 ? given[i] : temporary_folder());
        close(create_in(folders->paths[i]));
    }
}

void run_folders_close(struct run_folders *folders)
{
    for (size_t i = 0; i < folders->count; i++)
        free(folders->paths[i]);
    free(folders->paths);
    *folders = (struct run_folders){0};
}

int run_folders_create(struct run_folders *folders, const char **folder)
{
    *folder = folders->paths[folders->next++ % folders->count];
    return create_in(*folder);
}
