/* run-store.c - runs in temporaries: what is read is what was appended, whatever the range, the element and the number
 * of threads; a damaged, short or unreadable file is never read as if it were whole; a full disk is one clear line. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "common/cli.h"
#include "io/run_store.h"
#include "support/data.h"
#include "support/tap.h"

#define BLOCK RUN_BLOCK_BYTES
#define LARGE ((size_t)24 << 20) /* enough for several threads */

enum content { CONTENT_RANDOM, CONTENT_REPEATED, CONTENT_MIXED };

/* Random bytes cannot be compressed. Repeated ones can; mixed content has blocks of both kinds. */
static char *make_content(size_t bytes, enum content content)
{
    char *memory = get_memory(bytes + 1);
    data_fill_bytes(memory, bytes, 7);
    for (size_t i = 0; i < bytes; i++)
        if (content == CONTENT_REPEATED || (content == CONTENT_MIXED && i / (3 * BLOCK / 2) % 2 == 0))
            memory[i] = (char)(i / 997 + (i % 8 == 0));
    return memory;
}

static uint64_t cached; /* bytes that the page cache may hold; 0: the store decides */

static struct run_store *open_store(size_t element, bool compress, unsigned threads)
{
    char *folders[] = {(char *)test_folder()};
    return run_store_open(&(struct run_store_options){.element = element,
                                                      .compress = compress,
                                                      .threads = threads,
                                                      .cached = cached,
                                                      .folders = folders,
                                                      .folder_count = 1});
}

static struct run *whole_run(struct run_store *store, const char *memory, size_t bytes)
{
    struct run *run = run_create(store);
    run_append(run, memory, bytes);
    run_complete(run);
    return run;
}

/* ---- ranges ---- */

static void check_range(struct run *run, size_t element, const char *content, uint64_t first, size_t count)
{
    size_t bytes = count * element;
    char *memory = get_memory(bytes + 2);
    memory[0] = memory[bytes + 1] = 'x';
    run_read(run, first, count, memory + 1);
    if (memcmp(memory + 1, content + first * element, bytes) != 0)
        tap_fail("elements from %llu on, %zu, differ", (unsigned long long)first, count);
    if (memory[0] != 'x' || memory[bytes + 1] != 'x')
        tap_fail("elements from %llu on, %zu: written outside", (unsigned long long)first, count);
    free(memory);
}

/* All pairs of ends at and beside the borders of blocks. */
static void check_borders(struct run *run, size_t element, const char *content, size_t bytes)
{
    size_t ends[64] = {0}, count = 0, n = bytes / element;
    for (size_t at = 0; at <= bytes + BLOCK && count + 3 < 64; at += BLOCK)
        for (size_t i = 0; i < 3; i++) {
            size_t end = at / element + i;
            end = end > 0 ? end - 1 : 0;
            if (end <= n && (count == 0 || ends[count - 1] < end))
                ends[count++] = end;
        }
    if (ends[count - 1] < n)
        ends[count++] = n;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i; j < count; j++)
            check_range(run, element, content, ends[i], ends[j] - ends[i]);
}

/* Appends in parts of all sizes. */
static void append_parts(struct run *run, const char *content, size_t bytes, size_t element)
{
    random_state random = random_seeded(bytes + element);
    for (size_t done = 0; done < bytes;) {
        size_t part = element * random_size(&random, 5 * BLOCK / element + 2);
        part = part < bytes - done ? part : bytes - done;
        run_append(run, content + done, part);
        done += part;
    }
}

static void test_ranges(bool compress, enum content content, const char *name)
{
    static const size_t elements[] = {1, 3, 8, 100, 70000};
    static const size_t sizes[] = {0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 5 * BLOCK + 12345, 9 * BLOCK};
    tap_begin("ranges at all borders of blocks, %s", name);
    for (size_t e = 0; e < sizeof elements / sizeof elements[0]; e++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            size_t element = elements[e], n = (sizes[s] + element - 1) / element, bytes = n * element;
            tap_case("element %zu, n %zu", element, n);
            char *memory = make_content(bytes, content);
            struct run_store *store = open_store(element, compress, 1);
            struct run *run = run_create(store);
            append_parts(run, memory, bytes, element);
            run_complete(run);
            TAP_CHECK(run_elements(run) == n);
            check_borders(run, element, memory, bytes);
            run_destroy(run);
            run_store_close(store);
            free(memory);
        }
    tap_end();
}

/* ---- threads ---- */

