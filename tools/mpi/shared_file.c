/* shared_file.c - see shared_file.h. Each rank reads and writes 64 MiB at a time, all of them together: so MPI can make
 * long accesses of neighbouring parts, by few processes. */
#include "shared_file.h"

#include <errno.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "common/device.h"
#include "common/progress.h"
#include "rank.h"

#define STEP_BYTES ((size_t)64 << 20)

struct access {
    const struct shared_part *part;
    MPI_File file;
    char *stage; /* host memory of a step, unless MPI-IO reaches the device's */
    uint64_t steps;
};

static void check_file(const struct shared_part *part, int code, const char *doing)
{
    char text[MPI_MAX_ERROR_STRING + 1];
    int length;
    if (code == MPI_SUCCESS)
        return;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        text[0] = '\0';
    fail(part->name, "cannot %s: %s", doing, text);
}

/* Open MPI 4.1 does not open a file by a name of one letter, without a folder. */
static char *whole_path(const struct shared_part *part, const char *doing)
{
    char *path = realpath(part->path, NULL);
    if (path == NULL)
        fail(part->name, "cannot %s: %s", doing, strerror(errno));
    return path;
}

static void open_shared(struct access *access, int mode, const char *doing)
{
    const struct shared_part *part = access->part;
    char *path = whole_path(part, doing);
    check_file(part, MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &access->file), doing);
    free(path);
}

static struct access begin(const struct shared_part *part, int mode, const char *doing)
{
    struct access access = {.part = part, .steps = ranks_most((part->bytes + STEP_BYTES - 1) / STEP_BYTES)};
    open_shared(&access, mode, doing);
    if (!scankit_is_host(part->context))
        access.stage = get_memory(STEP_BYTES);
    return access;
}

static size_t step_bytes(const struct access *access, uint64_t step)
{
    uint64_t done = step * STEP_BYTES, bytes = access->part->bytes;
    return done >= bytes ? 0 : bytes - done < STEP_BYTES ? (size_t)(bytes - done) : STEP_BYTES;
}

static char *memory_of(const struct access *access, uint64_t step)
{
    const struct shared_part *part = access->part;
    if (access->stage != NULL)
        return access->stage;
    return step_bytes(access, step) == 0 ? part->memory : part->memory + step * STEP_BYTES;
}

/* Fewer bytes than asked for are an error that MPI does not call one. */
static void check_step(const struct access *access, int code, MPI_Status *status, size_t bytes, const char *doing)
{
    int done = 0;
    check_file(access->part, code, doing);
    MPI_Get_count(status, MPI_BYTE, &done);
    if (bytes > 0 && (done < 0 || (size_t)done != bytes))
        fail(access->part->name, "cannot %s: only %d of %zu bytes", doing, done, bytes);
    progress_add(bytes);
}

static void end(struct access *access, const char *doing)
{
    check_file(access->part, MPI_File_close(&access->file), doing);
    free(access->stage);
}

void shared_read(const struct shared_part *part)
{
    struct access access = begin(part, MPI_MODE_RDONLY, "read");
    for (uint64_t step = 0; step < access.steps; step++) {
        size_t bytes = step_bytes(&access, step);
        char *memory = memory_of(&access, step);
        MPI_Status status;
        int code = MPI_File_read_at_all(access.file, (MPI_Offset)(part->offset + step * STEP_BYTES), memory, (int)bytes,
                                        MPI_BYTE, &status);
        check_step(&access, code, &status, bytes, "read");
        if (access.stage != NULL && bytes > 0)
            check_call(part->context, scankit_upload(part->context, part->memory + step * STEP_BYTES, memory, bytes));
    }
    end(&access, "read");
}

void shared_write(const struct shared_part *part, int sync)
{
    struct access access = begin(part, MPI_MODE_RDWR, "write");
    for (uint64_t step = 0; step < access.steps; step++) {
        size_t bytes = step_bytes(&access, step);
        char *memory = memory_of(&access, step);
        MPI_Status status;
        if (access.stage != NULL && bytes > 0)
            check_call(part->context, scankit_download(part->context, memory, part->memory + step * STEP_BYTES, bytes));
        int code = MPI_File_write_at_all(access.file, (MPI_Offset)(part->offset + step * STEP_BYTES), memory,
                                         (int)bytes, MPI_BYTE, &status);
        check_step(&access, code, &status, bytes, "write");
    }
    if (sync)
        check_file(part, MPI_File_sync(access.file), "write");
    end(&access, "write");
}

/* ---- pieces ---- */

struct shared_stream {
    struct access access;
    struct shared_part part;
};

struct shared_stream *shared_stream_open(const char *path, const char *name, uint64_t offset)
{
    struct shared_stream *stream = get_memory(sizeof *stream);
    *stream = (struct shared_stream){.part = {.path = path, .name = name, .offset = offset}};
    stream->access.part = &stream->part;
    open_shared(&stream->access, MPI_MODE_RDWR, "write");
    return stream;
}

void shared_stream_put(void *state, const void *memory, size_t bytes)
{
    struct shared_stream *stream = state;
    for (size_t done = 0, step; done < bytes; done += step) {
        MPI_Status status;
        step = bytes - done < STEP_BYTES ? bytes - done : STEP_BYTES;
        int code = MPI_File_write_at(stream->access.file, (MPI_Offset)stream->part.offset, (const char *)memory + done,
                                     (int)step, MPI_BYTE, &status);
        check_step(&stream->access, code, &status, step, "write");
        stream->part.offset += step;
    }
}

void shared_stream_close(struct shared_stream *stream)
{
    check_file(&stream->part, MPI_File_sync(stream->access.file), "write");
    end(&stream->access, "write");
    free(stream);
}
