/* pages.c - outputs written by threads into mapped pages: what is in the file, a limit of its length, a file that
 * becomes shorter, signals. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../tools/io/pages.h"
#include "child.h"
#include "support/tap.h"

#define PROCESSORS 16
#define THREADS 4
#define BLOCK ((size_t)100003)
#define BLOCKS 40
#define BYTES (BLOCK * BLOCKS)

static char folder[] = "/dev/shm/scankit-pages-XXXXXX", path[64];
static const struct common common = {.device = "cpu"};
static char content[BYTES];

/* ---- writing ---- */

struct share {
    struct pages *pages;
    size_t first;
    pthread_t thread;
};

/* Writes every fourth block, the last one first. */
static void *put_share(void *argument)
{
    const struct share *share = argument;
    for (size_t i = BLOCKS - THREADS + share->first;; i -= THREADS) {
        pages_put(share->pages, content + i * BLOCK, BLOCK, i * BLOCK);
        if (i < THREADS)
            return NULL;
    }
}

static void put_all(struct output *output, size_t expected)
{
    struct share shares[THREADS];
    struct pages *pages = pages_open(output);
    for (size_t step = expected / 3; step > 0 && step <= expected; step += expected / 3)
        pages_expect(pages, step);
    for (size_t t = 0; t < THREADS; t++) {
        shares[t] = (struct share){.pages = pages, .first = t};
        if (pthread_create(&shares[t].thread, NULL, put_share, &shares[t]) != 0)
            tap_bail_out("no threads");
    }
    for (size_t t = 0; t < THREADS; t++)
        pthread_join(shares[t].thread, NULL);
    pages_close(pages, BYTES);
}

/* True if the file holds, from an offset on, the head, all blocks and the tail, and has few pages behind its end. */
static bool file_is(off_t offset, const char *head, const char *tail)
{
    struct stat status;
    size_t before = strlen(head), after = strlen(tail), all = before + BYTES + after;
    char *bytes = malloc(all);
    int file = open(path, O_RDONLY);
    bool same = bytes != NULL && fstat(file, &status) == 0 && status.st_size == offset + (off_t)all &&
                pread(file, bytes, all, offset) == (ssize_t)all && memcmp(bytes, head, before) == 0 &&
                memcmp(bytes + before, content, BYTES) == 0 && memcmp(bytes + before + BYTES, tail, after) == 0;
    same = same && (size_t)status.st_blocks * 512 <= all + 3 * 4096;
    close(file);
    free(bytes);
    return same;
}

static bool is_mapped(const char *to, enum codec codec)
{
    struct output output;
    output_open(&output, to, codec, &common);
    bool mapped = output_way(&output, PROCESSORS) == WAY_PAGES;
    output_finish(&output);
    return mapped;
}

static bool writes(size_t expected)
{
    struct output output;
    output_open(&output, path, CODEC_NONE, &common);
    if (output_way(&output, PROCESSORS) != WAY_PAGES)
        return false;
    output_write(&output, "head", 4);
    put_all(&output, expected);
    output_write(&output, "tail", 4);
    return output_finish(&output) == 4 + BYTES + 4 && file_is(0, "head", "tail");
}

/* Standard output, open for writing only, from an offset on. */
struct redirected {
    off_t offset;
    int flags;
};

static void redirect(void *argument)
{
    const struct redirected *redirected = argument;
    struct output output;
    int file = open(path, O_WRONLY | O_CREAT | redirected->flags, 0600);
    if (file < 0 || lseek(file, redirected->offset, SEEK_SET) < 0 || dup2(file, STDOUT_FILENO) < 0)
        _exit(98);
    output_open(&output, NULL, CODEC_NONE, &common);
    if (output_way(&output, PROCESSORS) != WAY_PAGES)
        _exit(97);
    put_all(&output, BYTES);
    output_write(&output, "tail", 4);
    output_finish(&output);
}

static bool redirects(off_t offset, int flags)
{
    unlink(path);
    return child_run(redirect, &(struct redirected){offset, flags}) == 0 && file_is(offset, "", "tail");
}

static bool keeps_the_rest(void)
{
    char byte = 0;
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    bool made = ftruncate(file, 3 * (off_t)BYTES) == 0 && pwrite(file, "z", 1, 2 * (off_t)BYTES) == 1;
    bool written = made && child_run(redirect, &(struct redirected){0, 0}) == 0;
    bool kept = lseek(file, 0, SEEK_END) == 3 * (off_t)BYTES && pread(file, &byte, 1, 2 * (off_t)BYTES) == 1;
    close(file);
    return written && kept && byte == 'z';
}

