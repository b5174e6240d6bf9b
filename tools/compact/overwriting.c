/* overwriting.c - gpucompact --in-place=overwrite: kept elements move towards the file's beginning, block by block,
 * over elements that were read already. Then the file is truncated. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/signals.h"
#include "compaction.h"
#include "io/block_queue.h"
#include "io/npy.h"
#include "io/pipeline.h"
#include "where.h"

/* The state of the file, for the last words. Of `total` elements `done` have been filtered; the `kept` ones of those
 * are the file's first elements, and elements from `done` on are in their old places. The lock is held while this is
 * not true. */
static struct {
    pthread_mutex_t lock;
    const char *name;
    bool changed;
    uint64_t kept, done, total;
} file = {.lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP};

static volatile sig_atomic_t signal_caught;

static void on_signal(int number)
{
    signal_caught = number;
}

/* Also runs in the reading thread, if it fails. */
static void say_state(void)
{
    if (pthread_mutex_lock(&file.lock) != 0) { /* a library ended the process in the middle of a block */
        say(file.name, "is partly compacted, up to an unknown place");
        return;
    }
    unsigned long long kept = file.kept, done = file.done;
    if (file.name != NULL && !file.changed)
        say(file.name, "nothing was changed in it");
    else if (file.name != NULL && done < file.total)
        say(file.name,
            "is partly compacted: its first %llu elements are kept ones, those from element %llu on (counting from 0) "
            "are in their old places, and those between are stale",
            kept, done);
    else if (file.name != NULL)
        say(file.name, "its first %llu elements are the kept ones, and the rest is stale", kept);
    pthread_mutex_unlock(&file.lock);
}

struct overwriting {
    struct pipeline pipeline; /* its only input is the file */
    struct input *input;
    struct filter filter;
    int descriptor;
    size_t size; /* bytes of an element */
    char *kept;  /* room for a block */
};

static int open_to_write(const struct input *input)
{
    struct stat read, written;
    int descriptor = open(input->name, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0 || fstat(descriptor, &written) != 0 || fstat(input->descriptor, &read) != 0)
        fail(input->name, "cannot write: %s", strerror(errno));
    if (read.st_dev != written.st_dev || read.st_ino != written.st_ino)
        fail(input->name, "was replaced meanwhile");
    return descriptor;
}

/* Returns how many bytes were written. If fewer than asked for, errno is set. */
static size_t write_at(int descriptor, const char *from, size_t bytes, uint64_t offset)
{
    size_t done = 0;
    while (done < bytes) {
        ssize_t written = pwrite(descriptor, from + done, bytes - done, (off_t)(offset + done));
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            break;
        done += (size_t)written;
    }
    return done;
}

/* If a write fails, elements from the first one that was not written on are still in their old places: writes go only
 * over elements before them. */
static void write_block(struct overwriting *work, const char *block, size_t n, size_t count)
{
    uint64_t offset = work->input->header_bytes + file.kept * work->size;
    bool moves = file.kept < file.done || count < n; /* else all are in their places already */
    size_t bytes = moves ? count * work->size : 0, written = 0;
    pthread_mutex_lock(&file.lock);
    if (bytes > 0) {
        file.changed = true;
        written = write_at(work->descriptor, work->kept, bytes, offset);
    }
    int error = errno;
    bool whole = written == bytes;
    size_t arrived = whole ? count : written / work->size;
    file.done += whole ? n : filter_find(&work->filter, block, n, arrived);
    file.kept += arrived;
    pthread_mutex_unlock(&file.lock);
    if (!whole)
        fail(work->input->name, "cannot write: %s", strerror(error));
}

static void stop_if_asked(void)
{
    if (signal_caught == 0)
        return;
    say_state();
    signals_die(signal_caught);
}

static void begin(void *state, scankit_context *context)
{
    struct overwriting *work = state;
    work->filter.context = context;
}

static void take(void *state, char *block, size_t n)
{
    struct overwriting *work = state;
    if (!work->input->regular)
        fail(work->input->name, "has no known size, and cannot be overwritten");
    stop_if_asked();
    write_block(work, block, n, filter_block(&work->filter, block, n, work->kept, NULL));
    stop_if_asked();
}

static void sync_file(const struct overwriting *work)
{
    if (fsync(work->descriptor) != 0)
        fail(work->input->name, "cannot write: %s", strerror(errno));
}

/* Writes the header again with the new count. */
static void rewrite_header(const struct overwriting *work)
{
    const struct input *input = work->input;
    size_t bytes = (size_t)(input->header_bytes - input->skip);
    char *header = get_memory(bytes);
    if (pread(input->descriptor, header, bytes, (off_t)input->skip) != (ssize_t)bytes)
        fail(input->name, "cannot read its header again");
    npy_set_count(input->name, header, bytes, file.kept);
    if (write_at(work->descriptor, header, bytes, input->skip) != bytes)
        fail(input->name, "cannot write: %s", strerror(errno));
    free(header);
}

/* The data are synced before the header counts them, and before the rest is truncated. */
static void cut(const struct overwriting *work)
{
    if (file.kept == file.total)
        return;
    sync_file(work);
    if (work->input->has_own)
        rewrite_header(work);
    if (ftruncate(work->descriptor, (off_t)(work->input->header_bytes + file.kept * work->size)) != 0)
        fail(work->input->name, "cannot be truncated: %s", strerror(errno));
    sync_file(work);
}

/* From here on signals end the tool between two blocks, and failures report the state of the file. */
static void watch(const struct overwriting *work)
{
    signals_catch(on_signal);
    file.kept = file.done = 0;
    file.total = work->input->size == SIZE_UNKNOWN ? 0 : work->input->size / work->size;
    file.changed = false;
    file.name = work->input->name;
    cli_last_words(say_state);
}

static void stop_watching(const struct overwriting *work)
{
    file.name = NULL;
    if (signal_caught == 0)
        return;
    say(work->input->name, "is compacted: the signal came too late");
    signals_die(signal_caught);
}

static void open_work(struct overwriting *work, const struct compact_request *request, char *const *path,
                      struct job *job)
{
    pipeline_open(&work->pipeline, job, path, 1, INPUT_REPLACED);
    work->input = work->pipeline.inputs;
    if (work->input->codec != CODEC_NONE)
        fail(work->input->name, "is compressed, and cannot be overwritten; --in-place alone replaces it");
    work->filter = (struct filter){.options.invert = request->invert};
    work->filter.predicate = where_compile(request->where, &work->pipeline.schema);
    work->size = work->pipeline.schema.size;
    pipeline_begin(&work->pipeline, WORK_filter, false);
    work->pipeline.block = device_block(&job->device, &request->common, work->size, (QUEUE_BLOCKS + 1) * work->size, 1);
    work->kept = get_memory(work->pipeline.block * work->size);
    work->descriptor = open_to_write(work->input);
}

static void close_work(struct overwriting *work)
{
    work->pipeline.job->stats.bytes_out += file.kept * work->size;
    if (close(work->descriptor) != 0)
        fail(work->input->name, "cannot write: %s", strerror(errno));
    free(work->kept);
    pipeline_close(&work->pipeline);
    scankit_predicate_destroy(work->filter.predicate);
    filter_free(&work->filter);
}

uint64_t overwrite_file(const struct compact_request *request, char *const *path, struct job *job)
{
    struct overwriting work;
    open_work(&work, request, path, job);
    watch(&work);
    const struct stage stage = {.begin = begin, .take = take, .state = &work};
    pipeline_run(&work.pipeline, PHASE_filter, work.input->size, &stage);
    cut(&work);
    stop_watching(&work);
    close_work(&work);
    return file.kept;
}