struct reading {
    struct run *run;
    const char *content;
    size_t n;
    unsigned seed;
    bool wrong;
};

/* TAP is for one thread at a time. */
static void *read_many(void *argument)
{
    struct reading *reading = argument;
    random_state random = random_seeded(reading->seed);
    for (int i = 0; i < 60; i++) {
        size_t first = random_below(&random, reading->n), count = random_size(&random, reading->n - first);
        uint64_t *memory = get_memory((count + 1) * 8);
        run_read(reading->run, first, count, memory);
        reading->wrong = reading->wrong || memcmp(memory, reading->content + 8 * first, 8 * count) != 0;
        free(memory);
    }
    return NULL;
}

static void test_threads(bool compress)
{
    char *memory = make_content(LARGE, CONTENT_MIXED);
    tap_begin("several threads append, and several read%s", compress ? ", compressed" : "");
    struct run_store *store = open_store(8, compress, 4);
    struct run *run = run_create(store);
    run_append(run, memory, 24);
    run_append(run, memory + 24, LARGE - 24);
    run_complete(run);
    struct reading readings[4];
    pthread_t threads[4];
    for (unsigned i = 0; i < 4; i++) {
        readings[i] = (struct reading){.run = run, .content = memory, .n = LARGE / 8, .seed = i};
        if (pthread_create(&threads[i], NULL, read_many, &readings[i]) != 0)
            tap_bail_out("cannot start a thread");
    }
    for (unsigned i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        TAP_CHECK(!readings[i].wrong);
    }
    check_range(run, 8, memory, 0, LARGE / 8);
    TAP_CHECK(compress == (run_store_written(store) < LARGE * 9 / 10));
    run_destroy(run);
    run_store_close(store);
    tap_end();
    free(memory);
}

static void *append_one(void *argument)
{
    struct reading *reading = argument;
    run_append(reading->run, reading->content, 8 * reading->n);
    run_complete(reading->run);
    return NULL;
}

static void test_runs_at_once(void)
{
    char *memory = make_content(LARGE, CONTENT_MIXED);
    tap_begin("several runs grow at once");
    struct run_store *store = open_store(8, true, 2);
    struct reading runs[4];
    pthread_t threads[4];
    for (unsigned i = 0; i < 4; i++) {
        runs[i] = (struct reading){.run = run_create(store), .content = memory + 1000 * i, .n = LARGE / 16};
        if (pthread_create(&threads[i], NULL, append_one, &runs[i]) != 0)
            tap_bail_out("cannot start a thread");
    }
    for (unsigned i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        check_range(runs[i].run, 8, runs[i].content, 0, runs[i].n);
        run_destroy(runs[i].run);
    }
    run_store_close(store);
    tap_end();
    free(memory);
}

/* ---- faults ---- */

struct fault {
    struct run *run;
    char *memory;
    const char *content; /* what is expected, or NULL */
    size_t bytes, first, count;
};

static void read_elements(void *argument)
{
    struct fault *fault = argument;
    run_read(fault->run, fault->first, fault->count, fault->memory);
    if (fault->content != NULL && memcmp(fault->memory, fault->content, fault->bytes) != 0)
        _exit(98);
}

static int temporary_of(void)
{
    int file;
    if (nameless_files(&file, 1) != 1)
        tap_bail_out("the temporary is not found");
    return file;
}

static void flip(int file, off_t at)
{
    char byte;
    if (pread(file, &byte, 1, at) != 1)
        tap_bail_out("cannot read byte %lld", (long long)at);
    byte = (char)(byte ^ 16);
    if (pwrite(file, &byte, 1, at) != 1)
        tap_bail_out("cannot write byte %lld", (long long)at);
}

/* A byte between batches is in no block, so it may change. */
static void damage_must_show(struct fault *fault, bool compress)
{
    if (compress && child_run(read_elements, fault) == 0)
        return;
    child_must_fail(read_elements, fault, "damaged, in the block at byte ");
    TAP_CHECK(strstr(child_message(), test_folder()) != NULL);
}

