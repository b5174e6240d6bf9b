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
#include "store/workspace.h"

_Static_assert(RUN_BLOCK_BYTES == BLOCK_BYTES, "the header says how large a block is");

struct run_store {
    size_t element;
    unsigned threads;
    bool packed;
    struct page_cache cache;
    pthread_mutex_t lock; /* of what follows */
    struct run_folders folders;
    bool resumable, keeps;
    const char *remedy;
    struct workspace workspace;
    struct run **resumed; /* that the caller has not taken */
};

struct run {
    struct run_store *store;
    uint64_t bytes;
    struct run_file file;
    struct manifest_run entry;
    char *path; /* in the workspace, or NULL */
    bool covers;
};

static struct run *new_run(struct run_store *store, uint64_t bytes)
{
    struct run *run = get_memory(sizeof *run);
    *run = (struct run){.store = store, .bytes = bytes};
    return run;
}

/* Completes what run_file_open() began. */
static void set_up_file(struct run *run, const char *folder)
{
    struct run_store *store = run->store;
    if (store->resumable)
        run->path = workspace_path(&store->workspace, run->entry.number);
    run->file.name = run->path != NULL ? run->path : folder;
    run->file.path = store->remedy == NULL ? run->path : NULL;
    run->file.remedy = store->remedy;
    run->file.threads = store->threads;
    run->file.cache = &store->cache;
}

/* ---- the store ---- */

static struct run *resumed_run(struct run_store *store, size_t i)
{
    struct run *run = new_run(store, store->workspace.manifest.runs[i].bytes);
    run->file = store->workspace.files[i];
    run->entry = store->workspace.manifest.runs[i];
    set_up_file(run, NULL);
    return run;
}

static void open_workspace(struct run_store *store, const struct run_store_options *options)
{
    store->resumable = true;
    store->remedy = options->remedy;
    store->keeps = options->remedy != NULL;
    (store->keeps ? workspace_open_kept : workspace_open)(&store->workspace, options->workspace, options->key,
                                                          options->element);
    store->resumed = get_memory((store->workspace.resumed + 1) * sizeof *store->resumed);
    for (size_t i = 0; i < store->workspace.resumed; i++)
        store->resumed[i] = resumed_run(store, i);
}

struct run_store *run_store_open(const struct run_store_options *options)
{
    struct run_store *store = get_memory(sizeof *store);
    *store = (struct run_store){.element = options->element,
                                .threads = options->threads > 0 ? options->threads : 1,
                                .packed = options->compress};
    pthread_mutex_init(&store->lock, NULL);
    page_cache_open(&store->cache, options->cached);
    if (options->workspace != NULL)
        open_workspace(store, options);
    else
        run_folders_open(&store->folders, options->folders, options->folder_count);
    return store;
}

struct run *run_store_resume(struct run_store *store, size_t i, uint64_t *begin, uint64_t *end)
{
    if (!store->resumable || i >= store->workspace.resumed)
        return NULL;
    struct run *run = store->resumed[i];
    store->resumed[i] = NULL;
    *begin = run->entry.begin;
    *end = run->entry.end;
    return run;
}

uint64_t run_store_written(const struct run_store *store)
{
    return atomic_load(&store->cache.written);
}

void run_store_keep(struct run_store *store)
{
    store->keeps = true;
}

void run_store_close(struct run_store *store)
{
    if (store->resumable) {
        for (size_t i = 0; i < store->workspace.resumed; i++)
            run_destroy(store->resumed[i]);
        free(store->resumed);
        (store->keeps ? workspace_leave : workspace_close)(&store->workspace);
    }
    run_folders_close(&store->folders);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

/* ---- runs ---- */

struct run *run_create(struct run_store *store)
{
    struct run *run = new_run(store, 0);
    const char *folder = NULL;
    pthread_mutex_lock(&store->lock);
    int descriptor = store->resumable ? workspace_create(&store->workspace, &run->entry.number)
                                      : run_folders_create(&store->folders, &folder);
    pthread_mutex_unlock(&store->lock);
    run_file_open(&run->file, descriptor, store->packed);
    set_up_file(run, folder);
    return run;
}

void run_covers(struct run *run, uint64_t begin, uint64_t end)
{
    run->covers = true;
    run->entry.begin = begin;
    run->entry.end = end;
}

void run_append(struct run *run, const void *memory, size_t bytes)
{
    run_file_append(&run->file, memory, bytes);
    run->bytes += bytes;
}

void run_complete(struct run *run)
{
    struct run_store *store = run->store;
    run_file_complete(&run->file);
    if (!store->resumable || !run->covers)
        return;
    struct manifest_run *entry = &run->entry;
    entry->bytes = run->bytes;
    entry->packed = store->packed;
    entry->checksum = run_file_keep(&run->file, &entry->size);
    pthread_mutex_lock(&store->lock);
    workspace_add(&store->workspace, entry);
    pthread_mutex_unlock(&store->lock);
}

bool run_is_whole(const struct run *run)
{
    return run_file_is_whole(&run->file);
}

uint64_t run_elements(const struct run *run)
{
    return run->bytes / run->store->element;
}

/* ---- reading ---- */

void run_read(struct run *run, uint64_t first, size_t count, void *memory)
{
    uint64_t offset = first * run->store->element;
    size_t bytes = count * run->store->element;
    if (bytes == 0)
        return;
    run_file_read(&run->file, offset, bytes, memory);
}

/* A workspace keeps its runs: the next start may need all of them. */
void run_discard(struct run *run, uint64_t first, uint64_t count)
{
    if (run->path == NULL)
        run_file_discard(&run->file, first * run->store->element, count * run->store->element);
}

void run_destroy(struct run *run)
{
    if (run == NULL)
        return;
    struct run_store *store = run->store;
    if (run->path != NULL && !store->keeps) {
        pthread_mutex_lock(&store->lock);
        workspace_remove(&store->workspace, run->entry.number);
        pthread_mutex_unlock(&store->lock);
    }
    run_file_close(&run->file);
    free(run->path);
    free(run);
}
