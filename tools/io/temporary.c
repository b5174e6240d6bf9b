/* temporary.c - see temporary.h. A temporary is a file without a name where the file system has those (O_TMPFILE): the
 * kernel removes it however the process ends. It gets its name when it is complete. Elsewhere it has a hidden name from
 * the start, which failures, signals and exit() remove. */
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
    bool used;
    volatile sig_atomic_t named; /* path exists, and has to go where the tool fails */
    int descriptor;
    char path[8192], folder[8192];
    char self[64]; /* the descriptor's name in /proc, to link a file without a name */
} temporaries[TEMPORARIES];

static void remove_all(void)
{
    for (size_t i = 0; i < TEMPORARIES; i++) {
        if (temporaries[i].named)
            unlink(temporaries[i].path);
        temporaries[i].named = 0;
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
        if (!temporaries[i].used)
            return &temporaries[i];
    fail(NULL, "more than %d outputs at once", TEMPORARIES);
}

static void choose_path(struct temporary *temporary, const char *target)
{
    const size_t room = sizeof temporary->path;
    char *folder = strdup(target), *name = strdup(target);
    if (folder == NULL || name == NULL)
        fail(NULL, "out of memory");
    uint64_t unique;
    if (getrandom(&unique, sizeof unique, 0) != sizeof unique)
        fail(target, "no random numbers: %s", strerror(errno));
    const char *parent = dirname(folder);
    int length =
        snprintf(temporary->path, room, "%s/.%.200s.%016llx", parent, basename(name), (unsigned long long)unique);
    if (length < 0 || (size_t)length >= room)
        fail(target, "cannot open: %s", strerror(ENAMETOOLONG));
    strcpy(temporary->folder, parent); /* shorter than the path */
    free(folder);
    free(name);
}

/* Answers false where the file system has no files without a name, or they could not be given one without /proc. */
static bool open_nameless(struct temporary *temporary)
{
    temporary->descriptor = open(temporary->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (temporary->descriptor < 0)
        return false;
    snprintf(temporary->self, sizeof temporary->self, "/proc/self/fd/%d", temporary->descriptor);
    if (access(temporary->self, F_OK) == 0)
        return true;
    close(temporary->descriptor);
    return false;
}

static void open_named(struct temporary *temporary, const char *target)
{
    signal(SIGABRT, on_signal);
    temporary->named = 1; /* before it exists: a signal may come between */
    temporary->descriptor = open(temporary->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (temporary->descriptor < 0)
        fail(target, "cannot make a temporary file beside it: %s", strerror(errno));
}

int temporary_create(const char *target)
{
    struct temporary *temporary = free_place();
    choose_path(temporary, target);
    cli_at_failure(remove_all);
    signals_catch(on_signal);
    temporary->used = true;
    if (!open_nameless(temporary))
        open_named(temporary, target);
    return temporary->descriptor;
}

/* A rename lasts only when the folder is on disk too. Not every file system can do that, and the data are safe. */
static void sync_folder(const struct temporary *temporary)
{
    int folder = open(temporary->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        fsync(folder);
        close(folder);
    }
}

static bool link_to(const struct temporary *temporary, const char *path)
{
    return linkat(AT_FDCWD, temporary->self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

/* A link cannot replace a file, so a file without a name first gets a hidden one there. */
static bool put_in_place(struct temporary *temporary, const char *target)
{
    if (!temporary->named) {
        if (link_to(temporary, target))
            return true;
        if (errno != EEXIST)
            return false;
        temporary->named = 1;
        if (!link_to(temporary, temporary->path))
            return false;
    }
    if (rename(temporary->path, target) != 0)
        return false;
    temporary->named = 0;
    return true;
}

void temporary_rename(int descriptor, const char *target, bool sync)
{
    struct temporary *temporary = temporaries;
    while (!temporary->used || temporary->descriptor != descriptor)
        temporary++;
    if (!put_in_place(temporary, target))
        fail(target, "cannot be replaced: %s", strerror(errno));
    if (sync)
        sync_folder(temporary);
    temporary->used = false;
}