/* Flips bytes all over the file. Reads of blocks beside the damage succeed. */
static void test_damage(bool compress)
{
    struct fault fault = {.bytes = 5 * BLOCK + 777, .count = 5 * BLOCK + 777};
    fault.memory = get_memory(fault.bytes);
    char *content = make_content(fault.bytes, CONTENT_MIXED), where[32];
    fault.content = content;
    struct run_store *store = open_store(1, compress, 1);
    fault.run = whole_run(store, content, fault.bytes);
    int file = temporary_of();
    off_t size = lseek(file, 0, SEEK_END), step = size / 23;
    tap_begin("a byte that flipped is found%s", compress ? ", compressed" : "");
    for (off_t at = 0; at < size; at += at + step < size ? step : at < size - 1 ? size - 1 - at : 1) {
        tap_case("byte %lld of %lld", (long long)at, (long long)size);
        flip(file, at);
        snprintf(where, sizeof where, "byte %lld", (long long)(at / (off_t)BLOCK * (off_t)BLOCK));
        damage_must_show(&fault, compress);
        if (!compress && strstr(child_message(), where) == NULL)
            tap_fail("not at %s: %s", where, child_message());
        if (!compress)
            for (size_t block = 0; block < 5; block++)
                if (block != (size_t)at / BLOCK)
                    check_range(fault.run, 1, content, block * BLOCK + 5, 1000);
        flip(file, at);
    }
    check_range(fault.run, 1, content, 0, fault.bytes);
    tap_end();
    run_destroy(fault.run);
    run_store_close(store);
    free(content);
    free(fault.memory);
}

static void test_short(void)
{
    struct fault fault = {.bytes = 3 * BLOCK + 99, .count = 3 * BLOCK + 99};
    fault.memory = get_memory(fault.bytes);
    char *content = make_content(fault.bytes, CONTENT_RANDOM);
    struct run_store *store = open_store(1, false, 1);
    fault.run = whole_run(store, content, fault.bytes);
    int file = temporary_of(), null = open("/", O_RDONLY | O_DIRECTORY);
    tap_begin("a file that is short or unreadable is not read");
    for (off_t size = (off_t)fault.bytes - 1; size >= 0; size -= size > 40000 ? 40000 : size > 0 ? size : 1) {
        tap_case("%lld bytes", (long long)size);
        if (ftruncate(file, size) != 0)
            tap_bail_out("cannot truncate");
        child_must_fail(read_elements, &fault, "ends too early, at byte ");
    }
    tap_case("unreadable");
    dup2(null, file);
    fault.first = 100;
    child_must_fail(read_elements, &fault, "cannot read a temporary file, at byte 0: Is a directory");
    tap_end();
    close(null);
    run_destroy(fault.run);
    run_store_close(store);
    free(content);
    free(fault.memory);
}

static void append_all(void *argument)
{
    struct fault *fault = argument;
    run_append(fault->run, fault->memory, fault->bytes);
    run_complete(fault->run);
}

static void append_limited(void *argument)
{
    struct rlimit limit = {3 * BLOCK + 5, 3 * BLOCK + 5};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) == 0)
        append_all(argument);
}

static void test_full(bool compress)
{
    struct fault fault = {.bytes = LARGE, .memory = make_content(LARGE, CONTENT_RANDOM)};
    struct run_store *store = open_store(1, compress, 3);
    fault.run = run_create(store);
    int file = temporary_of(), full = open("/dev/full", O_RDWR);
    tap_begin("a full disk is an error%s", compress ? ", compressed" : "");
    tap_case("a limit of file size, some blocks");
    child_must_fail(append_limited, &fault, "cannot write a temporary file, at byte ");
    TAP_CHECK(strstr(child_message(), strerror(EFBIG)) != NULL && strstr(child_message(), test_folder()) != NULL);
    if (full >= 0) {
        dup2(full, file);
        close(full);
        tap_case("no space, some blocks");
        child_must_fail(append_all, &fault, strerror(ENOSPC));
        tap_case("no space, the last block");
        fault.bytes = 10;
        child_must_fail(append_all, &fault, strerror(ENOSPC));
    }
    tap_end();
    run_destroy(fault.run);
    run_store_close(store);
    free(fault.memory);
}

/* ---- folders ---- */

static void open_with(void *argument)
{
    char *folders[] = {(char *)test_folder(), argument};
    run_store_open(&(struct run_store_options){.element = 1, .folders = folders, .folder_count = 2});
}

static void open_by_environment(void *argument)
{
    setenv("TMPDIR", argument, 1);
    run_store_open(&(struct run_store_options){.element = 1});
}

static size_t names_in(const char *folder)
{
    size_t count = 0;
    char command[4300];
    snprintf(command, sizeof command, "ls -A '%s' | wc -l", folder);
    FILE *pipe = popen(command, "r");
    if (pipe == NULL || fscanf(pipe, "%zu", &count) != 1)
        tap_bail_out("cannot list %s", folder);
    pclose(pipe);
    return count;
}

