/* run_folder.c - see run_folder.h. The kernel frees a nameless file (O_TMPFILE) however the process ends. Where the
 * file system has none, the file loses its name at once. */
#include "run_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cli.h"

static int open_unlinked(const char *folder)
{
    char *path;
    if (asprintf(&path, "%s/scankit-XXXXXX", folder) < 0)
        fail(NULL, "out of memory");
    int descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor >= 0)
        unlink(path);
    free(path);
    return descriptor;
}

static int open_nameless(const char *folder)
{
    int descriptor = open(folder, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor < 0)
        descriptor = open_unlinked(folder);
    if (descriptor < 0)
        fail(folder, "cannot make a temporary file: %s", strerror(errno));
    return descriptor;
}

static char *copy_path(const char *path)
{
    char *copy = strdup(path);
    if (copy == NULL)
        fail(NULL, "out of memory");
    return copy;
}

static const char *default_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder == NULL || folder[0] == '\0' ? "/tmp" : folder;
}

void run_folders_open(struct run_folders *folders, char *const *given, size_t count)
{
    *folders = (struct run_folders){.count = count > 0 ? count : 1};
    folders->paths = get_memory(folders->count * sizeof *folders->paths);
    for (size_t i = 0; i < folders->count; i++) {
        folders->paths[i] = copy_path(count > 0 ? given[i] : default_folder());
        close(open_nameless(folders->paths[i]));
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
    return open_nameless(*folder);
}
