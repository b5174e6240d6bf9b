/* temporary.c - see temporary.h. If the file system has files without a name (O_TMPFILE), a temporary gets a name only
 * when it is complete, and the kernel removes it however the process ends. Else it has a hidden name from the start,
 * which failures, signals, exit() and abort() remove. */
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
    volatile sig_atomic_t named; /* path exists, and is removed if the tool fails */
    int descriptor;
    char path[8192], folder[8192];
    char self[64]; /* the descriptor's path in /proc, which linkat() needs */
} temporaries[TEMPORARIES];

static void remove_all(void)
{
    for (size_t i = 0; i < TEMPORARIES; i++) {
        if (temporaries[i].named)
            unlink(temporaries[i].path);
        temporaries[i].named = 0;
    }
}

/* While two files are put in their places, a signal is only noted. */
static volatile sig_atomic_t signals_held, signal_waiting;

static void on_signal(int number)
{
    if (signals_held) {
        signal_waiting = number;
        return;
    }
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
    char *folder = copy_text(target), *name = copy_text(target);
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

/* Returns false if the file system has no files without a name, or without /proc, through which they get one. */
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
    temporary->named = 1; /* before it exists: a signal may come between */
    temporary->descriptor = open(temporary->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (temporary->descriptor < 0)
        fail(target, "cannot make a temporary file beside it: %s", strerror(errno));
}

static struct temporary *take_place(void)
{
    struct temporary *temporary = free_place();
    cli_at_failure(remove_all);
    signals_catch(on_signal);
    temporary->used = true;
    return temporary;
}

int temporary_create(const char *target)
{
    struct temporary *temporary = take_place();
    choose_path(temporary, target);
    if (!open_nameless(temporary))
        open_named(temporary, target);
    return temporary->descriptor;
}

int temporary_create_named(const char *target)
{
    struct temporary *temporary = take_place();
    choose_path(temporary, target);
    open_named(temporary, target);
    return temporary->descriptor;
}

void temporary_share(const char *path)
{
    struct temporary *temporary = take_place();
    temporary->descriptor = -1;
    snprintf(temporary->path, sizeof temporary->path, "%s", path);
    temporary->named = 1;
}

/* A rename survives a crash only if the folder is on disk too. Errors are ignored: not every file system can sync a
 * folder. */
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

/* Gives the file its hidden name. */
static bool give_name(struct temporary *temporary)
{
    if (!temporary->named) {
        temporary->named = 1; /* before it is: a signal may come between */
        return link_to(temporary, temporary->path);
    }
    return true;
}

/* link() cannot replace a file. So to replace one, a file without a name first gets its hidden name. */
static bool put_in_place(struct temporary *temporary, const char *target)
{
    if (!temporary->named && link_to(temporary, target))
        return true;
    if ((!temporary->named && errno != EEXIST) || !give_name(temporary) || rename(temporary->path, target) != 0)
        return false;
    temporary->named = 0;
    return true;
}

/* ---- one, or two ---- */

static struct temporary *find(int descriptor)
{
    struct temporary *temporary = temporaries;
    while (!temporary->used || temporary->descriptor != descriptor)
        temporary++;
    return temporary;
}

static void finish(const struct placement *placement)
{
    struct temporary *temporary = find(placement->descriptor);
    if (placement->sync)
        sync_folder(temporary);
    temporary->used = false;
}

static NO_RETURN void refuse(const struct placement *placement, int error)
{
    fail(placement->target, "cannot be replaced: %s", strerror(error));
}

static void place_one(const struct placement *placement)
{
    if (!put_in_place(find(placement->descriptor), placement->target))
        refuse(placement, errno);
    finish(placement);
}

/* Signals wait while one of two files is in its place. */
static void hold_signals(void)
{
    signals_held = 1;
}

static void release_signals(void)
{
    signals_held = 0;
    if (signal_waiting != 0)
        on_signal(signal_waiting);
}

/* Restores the first target: its old file, or none. */
static void put_back(const struct placement *first, const char *old)
{
    if (old != NULL ? rename(old, first->target) != 0 : unlink(first->target) != 0)
        say(first->target, "was replaced, and cannot be put back: %s", strerror(errno));
}

/* Both files get their names before the first rename. The first target's old file keeps a second name until the second
 * rename is done. */
static void place_two(const struct placement pair[2])
{
    struct temporary *const files[2] = {find(pair[0].descriptor), find(pair[1].descriptor)};
    char old[sizeof files[0]->path + 4];
    snprintf(old, sizeof old, "%s.old", files[0]->path);
    for (int i = 0; i < 2; i++)
        if (access(pair[i].target, F_OK) == 0 && !give_name(files[i]))
            refuse(&pair[i], errno);
    hold_signals();
    bool existed = link(pair[0].target, old) == 0, undo = existed || errno == ENOENT;
    if (!put_in_place(files[0], pair[0].target)) {
        int error = errno;
        unlink(old);
        refuse(&pair[0], error);
    }
    if (!put_in_place(files[1], pair[1].target)) {
        int error = errno;
        if (undo)
            put_back(&pair[0], existed ? old : NULL);
        refuse(&pair[1], error);
    }
    if (existed)
        unlink(old);
    release_signals();
    finish(&pair[0]);
    finish(&pair[1]);
}

const char *temporary_path(int descriptor)
{
    return find(descriptor)->path;
}

void temporaries_place(const struct placement *placements, size_t count)
{
    if (count == 2)
        place_two(placements);
    else if (count == 1)
        place_one(placements);
}
