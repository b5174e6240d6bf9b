/* hold.c - see hold.h. */
#include "hold.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/nameless.h"
#include "file/pread.h"

#define FIRST_BYTES ((size_t)1 << 20)
#define MEMORY_BYTES ((uint64_t)256 << 20) /* more would only take the place of cached pages of the file */
#define COPY_BYTES ((size_t)4 << 20)

struct hold {
    char *memory;
    size_t used, room;
    uint64_t most;
    int file; /* -1: none yet */
    uint64_t file_bytes;
    const char *folder, *why;
};

struct hold *hold_open(uint64_t memory_most, const char *why)
{
    struct hold *hold = get_memory(sizeof *hold);
    *hold = (struct hold){.most = memory_most < MEMORY_BYTES ? memory_most : MEMORY_BYTES, .file = -1, .why = why};
    return hold;
}

/* ---- the file ---- */

static NO_RETURN void refuse(const struct hold *hold, const char *what)
{
    int error = errno;
    fail(hold->folder, "cannot %s a temporary file, where %s: %s%s", what, hold->why, strerror(error),
         strcmp(hold->why, HOLD_FOR_NPY) == 0 ? "; --raw needs none" : "");
}

static void open_file(struct hold *hold)
{
    hold->folder = temporary_folder();
    hold->file = nameless_create(hold->folder);
    if (hold->file < 0)
        refuse(hold, "make");
}

static void add_to_file(struct hold *hold, const char *from, size_t bytes)
{
    if (hold->file < 0)
        open_file(hold);
    while (bytes > 0) {
        ssize_t written = write(hold->file, from, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            refuse(hold, "write");
        from += written;
        bytes -= (size_t)written;
        hold->file_bytes += (uint64_t)written;
    }
}

static void pass_file(struct hold *hold, write_function *write, void *sink)
{
    char *block = get_memory(COPY_BYTES);
    for (uint64_t done = 0, step; done < hold->file_bytes; done += step) {
        step = hold->file_bytes - done < COPY_BYTES ? hold->file_bytes - done : COPY_BYTES;
        size_t got = pread_all(hold->file, block, (size_t)step, done, 1);
        if (got != PREAD_FAILED && got < step)
            errno = EIO;
        if (got != step)
            refuse(hold, "read");
        write(sink, block, (size_t)step);
    }
    free(block);
}

/* ---- all of it ---- */

/* Makes room in memory. Returns false if there may or can be no more. */
static bool make_room(struct hold *hold, size_t bytes)
{
    if (hold->file >= 0 || bytes > hold->most - hold->used)
        return false;
    if (bytes <= hold->room - hold->used)
        return true;
    size_t room = 2 * hold->room + bytes + FIRST_BYTES;
    char *grown = realloc(hold->memory, room);
    if (grown == NULL)
        return false;
    hold->memory = grown;
    hold->room = room;
    return true;
}

void hold_add(void *state, const void *memory, size_t bytes)
{
    struct hold *hold = state;
    if (!make_room(hold, bytes)) {
        add_to_file(hold, memory, bytes);
        return;
    }
    memcpy(hold->memory + hold->used, memory, bytes);
    hold->used += bytes;
}

uint64_t hold_bytes(const struct hold *hold)
{
    return hold->used + hold->file_bytes;
}

void hold_pass(struct hold *hold, write_function *write, void *sink)
{
    if (hold->used > 0)
        write(sink, hold->memory, hold->used);
    if (hold->file >= 0)
        pass_file(hold, write, sink);
}

void hold_close(struct hold *hold)
{
    if (hold == NULL)
        return;
    if (hold->file >= 0)
        close(hold->file);
    free(hold->memory);
    free(hold);
}
