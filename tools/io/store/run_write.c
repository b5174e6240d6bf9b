/* run_write.c - writing of run files, see run_file.h. Threads take batches of blocks by turns, compress them, reserve
 * their place in the file and write them. One thread at a time gets into write() of a file, but meanwhile the others
 * compute checksums. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cli.h"
#include "run_file.h"

#define BATCH_BLOCKS ((size_t)16)
#define BATCH_BYTES (BATCH_BLOCKS * BLOCK_BYTES)
#define SHARE_BYTES ((size_t)4 << 20) /* less is not worth a thread */
#define THREADS_MAX ((size_t)64)

void run_file_open(struct run_file *file, int descriptor, bool packed)
{
    *file = (struct run_file){.descriptor = descriptor, .direct = -1};
    run_index_open(&file->index, packed);
}

void run_file_close(struct run_file *file)
{
    if (file->descriptor < 0)
        return;
    close(file->descriptor);
    if (file->direct >= 0)
        close(file->direct);
    run_index_close(&file->index);
    free(file->tail);
    *file = (struct run_file){.descriptor = -1};
}

char *direct_memory(size_t bytes)
{
    char *memory = aligned_alloc(DIRECT_ALIGN, (size_t)direct_round_up(bytes > 0 ? bytes : 1));
    if (memory == NULL)
        fail(NULL, "out of memory");
    return memory;
}

/* Opens the file a second time, as not every file system has O_DIRECT. */
static void pass_cache_by(struct run_file *file)
{
    char self[64];
    if (file->direct >= 0 || !page_cache_is_full(file->cache))
        return;
    snprintf(self, sizeof self, "/proc/self/fd/%d", file->descriptor);
    file->direct = open(self, O_RDWR | O_DIRECT | O_CLOEXEC);
}

static void write_all(const struct run_file *file, int descriptor, const char *from, size_t bytes, uint64_t offset)
{
    while (bytes > 0) {
        ssize_t written = pwrite(descriptor, from, bytes, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0 && errno == EINVAL && descriptor != file->descriptor) {
            descriptor = file->descriptor;
            continue;
        }
        if (written > 0 && written % (ssize_t)DIRECT_ALIGN != 0)
            descriptor = file->descriptor;
        if (written <= 0)
            fail(file->name, "cannot write a temporary file, at byte %llu: %s", (unsigned long long)offset,
                 strerror(written < 0 ? errno : ENOSPC));
        from += written;
        bytes -= (size_t)written;
        offset += (uint64_t)written;
    }
}

/* ---- batches ---- */

/* Memory that threads append together. */
struct append {
    struct run_file *file;
    const char *memory;
    size_t bytes;
    atomic_size_t next; /* byte of the next batch */
};

/* What one thread needs to compress, or to align. */
struct press {
    struct block_packer *packer;
    char *room; /* for a batch */
};

/* Puts the lengths of the packed blocks into `lengths`. Returns their sum. */
static size_t pack_batch(struct press *press, const char *from, size_t bytes, size_t *lengths)
{
    size_t used = 0;
    for (size_t i = 0, done = 0; done < bytes; i++, done += BLOCK_BYTES) {
        size_t length = bytes - done < BLOCK_BYTES ? bytes - done : BLOCK_BYTES;
        lengths[i] = block_pack(press->packer, from + done, length, press->room + used);
        if (lengths[i] == length)
            memcpy(press->room + used, from + done, length);
        used += lengths[i];
    }
    return used;
}

/* Blocks from number `block` on lie behind each other from an offset in the file on. */
static void index_batch(struct run_file *file, size_t block, const char *from, size_t bytes, uint64_t offset,
                        const size_t *lengths)
{
    for (size_t i = 0, done = 0; done < bytes; i++) {
        size_t length = bytes - done < BLOCK_BYTES ? bytes - done : BLOCK_BYTES;
        if (lengths != NULL)
            length = lengths[i];
        run_index_set(&file->index, block + i, offset + done, length, block_checksum(from + done, length));
        done += length;
    }
}

static void write_batch(struct run_file *file, struct press *press, const char *from, size_t bytes, uint64_t offset)
{
    if (file->direct < 0 || bytes % DIRECT_ALIGN != 0) {
        write_all(file, file->descriptor, from, bytes, offset);
        page_cache_wrote(file->cache, file->descriptor, offset, bytes);
        return;
    }
    if (!direct_aligned(from))
        from = memcpy(press->room, from, bytes);
    write_all(file, file->direct, from, bytes, offset);
    page_cache_passed(file->cache, bytes);
}