/* A file that the user may write, but not read. */
static void write_only(void *unused)
{
    (void)unused;
    struct output output;
    const uid_t nobody = 65534;
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0200);
    if (geteuid() == 0 && (fchown(file, nobody, nobody) != 0 || setuid(nobody) != 0))
        _exit(98);
    if (dup2(file, STDOUT_FILENO) < 0)
        _exit(98);
    output_open(&output, NULL, CODEC_NONE, &common);
    _exit(output_way(&output, PROCESSORS) == WAY_WRITE ? 0 : 97);
}

/* ---- faults ---- */

static struct pages *open_pages(struct output *output)
{
    output_open(output, path, CODEC_NONE, &common);
    output_way(output, PROCESSORS);
    return pages_open(output);
}

static void put_too_much(void *unused)
{
    (void)unused;
    struct output output;
    const struct rlimit limit = {BYTES / 2, BYTES / 2};
    cli_start("test");
    signal(SIGXFSZ, SIG_IGN);
    struct pages *pages = open_pages(&output);
    setrlimit(RLIMIT_FSIZE, &limit);
    pages_put(pages, content, BYTES, 0);
}

static void become_shorter(void *unused)
{
    (void)unused;
    struct output output;
    struct pages *pages = open_pages(&output);
    pages_put(pages, content, BYTES, 0);
    if (ftruncate(output.descriptor, 4096) == 0)
        pages_put(pages, content, BYTES / 2, 0);
}

static void die(void *unused)
{
    (void)unused;
    struct output output;
    struct pages *pages = open_pages(&output);
    pages_expect(pages, BYTES);
    pages_put(pages, content, BYTES / 2, 0);
    raise(SIGTERM);
}

/* The handler is there, but the address is not its own. */
static void fail_elsewhere(void *unused)
{
    (void)unused;
    struct output output;
    struct pages *pages = open_pages(&output);
    pages_put(pages, content, BYTES, 0);
    int file = memfd_create("other", 0);
    volatile char *other = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    other[0] = 1;
}

static bool folder_is_empty(void)
{
    return rmdir(folder) == 0 && mkdir(folder, 0700) == 0;
}

static bool refused(int status, const char *text)
{
    bool same = status == 2 && strstr(child_message(), text) != NULL;
    if (!same)
        tap_diag("status %d: %s", status, child_message());
    return same;
}

int main(void)
{
    for (size_t i = 0; i < BYTES; i++)
        content[i] = (char)(i * 7 + i / 256 + 1);
    bool made = mkdtemp(folder) != NULL;
    snprintf(path, sizeof path, "%s/out", folder);
    if (!made || !is_mapped(path, CODEC_NONE)) {
        tap_skip("/dev/shm is no tmpfs", "mapped outputs");
        unlink(path);
        rmdir(folder);
        return tap_finish();
    }
    tap_ok(!is_mapped(path, CODEC_GZIP), "a compressed output is not mapped");
    tap_ok(!is_mapped("/dev/null", CODEC_NONE), "nor is a device");
    tap_ok(writes(0), "bytes that were not expected, between others");
    tap_ok(writes(BYTES), "or were");
    tap_ok(writes(BYTES / 2), "or more than expected");
    tap_ok(writes(3 * BYTES), "or less: pages that nobody needs are given back");
    tap_ok(redirects(0, O_TRUNC), "standard output, which is open for writing only");
    tap_ok(redirects(5, O_TRUNC), "from an odd offset on");
    tap_ok(redirects((off_t)5 << 30, O_TRUNC), "and past 4 GiB");
    tap_ok(keeps_the_rest(), "inside a longer file");
    unlink(path);
    int status = child_run(write_only, NULL);
    if (status == 98)
        tap_skip("root cannot become somebody else", "a file that cannot be read");
    else
        tap_ok(status == 0, "a file that cannot be read is not mapped");
    unlink(path);

    tap_ok(refused(child_run(put_too_much, NULL), "cannot write: File too large"), "a limit of the length is an error");
    tap_ok(folder_is_empty(), "and leaves no file");
    tap_ok(refused(child_run(become_shorter, NULL), "became shorter while it was written: 4096 bytes\n"),
           "so is a file that becomes shorter");
    tap_ok(child_run(die, NULL) == 128 + SIGTERM, "a signal ends the process");
    tap_ok(folder_is_empty(), "and leaves no file");
    tap_ok(child_run(fail_elsewhere, NULL) == 128 + SIGBUS, "another SIGBUS ends the process");
    unlink(path);
    rmdir(folder);
    return tap_finish();
}
