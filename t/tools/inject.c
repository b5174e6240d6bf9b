/* inject.c - faults for the tests of the tools, preloaded into them. Variables of the environment choose them:
 *
 *   INJECT_LOG=FILE        appends a line for each fsync() ("fsync PATH"), rename() and thread ("thread", or
 *                          "no thread" where it was refused)
 *   INJECT_THREADS=N       at most N threads live besides the first one; a further one is refused with EAGAIN
 *   INJECT_LATE_THREADS=N  thread number N, counting from 0, and all after it are refused
 *   INJECT_RENAME=N        rename number N, counting from 1, fails with EIO
 *   INJECT_SIGNAL=N        SIGTERM arrives just before rename number N
 *   INJECT_NAMED=1         the file system knows no nameless files
 *   INJECT_ABORT=1         the first fsync() or rename() aborts the process */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_long threads, started, renames;

/* The next definition of a function of the same name. */
#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))

static long setting(const char *name, long missing)
{
    const char *text = getenv(name);
    return text == NULL ? missing : atol(text);
}

static void note(const char *what, const char *path)
{
    const char *log = getenv("INJECT_LOG");
    FILE *file = log == NULL ? NULL : fopen(log, "ae");
    if (file == NULL)
        return;
    fprintf(file, "%s%s%s\n", what, path[0] == '\0' ? "" : " ", path);
    fclose(file);
}

static void abort_if_asked(void)
{
    if (setting("INJECT_ABORT", 0) != 0)
        abort();
}

int fsync(int descriptor)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    note("fsync", path);
    abort_if_asked();
    return NEXT(int (*)(int), "fsync")(descriptor);
}

static int next_rename_fails(const char *to)
{
    note("rename", to);
    abort_if_asked();
    long number = ++renames;
    if (number == setting("INJECT_SIGNAL", 0))
        raise(SIGTERM);
    errno = EIO;
    return number == setting("INJECT_RENAME", 0);
}

int rename(const char *from, const char *to)
{
    return next_rename_fails(to) ? -1 : NEXT(int (*)(const char *, const char *), "rename")(from, to);
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if ((flags & O_TMPFILE) == O_TMPFILE && setting("INJECT_NAMED", 0) != 0) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return NEXT(int (*)(const char *, int, ...), "open")(path, flags, mode);
}

/* ---- threads ---- */

struct start {
    void *(*run)(void *argument);
    void *argument;
};

static void end_thread(void *unused)
{
    (void)unused;
    threads--;
}

static void *run_thread(void *argument)
{
    struct start start = *(struct start *)argument;
    void *result;
    free(argument);
    pthread_cleanup_push(end_thread, NULL);
    result = start.run(start.argument);
    pthread_cleanup_pop(1);
    return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    long now = threads++, number = started++;
    if (now >= setting("INJECT_THREADS", 1 << 20) || number >= setting("INJECT_LATE_THREADS", 1 << 20)) {
        threads--;
        note("no thread", "");
        return EAGAIN;
    }
    struct start *start = malloc(sizeof *start);
    *start = (struct start){run, argument};
    note("thread", "");
    return NEXT(create *, "pthread_create")(thread, attributes, run_thread, start);
}
