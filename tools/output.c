/* output.c - see output.h. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "temporary.h"

#define LINKS_MAX 40
#define CALL_BYTES ((size_t)1 << 30)

static void put(void *sink, const void *memory, size_t bytes)
{
    struct output *output = sink;
    for (const char *from = memory; bytes > 0;) {
        ssize_t written = write(output->descriptor, from, bytes < CALL_BYTES ? bytes : CALL_BYTES);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            fail(output->name, "cannot write: %s", strerror(errno));
        from += written;
        bytes -= (size_t)written;
        output->bytes += (uint64_t)written;
    }
}

static char *copy_text(const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL)
        fail(NULL, "out of memory");
    return copy;
}

/* The path itself, or where its links lead, whether or not that exists. */
static char *follow_links(const char *path)
{
    char *at = copy_text(path);
    char link[4096];
    for (int i = 0; i < LINKS_MAX; i++) {
        ssize_t length = readlink(at, link, sizeof link - 1);
        if (length < 0)
            return at;
        link[length] = '\0';
        char *next = NULL, *folder = copy_text(at);
        if (link[0] == '/')
            next = copy_text(link);
        else if (asprintf(&next, "%s/%s", dirname(folder), link) < 0)
            fail(NULL, "out of memory");
        free(folder);
        free(at);
        at = next;
    }
    fail(path, "cannot open: %s", strerror(ELOOP));
}

static mode_t default_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static void open_file(struct output *output, const char *path)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (!exists && errno != ENOENT)
        fail(path, "cannot open: %s", strerror(errno));
    if (exists && S_ISDIR(status.st_mode))
        fail(path, "is a directory");
    if (exists && !S_ISREG(status.st_mode)) {
        output->descriptor = open(path, O_WRONLY | O_CLOEXEC);
        if (output->descriptor < 0)
            fail(path, "cannot open: %s", strerror(errno));
        return;
    }
    if (exists && access(path, W_OK) != 0)
        fail(path, "cannot write: %s", strerror(errno));
    output->target = follow_links(path);
    output->descriptor = temporary_create(output->target);
    mode_t mode = default_mode();
    if (exists) {
        bool owned = fchown(output->descriptor, status.st_uid, status.st_gid) == 0;
        mode = status.st_mode & (owned ? 07777 : 0777);
    }
    if (fchmod(output->descriptor, mode) != 0)
        fail(path, "cannot set the mode: %s", strerror(errno));
}

void output_open(struct output *output, const char *path, bool gzip, int level)
{
    *output = (struct output){.name = path, .descriptor = STDOUT_FILENO};
    if (path != NULL && strcmp(path, "-") != 0) {
        open_file(output, path);
    } else {
        output->name = "standard output";
        if (path == NULL && isatty(STDOUT_FILENO))
            fail_usage("standard output is a terminal, and the result is binary; '-o -' writes it there");
    }
    if (gzip)
        output->bgzf = bgzf_open(level, put, output);
}

void output_write(struct output *output, const void *memory, size_t bytes)
{
    if (output->bgzf != NULL)
        bgzf_write(output->bgzf, memory, bytes);
    else
        put(output, memory, bytes);
}

void output_finish(struct output *output)
{
    if (output->bgzf != NULL)
        bgzf_close(output->bgzf);
    if (output->target != NULL && fsync(output->descriptor) != 0)
        fail(output->name, "cannot write: %s", strerror(errno));
    if (close(output->descriptor) != 0)
        fail(output->name, "cannot write: %s", strerror(errno));
    if (output->target != NULL)
        temporary_rename(output->target);
    free(output->target);
}
