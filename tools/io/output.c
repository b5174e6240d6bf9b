/* output.c - see output.h. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/device.h"
#include "common/memory.h"
#include "common/schema.h"
#include "file/temporary.h"

#define LINKS_MAX 40
#define OUTPUTS 2
#define CALL_BYTES ((size_t)1 << 30)

/* write(), or with an offset pwrite(). */
static size_t put_some(const struct output *output, const void *memory, size_t bytes, const uint64_t *offset)
{
    for (;;) {
        size_t part = bytes < CALL_BYTES ? bytes : CALL_BYTES;
        ssize_t written = offset == NULL ? write(output->descriptor, memory, part)
                                         : pwrite(output->descriptor, memory, part, (off_t)*offset);
        if (written >= 0)
            return (size_t)written;
        if (errno != EINTR)
            fail(output->name, "cannot write: %s", strerror(errno));
    }
}

/* The part of the free memory up to which pages of a file may wait for the disk. */
#define WAITING_PART 4
#define SEND_BYTES ((uint64_t)16 << 20)

/* Some file systems report a full disk only here. */
static void send_some(const struct output *output, uint64_t offset, unsigned how)
{
    if (sync_file_range(output->descriptor, (off_t)offset, (off_t)SEND_BYTES, how) != 0 &&
        (errno == EIO || errno == ENOSPC || errno == EDQUOT))
        fail(output->name, "cannot write: %s", strerror(errno));
}

/* Sends pages of a file to the disk while the next ones are written, if it will be synced, or is so long that the
 * system would soon stop it to do that. A long file leaves the page cache to others. */
static void send_to_disk(struct output *output)
{
    const unsigned start = SYNC_FILE_RANGE_WRITE,
                   finish = start | SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WAIT_AFTER;
    while (output->target != NULL && output->bytes - output->sent >= SEND_BYTES) {
        bool is_long = output->sent > (uint64_t)1 << 28 && output->sent > host_free() / WAITING_PART;
        if (is_long || output->hastens)
            send_some(output, output->sent, start);
        output->sent += SEND_BYTES;
        if (is_long) {
            uint64_t old = output->sent - 8 * SEND_BYTES;
            send_some(output, old, finish);
            posix_fadvise(output->descriptor, (off_t)old, (off_t)SEND_BYTES, POSIX_FADV_DONTNEED);
        }
    }
}

static void put(void *sink, const void *memory, size_t bytes)
{
    struct output *output = sink;
    for (const char *from = memory; bytes > 0;) {
        size_t written = put_some(output, from, bytes, NULL);
        from += written;
        bytes -= written;
        output->bytes += written;
    }
    send_to_disk(output);
}

/* The same, over old bytes from offset `head` on. */
static void put_over(void *sink, const void *memory, size_t bytes)
{
    struct output *output = sink;
    for (const char *from = memory; bytes > 0;) {
        size_t written = put_some(output, from, bytes, &output->head);
        from += written;
        bytes -= written;
        output->head += written;
    }
}

/* Resolves symbolic links of the last component. The target need not exist. */
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

static void open_file(struct output *output, const char *path, bool shared)
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
    output->hastens = output->hastens || exists;
    output->target = follow_links(path);
    output->descriptor = (shared ? temporary_create_named : temporary_create)(output->target);
    mode_t mode = default_mode();
    if (exists) {
        bool owned = fchown(output->descriptor, status.st_uid, status.st_gid) == 0;
        mode = status.st_mode & (owned ? 07777 : 0777);
    }
    if (fchmod(output->descriptor, mode) != 0)
        fail(path, "cannot set the mode: %s", strerror(errno));
}

