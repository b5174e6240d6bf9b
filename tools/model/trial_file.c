/* trial_file.c - see trial_file.h. */
#include "trial_file.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "clock.h"
#include "machine.h"

#define READERS_MAX 16
#define PART_BYTES ((size_t)4 << 20) /* of one call */

/* A thread's part of the file. */
struct share {
    int file;
    char *memory;
    size_t begin, end;
    bool done, started;
    pthread_t thread;
};

static size_t next_part(size_t at, size_t end)
{
    return end - at < PART_BYTES ? end - at : PART_BYTES;
}

static void *read_share(void *argument)
{
    struct share *share = argument;
    share->done = true;
    for (size_t at = share->begin; at < share->end && share->done; at += PART_BYTES) {
        size_t part = next_part(at, share->end);
        share->done = pread(share->file, share->memory + at, part, (off_t)at) == (ssize_t)part;
    }
    return NULL;
}

static bool read_file(int file, char *memory, size_t bytes)
{
    struct share shares[READERS_MAX];
    unsigned count = machine_processors() < READERS_MAX ? machine_processors() : READERS_MAX;
    bool done = true;
    for (unsigned i = 0; i < count; i++) {
        size_t begin = bytes / count * i, end = i + 1 < count ? bytes / count * (i + 1) : bytes;
        shares[i] = (struct share){.file = file, .memory = memory, .begin = begin, .end = end};
        shares[i].started = pthread_create(&shares[i].thread, NULL, read_share, &shares[i]) == 0;
    }
    for (unsigned i = 0; i < count; i++) {
        if (shares[i].started)
            pthread_join(shares[i].thread, NULL);
        done = done && shares[i].done;
    }
    return done;
}

static bool write_file(int file, const char *memory, size_t bytes)
{
    bool done = true;
    for (size_t at = 0; at < bytes && done; at += PART_BYTES)
        done = pwrite(file, memory + at, next_part(at, bytes), (off_t)at) == (ssize_t)next_part(at, bytes);
    return done;
}

/* A file without a name, or at least without one later. */
static int make_file(void)
{
    char path[PATH_MAX];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/scankit-XXXXXX", folder != NULL && folder[0] != '\0' ? folder : "/tmp");
    int file = mkostemp(path, O_CLOEXEC);
    if (file >= 0)
        unlink(path);
    return file;
}

bool time_file(char *memory, size_t bytes, double *read, double *write)
{
    int file = make_file();
    if (file < 0)
        return false;
    double begin = seconds_now();
    bool done = write_file(file, memory, bytes);
    double middle = seconds_now();
    done = done && read_file(file, memory, bytes);
    *write = (double)bytes / (middle - begin);
    *read = (double)bytes / (seconds_now() - middle);
    close(file);
    return done;
}
