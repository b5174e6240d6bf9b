/* run_file.c - see run_file.h. Block i of the data is at byte i * BLOCK_BYTES of the file. */
#include "run_file.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cli.h"

#define BATCH_BLOCKS ((size_t)16) /* a call of pwrite() */
#define READ_BYTES ((size_t)8 * BLOCK_BYTES) /* a call of pread(): still cached when its checksums are computed */
#define SHARE_BYTES ((size_t)4 << 20) /* less is not worth a thread */
#define THREADS_MAX 64

void run_file_open(struct run_file *file, int descriptor, const char *name, unsigned threads)
{
    *file = (struct run_file){.descriptor = descriptor, .name = name, .threads = threads};
}

void run_file_close(struct run_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    free(file->checksums);
    free(file->tail);
    *file = (struct run_file){.descriptor = -1};
}

/* ---- writing ---- */

static void reserve_blocks(struct run_file *file, size_t more)
{
    size_t need = file->blocks + more;
    if (need <= file->room)
        return;
    size_t room = need > 2 * file->room ? need : 2 * file->room;
    uint32_t *grown = realloc(file->checksums, room * sizeof *grown);
    if (grown == NULL)
        fail(NULL, "out of memory");
    file->checksums = grown;
    file->room = room;
}

static void write_all(const struct run_file *file, const char *from, size_t bytes, uint64_t offset)
{
    while (bytes > 0) {
        ssize_t written = pwrite(file->descriptor, from, bytes, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            fail(file->name, "cannot write a temporary file, at byte %llu: %s", (unsigned long long)offset,
                 strerror(written < 0 ? errno : EIO));
        from += written;
        bytes -= (size_t)written;
        offset += (uint64_t)written;
    }
}

/* Whole blocks that threads share. */
struct append {
    struct run_file *file;
    const char *memory;
    size_t first, blocks; /* block number of the first one in the file */
    atomic_size_t next;
};

static void *append_batches(void *argument)
{
    struct append *append = argument;
    for (;;) {
        size_t begin = atomic_fetch_add(&append->next, BATCH_BLOCKS);
        if (begin >= append->blocks)
            return NULL;
        size_t count = append->blocks - begin < BATCH_BLOCKS ? append->blocks - begin : BATCH_BLOCKS;
        const char *from = append->memory + begin * BLOCK_BYTES;
        size_t block = append->first + begin;
        for (size_t i = 0; i < count; i++)
            append->file->checksums[block + i] = block_checksum(from + i * BLOCK_BYTES, BLOCK_BYTES);
        write_all(append->file, from, count * BLOCK_BYTES, (uint64_t)block * BLOCK_BYTES);
    }
}

static void append_blocks(struct run_file *file, const char *memory, size_t blocks)
{
    struct append append = {.file = file, .memory = memory, .first = file->blocks, .blocks = blocks};
    pthread_t threads[THREADS_MAX];
    size_t helpers = blocks * BLOCK_BYTES / SHARE_BYTES, started = 0;
    if (helpers >= file->threads)
        helpers = file->threads > 0 ? file->threads - 1 : 0;
    if (helpers > THREADS_MAX)
        helpers = THREADS_MAX;
    reserve_blocks(file, blocks);
    while (started < helpers && pthread_create(&threads[started], NULL, append_batches, &append) == 0)
        started++;
    append_batches(&append);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    file->blocks += blocks;
}

void run_file_append(struct run_file *file, const void *memory, size_t bytes)
{
    const char *from = memory;
    size_t used = file->bytes % BLOCK_BYTES;
    file->bytes += bytes;
    if (used > 0) {
        size_t part = bytes < BLOCK_BYTES - used ? bytes : BLOCK_BYTES - used;
        memcpy(file->tail + used, from, part);
        if (used + part < BLOCK_BYTES)
            return;
        append_blocks(file, file->tail, 1);
        from += part;
        bytes -= part;
    }
    append_blocks(file, from, bytes / BLOCK_BYTES);
    size_t left = bytes % BLOCK_BYTES;
    if (left > 0 && file->tail == NULL)
        file->tail = get_memory(BLOCK_BYTES);
    if (left > 0)
        memcpy(file->tail, from + bytes - left, left);
}

void run_file_complete(struct run_file *file)
{
    size_t left = file->bytes % BLOCK_BYTES;
    if (left > 0) {
        reserve_blocks(file, 1);
        file->checksums[file->blocks] = block_checksum(file->tail, left);
        write_all(file, file->tail, left, (uint64_t)file->blocks * BLOCK_BYTES);
        file->blocks++;
    }
    free(file->tail);
    file->tail = NULL;
}

/* ---- reading ---- */

static void read_all(const struct run_file *file, char *to, size_t bytes, uint64_t offset)
{
    while (bytes > 0) {
        ssize_t got = pread(file->descriptor, to, bytes, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            fail(file->name, "cannot read a temporary file, at byte %llu: %s", (unsigned long long)offset,
                 strerror(errno));
        if (got == 0)
            fail(file->name, "a temporary file ends too early, at byte %llu", (unsigned long long)offset);
        to += got;
        bytes -= (size_t)got;
        offset += (uint64_t)got;
    }
}

static size_t block_length(const struct run_file *file, uint64_t block)
{
    uint64_t left = file->bytes - block * BLOCK_BYTES;
    return left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;
}

/* Reads blocks, of which only the file's last one may be short, and verifies them. */
static void read_blocks(const struct run_file *file, uint64_t block, char *to, size_t bytes)
{
    read_all(file, to, bytes, block * BLOCK_BYTES);
    for (size_t done = 0; done < bytes; block++) {
        size_t length = block_length(file, block);
        if (block_checksum(to + done, length) != file->checksums[block])
            fail(file->name, "a temporary file is damaged, in the block at byte %llu",
                 (unsigned long long)(block * BLOCK_BYTES));
        done += length;
    }
}

/* Reads a part of a block. */
static void read_part(const struct run_file *file, uint64_t block, size_t skip, char *to, size_t bytes)
{
    size_t length = block_length(file, block);
    char *whole = get_memory(BLOCK_BYTES);
    read_blocks(file, block, whole, length);
    memcpy(to, whole + skip, bytes);
    free(whole);
}

void run_file_read(const struct run_file *file, uint64_t offset, size_t bytes, void *memory)
{
    char *to = memory;
    while (bytes > 0) {
        uint64_t block = offset / BLOCK_BYTES;
        size_t skip = offset % BLOCK_BYTES, length = block_length(file, block), part;
        if (skip > 0 || bytes < length) {
            part = bytes < length - skip ? bytes : length - skip;
            read_part(file, block, skip, to, part);
        } else {
            part = bytes < READ_BYTES ? bytes : READ_BYTES;
            if (offset + part < file->bytes)
                part -= part % BLOCK_BYTES;
            read_blocks(file, block, to, part);
        }
        to += part;
        offset += part;
        bytes -= part;
    }
}
