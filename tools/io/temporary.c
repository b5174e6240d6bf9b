/* temporary.c - see temporary.h. */
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "common/cli.h"
#include "common/signals.h"

#define TEMPORARIES 2

static struct temporary {
    char path[8192];
    volatile sig_atomic_t exists;
    int descriptor;
} temporaries[TEMPORARIES];

static void remove_all(void)
{
    for (size_t i = 0; i < TEMPORARIES; i++) {
        if (temporaries[i].exists)
            unlink(temporaries[i].path);
        temporaries[i].exists = 0;
    }
}

static void on_signal(int number)
{
    remove_all();
    signals_die(number);
}

static struct temporary *free_place(void)
{
    for (size_t i = 0; i < TEMPORARIES; i++)
        if (!temporaries[i].exists)
            return &temporaries[i];
    fail(NULL, "more than %d outputs at once", TEMPORARIES);
}

int temporary_create(const char *target)
{
    struct temporary *temporary = free_place();
    char *folder = strdup(target), *name = strdup(target);
    if (folder == NULL || name == NULL)
        fail(NULL, "out of memory");
    uint64_t unique;
    if (getrandom(&unique, sizeof unique, 0) != sizeof unique)
        fail(target, "no random numbers: %s", strerror(errno));
    int length = snprintf(temporary->path, sizeof temporary->path, "%s/.%.200s.%016llx", dirname(folder),
                          basename(name), (unsigned long long)unique);
    if (length < 0 || (size_t)length >= sizeof temporary->path)
        fail(target, "cannot open: %s", strerror(ENAMETOOLONG));
    free(folder);
    free(name);
    cli_at_failure(remove_all);
    signals_catch(on_signal);
    temporary->exists = 1; /* before it does: a signal may come between */
    temporary->descriptor = open(temporary->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (temporary->descriptor < 0)
        fail(target, "cannot make a temporary file beside it: %s", strerror(errno));
    return temporary->descriptor;
}

/* A rename lasts only when the folder is on disk too. Not every file system can do that, and the data are safe. */
static void sync_folder(const char *target)
{
    char *copy = strdup(target);
    int folder = copy == NULL ? -1 : open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        fsync(folder);
        close(folder);
    }
    free(copy);
}

void temporary_rename(int descriptor, const char *target, bool sync)
{
    struct temporary *temporary = temporaries;
    while (!temporary->exists || temporary->descriptor != descriptor)
        temporary++;
    if (rename(temporary->path, target) != 0)
        fail(target, "cannot be replaced: %s", strerror(errno));
    temporary->exists = 0;
    if (sync)
        sync_folder(target);
}
