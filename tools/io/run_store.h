/* run_store.h - the run store of the external sort: sorted runs in temporaries or in a workspace.
 *
 *     store = run_store_open(&options);
 *     run = run_create(store);
 *     run_append(run, memory, bytes); ...
 *     run_complete(run);
 *     run_read(run, first, count, memory); ...     any range, from any thread, at any time
 *     run_discard(run, first, count);              its space on disk may be reused
 *     run_destroy(run);
 *     run_store_close(store);
 *
 * Every fault ends the tool by fail(): a full disk, a damaged block, a folder that cannot be written to. Temporaries
 * have no names, so none is left however the tool ends.
 *
 * A run in a file is a row of blocks of RUN_BLOCK_BYTES, each with a checksum that every read verifies. Memory that a
 * store needs beside its caller's: 4 bytes for each block of each run (12 if blocks are compressed); in run_append(),
 * RUN_BLOCK_BYTES for each run that is not complete, and RUN_APPEND_BYTES a thread; in run_read(), at most
 * RUN_READ_BYTES a calling thread. */
#ifndef RUN_STORE_H
#define RUN_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUN_BLOCK_BYTES ((size_t)64 << 10)
#define RUN_APPEND_BYTES ((size_t)1536 << 10)
#define RUN_READ_BYTES ((size_t)768 << 10)

struct run_store_options {
    size_t element; /* bytes of an element */

    /* Where temporaries go, by turns. If there are none: $TMPDIR, else /tmp. */
    char *const *folders;
    size_t folder_count;

    bool compress;    /* by a fast codec; blocks that it cannot shrink are stored */
    unsigned threads; /* that share the work of run_append(), the caller among them; 0 is 1 */
    uint64_t cached;  /* bytes of runs that may stay in the page cache; 0: half of the free memory */

    /* The folder of a job that can be resumed, or NULL. It is made if it is not there. The key is a text that tells
     * this job from all others: its inputs (names, sizes, times) and options. Temporaries then go here instead. The
     * folder's name must stay until run_store_close(). */
    const char *workspace, *key;

    /* Not NULL: the workspace is only read, and another process made it. What to do about a damaged run, for messages.
     */
    const char *remedy;
};

/* Fails if a folder is not there or cannot be written to, so call it before anything is read. Fails too if the
 * workspace holds another job's runs or a file that is not its own, or if a process is using it. */
struct run_store *run_store_open(const struct run_store_options *options);

/* The complete runs that the workspace holds from an earlier start, i from 0 on; NULL behind the last. *begin and *end
 * get the range of the input that the run covers, as run_covers() said. Ranges ascend and do not overlap. Call it once
 * for each i: the run is then the caller's. */
struct run *run_store_resume(struct run_store *store, size_t i, uint64_t *begin, uint64_t *end);

/* Bytes on disk that the runs took, all together. */
uint64_t run_store_written(const struct run_store *store);

/* Says that a workspace keeps all complete runs, also those that are destroyed and after run_store_close(). */
void run_store_keep(struct run_store *store);

/* Says that the job is done: a workspace loses its files. All runs must be destroyed. */
void run_store_close(struct run_store *store);

/* ---- a run ---- */

struct run *run_create(struct run_store *store);

/* Says which range of the input the run covers, in any unit, before run_complete(). A workspace resumes only such runs.
 * If the range contains the ranges of other runs, it is their merge, and they are not resumed. */
void run_covers(struct run *run, uint64_t begin, uint64_t end);

/* Adds whole elements. The memory may be reused after it returns. One thread at a time a run. */
void run_append(struct run *run, const void *memory, size_t bytes);

/* Ends the run. Only complete runs are read. In a workspace it is on disk now, and will be resumed. */
void run_complete(struct run *run);

/* Reads a complete run of a workspace. False if a block is not as it was written. */
bool run_is_whole(const struct run *run);

uint64_t run_elements(const struct run *run);

/* Copies elements to memory. Any number of threads may read a run at once. */
void run_read(struct run *run, uint64_t first, size_t count, void *memory);

/* Says that these elements are not read again. Their disk space is freed where the system can; adjacent ranges in
 * ascending order free most. A workspace keeps them, for the next start. Any thread may call it. */
void run_discard(struct run *run, uint64_t first, uint64_t count);

/* Frees the run and its disk space, also in a workspace. */
void run_destroy(struct run *run);

#endif
