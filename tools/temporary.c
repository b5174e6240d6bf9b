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

#include "cli.h"

static const int ending_signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM};
#define SIGNALS (sizeof ending_signals / sizeof ending_signals[0])

static char path[8192];
static volatile sig_atomic_t exists;

static void remove_it(void)
{
    if (exists)
        unlink(path);
    exists = 0;
}

/* Removes it and dies by the signal, as if that had not been caught. */
static void on_signal(int number)
{
    remove_it();
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_signals(void)
{
    for (size_t i = 0; i < SIGNALS; i++) {
        struct sigaction action = {.sa_handler = on_signal}, before;
        sigemptyset(&action.sa_mask);
        for (size_t k = 0; k < SIGNALS; k++)
            sigaddset(&action.sa_mask, ending_signals[k]);
        if (sigaction(ending_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ending_signals[i], &action, NULL);
    }
}

int temporary_create(const char *target)
{
    char *folder = strdup(target), *name = strdup(target);
    if (folder == NULL || name == NULL)
        fail(NULL, "out of memory");
    uint64_t unique;
    if (getrandom(&unique, sizeof unique, 0) != sizeof unique)
        fail(target, "no random numbers: %s", strerror(errno));
    int length = snprintf(path, sizeof path, "%s/.%.200s.%016llx", dirname(folder), basename(name),
                          (unsigned long long)unique);
    if (length < 0 || (size_t)length >= sizeof path)
        fail(target, "cannot open: %s", strerror(ENAMETOOLONG));
    free(folder);
    free(name);
    cli_at_failure(remove_it);
    catch_signals();
    exists = 1; /* before it does: a signal may come between */
    int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0)
        fail(target, "cannot make a temporary file beside it: %s", strerror(errno));
    return descriptor;
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

void temporary_rename(const char *target)
{
    if (rename(path, target) != 0)
        fail(target, "cannot be replaced: %s", strerror(errno));
    exists = 0;
    sync_folder(target);
}
