/* content.c - see content.h. */
#include "content.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/device.h"
#include "common/memory.h"
#include "file/pread.h"

/* ---- bytes as they lie in the file ---- */

static size_t read_stream(const struct input *input, char *memory, size_t bytes)
{
    size_t done = 0;
    while (done < bytes) {
        ssize_t got = read(input->descriptor, memory + done, bytes - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            fail(input->name, "cannot read: %s", strerror(errno));
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return done;
}

static NO_RETURN void refuse_shorter(const struct input *input, uint64_t bytes)
{
    fail(input->name, "became shorter while it was read: %llu bytes instead of %llu", (unsigned long long)bytes,
         (unsigned long long)input->file_end);
}

/* A page that was read once would only take the place of pages that are used again. */
static void forget(const struct input *input, uint64_t offset, size_t bytes)
{
    if (input->passes)
        posix_fadvise(input->descriptor, (off_t)offset, (off_t)bytes, POSIX_FADV_DONTNEED);
}

void content_read_part(const struct input *input, void *memory, size_t bytes, uint64_t offset, unsigned threads)
{
    size_t got = pread_all(input->descriptor, memory, bytes, offset, threads);
    if (got == PREAD_FAILED)
        fail(input->name, "cannot read: %s", strerror(errno));
    if (got < bytes)
        refuse_shorter(input, offset + got);
    forget(input, offset, bytes);
}

static size_t read_file(void *source, void *memory, size_t bytes)
{
    struct input *input = source;
    if (!input->regular)
        return read_stream(input, memory, bytes);
    if (bytes > input->end - input->offset)
        bytes = (size_t)(input->end - input->offset);
    content_read_part(input, memory, bytes, input->offset, input->threads);
    input->offset += bytes;
    return bytes;
}

static void seek_file(void *source, uint64_t offset)
{
    struct input *input = source;
    input->offset = input->begin + offset;
}

/* ---- the content, decompressed ---- */

size_t content_read(void *source, void *memory, size_t bytes)
{
    struct input *input = source;
    size_t pushed = bytes < input->pushed_bytes ? bytes : input->pushed_bytes;
    memcpy(memory, input->pushed, pushed);
    input->pushed_bytes -= pushed;
    memmove(input->pushed, input->pushed + pushed, input->pushed_bytes);
    char *rest = (char *)memory + pushed;
    bytes -= pushed;
    size_t got =
        pushed + (input->decoder != NULL ? decoder_read(input->decoder, rest, bytes) : read_file(input, rest, bytes));
    input->position += got;
    return got;
}

/* Bytes of the file that were looked at are read again. */
static void push_back(struct input *input, const unsigned char *bytes, size_t count)
{
    memcpy(input->pushed, bytes, count);
    input->pushed_bytes = count;
}

void content_put_back(struct input *input, const unsigned char *bytes, size_t count)
{
    push_back(input, bytes, count);
    input->position -= count;
}

static void look_for_codec(struct input *input, const struct common *common)
{
    unsigned char head[CODEC_HEAD_BYTES];
    input->begin = input->offset;
    size_t got = read_file(input, head, sizeof head);
    input->codec = codec_of_head(head, got);
    if (input->codec == CODEC_NONE) {
        push_back(input, head, got);
        return;
    }
    unsigned threads = host_threads(common, input->threads, DECODER_THREAD_BYTES);
    input->decoder = decoder_open(input->codec, input->name, read_file, input->regular ? seek_file : NULL, input, head,
                                  got, threads);
}

void content_keep(struct input *input, const void *memory, size_t bytes)
{
    if (!input->keeps || bytes == 0)
        return;
    char *grown = realloc(input->prefix, input->prefix_bytes + bytes);
    if (grown == NULL)
        fail(input->name, "out of memory");
    memcpy(grown + input->prefix_bytes, memory, bytes);
    input->prefix = grown;
    input->prefix_bytes += bytes;
}

size_t content_read_kept(void *source, void *memory, size_t bytes)
{
    size_t got = content_read(source, memory, bytes);
    content_keep(source, memory, got);
    return got;
}

/* In steps: the input may be shorter. */
void content_pass_over(struct input *input, size_t bytes)
{
    const size_t step = (size_t)1 << 20;
    char *memory = get_memory(bytes < step ? bytes : step);
    for (size_t done = 0; done < bytes;) {
        size_t part = bytes - done < step ? bytes - done : step;
        size_t got = content_read_kept(input, memory, part);
        done += got;
        if (got < part)
            fail(input->name, "holds %zu bytes only, so %zu cannot be skipped", done, bytes);
    }
    free(memory);
    input->skip = bytes;
}

uint64_t content_left(const struct input *input)
{
    if (!input_is_plain(input))
        return SIZE_UNKNOWN;
    return input->end - input->offset + input->pushed_bytes;
}

bool content_skip(void *state, uint64_t bytes)
{
    struct input *input = state;
    if (input->regular && input->decoder == NULL && input->pushed_bytes == 0) {
        bool is_there = bytes <= input->end - input->offset;
        input->offset += is_there ? bytes : 0;
        input->position += bytes;
        return is_there;
    }
    char memory[16384];
    for (uint64_t part; bytes > 0; bytes -= part) {
        part = bytes < sizeof memory ? bytes : sizeof memory;
        if (content_read(input, memory, (size_t)part) < part)
            return false;
    }
    return true;
}

/* ---- opening ---- */

/* A pipe of 1 MiB, the most that is allowed by default, takes a third less of the processors' time than one of 64 KiB.
 */
static void widen_pipe(int descriptor)
{
    const int bytes = 1 << 20;
    if (fcntl(descriptor, F_GETPIPE_SZ) < bytes)
        fcntl(descriptor, F_SETPIPE_SZ, bytes);
}

static void open_file(struct input *input, const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    input->name = standard ? "standard input" : path;
    input->descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (input->descriptor < 0 || fstat(input->descriptor, &status) != 0)
        fail(input->name, "cannot open: %s", strerror(errno));
    if (S_ISDIR(status.st_mode))
        fail(input->name, "is a directory");
    input->file = S_ISREG(status.st_mode);
    if (S_ISFIFO(status.st_mode))
        widen_pipe(input->descriptor);
    off_t offset = input->file && status.st_size > 0 ? lseek(input->descriptor, 0, SEEK_CUR) : -1;
    if (offset >= 0) { /* files of /proc have size 0, and are read as streams */
        input->regular = true;
        input->offset = (uint64_t)offset;
        input->end = (uint64_t)status.st_size > input->offset ? (uint64_t)status.st_size : input->offset;
        input->file_end = input->end;
        posix_fadvise(input->descriptor, offset, 0, POSIX_FADV_SEQUENTIAL);
    }
}

static bool is_longer_than_memory(uint64_t bytes)
{
    return bytes > (uint64_t)1 << 28 && bytes > host_free();
}

void content_open(struct input *input, const char *path, const struct common *common, enum input_use use)
{
    *input = (struct input){.threads = (unsigned)device_processors(common), .bounded = common->buffer_size > 0};
    open_file(input, path);
    if (use == INPUT_REPLACED && !input->file)
        fail(input->name, "is not a regular file, and cannot be replaced");
    input->passes = input->regular && is_longer_than_memory(input->end - input->offset);
    input->keeps = use == INPUT_KEPT || use == INPUT_REPLACED;
    look_for_codec(input, common);
    input->size = content_left(input);
}