static void test_folders(void)
{
    char first[4200], second[4200], gone[4200], plain[4200];
    snprintf(first, sizeof first, "%s/first", test_folder());
    snprintf(second, sizeof second, "%s/second", test_folder());
    snprintf(gone, sizeof gone, "%s/gone", test_folder());
    snprintf(plain, sizeof plain, "%s/file", test_folder());
    close(open(plain, O_WRONLY | O_CREAT, 0600));
    if (mkdir(first, 0700) != 0 || mkdir(second, 0700) != 0)
        tap_bail_out("cannot make folders");
    tap_begin("folders of temporaries");
    tap_case("one is not there");
    child_must_fail(open_with, gone, "gone: cannot make a temporary file: No such file");
    tap_case("one is a file");
    child_must_fail(open_with, plain, "file: cannot make a temporary file: Not a directory");
    tap_case("one cannot be written to");
    child_must_fail(open_with, "/proc", "/proc: cannot make a temporary file: ");
    tap_case("$TMPDIR is not there");
    child_must_fail(open_by_environment, gone, "gone: cannot make a temporary file: No such file");
    tap_case("by turns, and without names");
    char *folders[] = {first, second};
    struct run_store *store =
        run_store_open(&(struct run_store_options){.element = 1, .folders = folders, .folder_count = 2});
    struct run *runs[4];
    int descriptors[8];
    for (int i = 0; i < 4; i++)
        runs[i] = whole_run(store, "abc", 3);
    TAP_CHECK(nameless_files(descriptors, 8) == 4);
    TAP_CHECK(names_in(first) == 0 && names_in(second) == 0);
    for (int i = 0; i < 4; i++) {
        char link[64], path[4300] = "";
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptors[i]);
        if (readlink(link, path, sizeof path - 1) > 0)
            TAP_CHECK(strstr(path, i % 2 == 0 ? "/first/" : "/second/") != NULL);
        run_destroy(runs[i]);
    }
    TAP_CHECK(nameless_files(descriptors, 8) == 0);
    run_store_close(store);
    tap_end();
}

/* ---- discarding ---- */

static uint64_t space_of(int file)
{
    struct stat status;
    fsync(file);
    fstat(file, &status);
    return (uint64_t)status.st_blocks * 512;
}

static void test_discard(bool compress)
{
    char *content = make_content(LARGE, CONTENT_MIXED);
    struct run_store *store = open_store(8, compress, 1);
    struct run *run = whole_run(store, content, LARGE);
    int file = temporary_of();
    uint64_t before = space_of(file);
    size_t n = LARGE / 8, step = 12345;
    tap_begin("space that is discarded is free, and the rest can be read%s", compress ? ", compressed" : "");
    for (size_t first = 0; first < n / 2; first += step)
        run_discard(run, first, step < n / 2 - first ? step : n / 2 - first);
    check_range(run, 8, content, n / 2, n - n / 2);
    uint64_t half = space_of(file);
    run_discard(run, n - 20000, 20000);
    check_range(run, 8, content, n / 2, n / 2 - 20000);
    run_discard(run, n / 2, n / 2 - 20000);
    uint64_t all = space_of(file);
    if (half == before)
        tap_diag("this file system has no holes");
    else if (half > before * 6 / 10 || all > before / 20) /* pages that two ranges share stay */
        tap_fail("%llu bytes, then %llu, then %llu", (unsigned long long)before, (unsigned long long)half,
                 (unsigned long long)all);
    tap_end();
    run_destroy(run);
    run_store_close(store);
    free(content);
}

int main(void)
{
    test_ranges(false, CONTENT_RANDOM, "plain");
    test_ranges(true, CONTENT_RANDOM, "nothing to compress");
    test_ranges(true, CONTENT_REPEATED, "compressed");
    test_ranges(true, CONTENT_MIXED, "some compressed");
    for (cached = 0; cached < 2; cached++) { /* by way of the page cache, and past it */
        test_threads(false);
        test_threads(true);
    }
    cached = 9 << 20; /* one, then the other */
    test_threads(false);
    test_threads(true);
    cached = 0;
    test_runs_at_once();
    for (cached = 0; cached < 2; cached++) {
        test_damage(false);
        test_damage(true);
    }
    cached = 0;
    test_short();
    test_full(false);
    test_full(true);
    test_folders();
    test_discard(false);
    test_discard(true);
    return tap_finish();
}