static bool is_standard(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

/* The path with links resolved and its folder's real path. The file need not exist. */
static char *true_path(const char *path)
{
    char *target = follow_links(path), *copy = copy_text(target), *name = copy_text(target), *result;
    char *folder = realpath(dirname(copy), NULL);
    if (asprintf(&result, "%s/%s", folder == NULL ? "?" : folder, basename(name)) < 0)
        fail(NULL, "out of memory");
    free(target);
    free(copy);
    free(name);
    free(folder);
    return result;
}

bool outputs_collide(const char *path, const char *other)
{
    struct stat a, b;
    bool is_there = (is_standard(path) ? fstat(STDOUT_FILENO, &a) : stat(path, &a)) == 0;
    bool other_is_there = (is_standard(other) ? fstat(STDOUT_FILENO, &b) : stat(other, &b)) == 0;
    if (is_standard(path) && is_standard(other))
        return true;
    if (is_there && other_is_there)
        return a.st_dev == b.st_dev && a.st_ino == b.st_ino && !S_ISCHR(a.st_mode);
    if (is_there || other_is_there || is_standard(path) || is_standard(other))
        return false;
    char *true_a = true_path(path), *true_b = true_path(other);
    bool same = strcmp(true_a, true_b) == 0;
    free(true_a);
    free(true_b);
    return same;
}

void output_open(struct output *output, const char *path, enum codec codec, const struct common *common)
{
    *output = (struct output){
        .name = path, .descriptor = STDOUT_FILENO, .sync = common->sync, .codec = codec, .hastens = common->sync};
    output->prints = common->to_text || common->to_arrow;
    if (!is_standard(path)) {
        open_file(output, path, false);
    } else {
        output->name = "standard output";
        if (path == NULL && !common->to_text && isatty(STDOUT_FILENO))
            fail_usage("standard output is a terminal, and the result is binary; '-o -' writes it there");
    }
    if (codec != CODEC_NONE)
        output->encoder = encoder_open(codec, common, put, output);
}

void output_open_shared(struct output *output, const char *path, const struct common *common)
{
    *output = (struct output){.name = path, .sync = common->sync, .codec = CODEC_NONE, .hastens = common->sync};
    open_file(output, path, true);
    if (output->target == NULL)
        fail(path, "is no regular file, which ranks of MPI require");
}

const char *output_temporary(const struct output *output)
{
    return temporary_path(output->descriptor);
}

static void encode_or_put(void *sink, const void *memory, size_t bytes)
{
    struct output *output = sink;
    if (output->encoder != NULL)
        encoder_write(output->encoder, memory, bytes);
    else
        put(output, memory, bytes);
}

void output_write(void *sink, const void *memory, size_t bytes)
{
    struct output *output = sink;
    if (output->text != NULL)
        text_writer_write(output->text, memory, bytes);
    else if (output->arrow != NULL)
        arrow_writer_write(output->arrow, memory, bytes);
    else
        encode_or_put(output, memory, bytes);
}

static void output_as_arrow(struct output *output, const scankit_layout *layout, const char *column)
{
    const struct arrow_target target = {
        .name = output->name, .file = output->target != NULL, .write = encode_or_put, .sink = output};
    output->arrow = arrow_writer_open(&target, layout, column);
}

void output_as_text(struct output *output, const scankit_layout *layout, const struct common *common,
                    const char *header)
{
    unsigned threads = host_threads(common, (unsigned)device_processors(common), TEXT_WRITER_BYTES);
    if (common->to_arrow)
        output_as_arrow(output, layout, common->from_text ? NULL : common->column_name);
    else if (output->prints)
        output->text = text_writer_open(layout, common, threads, header, encode_or_put, output);
}

void output_numbers_as_text(struct output *output, const struct common *common)
{
    scankit_layout *layout = schema_of_numbers();
    output_as_text(output, layout, common, NULL);
    scankit_layout_destroy(layout);
}

bool output_is_seekable(const struct output *output)
{
    struct stat status;
    int flags = fcntl(output->descriptor, F_GETFL);
    return fstat(output->descriptor, &status) == 0 && S_ISREG(status.st_mode) && flags >= 0 && (flags & O_APPEND) == 0;
}

uint64_t output_place(const struct output *output)
{
    off_t place = lseek(output->descriptor, 0, SEEK_CUR);
    return place > 0 ? (uint64_t)place : 0;
}

void output_write_head(struct output *output, const void *memory, size_t bytes)
{
    if (output->encoder != NULL)
        encoder_flush(output->encoder);
    output->head = output_place(output);
    if (output->encoder != NULL)
        encoder_store(output->codec, memory, bytes, put, output);
    else
        put(output, memory, bytes);
}

void output_rewrite_head(struct output *output, const void *memory, size_t bytes)
{
    if (output->encoder != NULL)
        encoder_store(output->codec, memory, bytes, put_over, output);
    else
        put_over(output, memory, bytes);
}

/* ---- other ways to write ---- */

/* Bytes that the file system provides in one call, so that a signal need not wait long. */
#define PROVIDE_BYTES ((uint64_t)64 << 20)

static struct target target_of(const struct output *output)
{
    struct statfs status;
    return (struct target){
        .tmpfs =
            fstatfs(output->descriptor, &status) == 0 && status.f_type == TMPFS_MAGIC && output_is_seekable(output),
        .compressed = output->encoder != NULL,
    };
}

/* A file can be mapped only by a descriptor that reads too. Standard output seldom does, but its file can be opened
 * again. Returns -1 if not. */
static int open_shared(const struct output *output)
{
    char self[64];
    if (output->target != NULL)
        return output->descriptor;
    snprintf(self, sizeof self, "/proc/self/fd/%d", output->descriptor);
    return open(self, O_RDWR | O_CLOEXEC);
}

enum way output_way(struct output *output, unsigned processors)
{
    const struct target target = target_of(output);
    enum way way = output->prints ? WAY_WRITE : choose_way(&target, processors);
    if (way == WAY_PAGES && (output->shared = open_shared(output)) < 0)
        way = WAY_WRITE;
    return way;
}

bool output_provide(const struct output *output, uint64_t offset, uint64_t bytes, bool visibly)
{
    for (uint64_t done = 0, step; done < bytes; done += step) {
        step = bytes - done < PROVIDE_BYTES ? bytes - done : PROVIDE_BYTES;
        int result;
        do
            result =
                fallocate(output->descriptor, visibly ? 0 : FALLOC_FL_KEEP_SIZE, (off_t)(offset + done), (off_t)step);
        while (result != 0 && errno == EINTR);
        if (result != 0)
            return false;
    }
    return true;
}

void output_grow_to(const struct output *output, uint64_t length)
{
    struct stat status;
    if (fstat(output->descriptor, &status) != 0 ||
        ((uint64_t)status.st_size < length && ftruncate(output->descriptor, (off_t)length) != 0))
        fail(output->name, "cannot write: %s", strerror(errno));
}

void output_write_at(const struct output *output, const void *memory, size_t bytes, uint64_t offset)
{
    for (const char *from = memory; bytes > 0;) {
        size_t written = put_some(output, from, bytes, &offset);
        from += written;
        bytes -= written;
        offset += written;
    }
}

/* Pages past the end of the file that were provided, but not needed, are given back where the file gets its length. */
void output_skip(struct output *output, uint64_t bytes)
{
    struct stat status;
    off_t end = (off_t)(output_place(output) + bytes);
    output->bytes += bytes;
    if (fstat(output->descriptor, &status) != 0 ||
        ftruncate(output->descriptor, output->target != NULL ? end : status.st_size) != 0 ||
        lseek(output->descriptor, end, SEEK_SET) != end)
        fail(output->name, "cannot write: %s", strerror(errno));
    if (output->shared != output->descriptor)
        close(output->shared);
}

/* ---- the end ---- */

/* EINVAL: a pipe or a device that cannot be synced. */
static void sync_data(const struct output *output)
{
    if (fsync(output->descriptor) != 0 && errno != EINVAL)
        fail(output->name, "cannot write: %s", strerror(errno));
}

/* Some file systems report lost data only at close(). outputs_replace() needs the descriptor, so a copy is closed. */
static void check_close(const struct output *output)
{
    int descriptor = output->target == NULL ? output->descriptor : dup(output->descriptor);
    if (descriptor < 0 || close(descriptor) != 0)
        fail(output->name, "cannot write: %s", strerror(errno));
}

void output_complete(struct output *output)
{
    if (output->text != NULL)
        text_writer_close(output->text);
    if (output->arrow != NULL)
        arrow_writer_close(output->arrow);
    if (output->encoder != NULL)
        encoder_close(output->encoder);
    if (output->target != NULL && access(output->target, F_OK) == 0)
        output->sync = true; /* a file will be replaced */
    if (output->sync)
        sync_data(output);
    check_close(output);
}

uint64_t outputs_replace(struct output *const outputs[], size_t count)
{
    struct placement placements[OUTPUTS] = {{.descriptor = -1}};
    size_t files = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        const struct output *output = outputs[i];
        if (output->target != NULL)
            placements[files++] = (struct placement){output->descriptor, output->target, output->sync};
        bytes += output->bytes;
    }
    temporaries_place(placements, files);
    for (size_t i = 0; i < count; i++)
        if (outputs[i]->target != NULL) {
            close(outputs[i]->descriptor);
            free(outputs[i]->target);
        }
    return bytes;
}

uint64_t output_finish(struct output *output)
{
    output_complete(output);
    return outputs_replace(&output, 1);
}