static void append_batch(struct run_file *file, struct press *press, size_t block, const char *from, size_t bytes)
{
    size_t lengths[BATCH_BLOCKS];
    if (press->packer == NULL) {
        uint64_t offset = (uint64_t)block * BLOCK_BYTES;
        index_batch(file, block, from, bytes, offset, NULL);
        atomic_fetch_add(&file->end, bytes);
        write_batch(file, press, from, bytes, offset);
        return;
    }
    size_t packed = pack_batch(press, from, bytes, lengths), padded = (size_t)direct_round_up(packed);
    uint64_t offset = atomic_fetch_add(&file->end, padded);
    index_batch(file, block, press->room, packed, offset, lengths);
    memset(press->room + packed, 0, padded - packed);
    write_batch(file, press, press->room, padded, offset);
}

static void *append_batches(void *argument)
{
    struct append *append = argument;
    struct run_file *file = append->file;
    bool packed = file->index.places != NULL;
    struct press press = {.packer = packed ? block_packer_create() : NULL};
    if (packed || (file->direct >= 0 && !direct_aligned(append->memory)))
        press.room = direct_memory(append->bytes < BATCH_BYTES ? append->bytes : BATCH_BYTES);
    for (size_t at; (at = atomic_fetch_add(&append->next, BATCH_BYTES)) < append->bytes;) {
        size_t bytes = append->bytes - at < BATCH_BYTES ? append->bytes - at : BATCH_BYTES;
        append_batch(file, &press, file->index.blocks + at / BLOCK_BYTES, append->memory + at, bytes);
    }
    block_packer_destroy(press.packer);
    free(press.room);
    return NULL;
}

/* Appends blocks, of which only the run's last one may be short. */
static void append_blocks(struct run_file *file, const char *memory, size_t bytes)
{
    struct append append = {.file = file, .memory = memory, .bytes = bytes};
    pthread_t threads[THREADS_MAX];
    size_t blocks = (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
    size_t helpers = bytes / SHARE_BYTES, most = file->threads > 0 ? file->threads - 1 : 0, started = 0;
    helpers = helpers < most ? helpers : most;
    helpers = helpers < THREADS_MAX ? helpers : THREADS_MAX;
    if (bytes == 0)
        return;
    run_index_reserve(&file->index, blocks);
    pass_cache_by(file);
    while (started < helpers && pthread_create(&threads[started], NULL, append_batches, &append) == 0)
        started++;
    append_batches(&append);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    file->index.blocks += blocks;
}

void run_file_append(struct run_file *file, const void *memory, size_t bytes)
{
    const char *from = memory;
    size_t used = file->index.bytes % BLOCK_BYTES;
    file->index.bytes += bytes;
    if (used > 0) {
        size_t part = bytes < BLOCK_BYTES - used ? bytes : BLOCK_BYTES - used;
        memcpy(file->tail + used, from, part);
        if (used + part < BLOCK_BYTES)
            return;
        append_blocks(file, file->tail, BLOCK_BYTES);
        from += part;
        bytes -= part;
    }
    size_t left = bytes % BLOCK_BYTES;
    append_blocks(file, from, bytes - left);
    if (left > 0) {
        if (file->tail == NULL)
            file->tail = get_memory(BLOCK_BYTES);
        memcpy(file->tail, from + bytes - left, left);
    }
}

void run_file_complete(struct run_file *file)
{
    append_blocks(file, file->tail, file->index.bytes % BLOCK_BYTES);
    free(file->tail);
    file->tail = NULL;
    page_cache_completed(file->cache, file->descriptor);
}

uint32_t run_file_keep(struct run_file *file, uint64_t *size)
{
    size_t bytes = run_index_size(file->index.bytes, file->index.places != NULL);
    char *saved = get_memory(bytes + 1);
    run_index_save(&file->index, saved);
    uint32_t checksum = block_checksum(saved, bytes);
    write_all(file, file->descriptor, saved, bytes, file->end);
    *size = file->end + bytes;
    free(saved);
    if (fsync(file->descriptor) != 0)
        fail(file->name, "cannot write: %s", strerror(errno));
    return checksum;
}
