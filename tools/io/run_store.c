/* run_store.c - see run_store.h. */
#include "run_store.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cli.h"
#include "store/run_file.h"
#include "store/run_folder.h"

_Static_assert(RUN_BLOCK_BYTES == BLOCK_BYTES, "the header says how large a block is");

struct run_store {
    size_t element;
    unsigned threads;
    pthread_mutex_t lock; /* of what follows */
    struct run_folders folders;
    uint64_t written;
};

struct run {
    struct run_store *store;
    uint64_t bytes;
    const char *memory;   /* a run in memory, or NULL */
    int descriptor;       /* a run that is a plain file, or -1 */
    uint64_t offset;      /* its first byte there */
    const char *name;     /* its name */
    struct run_file file; /* any other run */
};

struct run_store *run_store_open(const struct run_store_options *options)
{
    struct run_store *store = get_memory(sizeof *store);
    *store = (struct run_store){.element = options->element, .threads = options->threads > 0 ? options->threads : 1};
    pthread_mutex_init(&store->lock, NULL);
    run_folders_open(&store->folders, options->folders, options->folder_count);
    return store;
}

struct run *run_store_resume(struct run_store *store, size_t i, uint64_t *begin, uint64_t *end)
{
    (void)store;
    (void)i;
    *begin = *end = 0;
    return NULL;
}

uint64_t run_store_written(const struct run_store *store)
{
    return store->written;
}

void run_store_close(struct run_store *store)
{
    run_folders_close(&store->folders);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

/* ---- a run ---- */

static struct run *new_run(struct run_store *store, uint64_t bytes)
{
    struct run *run = get_memory(sizeof *run);
    *run = (struct run){.store = store, .bytes = bytes, .descriptor = -1, .file = {.descriptor = -1}};
    return run;
}

struct run *run_create(struct run_store *store)
{
    struct run *run = new_run(store, 0);
    const char *folder;
    pthread_mutex_lock(&store->lock);
    int descriptor = run_folders_create(&store->folders, &folder);
    pthread_mutex_unlock(&store->lock);
    run_file_open(&run->file, descriptor, folder, store->threads);
    return run;
}

struct run *run_keep(struct run_store *store, const void *memory, size_t bytes)
{
    struct run *run = new_run(store, bytes);
    run->memory = memory;
    return run;
}

struct run *run_of_file(struct run_store *store, int descriptor, uint64_t offset, uint64_t elements, const char *name)
{
    struct run *run = new_run(store, elements * store->element);
    run->descriptor = descriptor;
    run->offset = offset;
    run->name = name;
    return run;
}

void run_covers(struct run *run, uint64_t begin, uint64_t end)
{
    (void)run;
    (void)begin;
    (void)end;
}

void run_append(struct run *run, const void *memory, size_t bytes)
{
    run_file_append(&run->file, memory, bytes);
    run->bytes += bytes;
}

void run_complete(struct run *run)
{
    run_file_complete(&run->file);
    pthread_mutex_lock(&run->store->lock);
    run->store->written += run->bytes;
    pthread_mutex_unlock(&run->store->lock);
}

uint64_t run_elements(const struct run *run)
{
    return run->bytes / run->store->element;
}

const char *run_memory(const struct run *run)
{
    return run->memory;
}

static void read_plain(const struct run *run, uint64_t offset, size_t bytes, char *to)
{
    for (offset += run->offset; bytes > 0;) {
        ssize_t got = pread(run->descriptor, to, bytes, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            fail(run->name, "cannot read: %s", strerror(errno));
        if (got == 0)
            fail(run->name, "ends at byte %llu; it was longer before", (unsigned long long)offset);
        to += got;
        bytes -= (size_t)got;
        offset += (uint64_t)got;
    }
}

void run_read(struct run *run, uint64_t first, size_t count, void *memory)
{
    uint64_t offset = first * run->store->element;
    size_t bytes = count * run->store->element;
    if (run->memory != NULL)
        memcpy(memory, run->memory + offset, bytes);
    else if (run->descriptor >= 0)
        read_plain(run, offset, bytes, memory);
    else
        run_file_read(&run->file, offset, bytes, memory);
}

void run_discard(struct run *run, uint64_t first, uint64_t count)
{
    (void)run;
    (void)first;
    (void)count;
}

void run_destroy(struct run *run)
{
    if (run == NULL)
        return;
    run_file_close(&run->file);
    free(run);
}
