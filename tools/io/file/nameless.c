/* nameless.c - see nameless.h. */
#include "nameless.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/cli.h"

const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder == NULL || folder[0] == '\0' ? "/tmp" : folder;
}

/* Not every file system has O_TMPFILE. There, a file loses its name at once. */
static int create_and_unlink(const char *folder)
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

int nameless_create(const char *folder)
{
    int descriptor = open(folder, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    return descriptor >= 0 ? descriptor : create_and_unlink(folder);
}
