/* workspace.c - a job with a workspace goes on where it was stopped, whenever that was, and never takes what is
 * damaged, another job's, or in use. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "child.h"
#include "common/cli.h"
#include "io/run_store.h"
#include "support/data.h"
#include "support/tap.h"

#define RUNS 12
#define ELEMENTS ((size_t)20000) /* of a run */
#define BYTES (8 * ELEMENTS)
#define KILLS 40

static char folder[4200];
static bool packed;

/* Element i of the input is i * i. */
static uint64_t *content(uint64_t begin, uint64_t end)
{
    uint64_t *memory = get_memory((size_t)(end - begin) * 8);
    for (uint64_t i = begin; i < end; i++)
        memory[i - begin] = i * i;
    return memory;
}

static struct run_store *open_as(const char *key, size_t element)
{
    return run_store_open(&(struct run_store_options){
        .element = element, .compress = packed, .threads = 2, .workspace = folder, .key = key});
}

static struct run_store *open_job(void)
{
    return open_as("job\n1", 8);
}

static struct run *add_run(struct run_store *store, uint64_t begin, uint64_t end)
{
    uint64_t *memory = content(begin, end);
    struct run *run = run_create(store);
    run_covers(run, begin, end);
    run_append(run, memory, (size_t)(end - begin) * 8);
    run_complete(run);
    free(memory);
    return run;
}

static bool is_right(struct run *run, uint64_t begin, uint64_t end)
{
    if (run_elements(run) != end - begin)
        return false;
    size_t bytes = (size_t)(end - begin) * 8;
    uint64_t *expected = content(begin, end), *found = get_memory(bytes);
    run_read(run, 0, (size_t)(end - begin), found);
    bool same = memcmp(expected, found, bytes) == 0;
    free(expected);
    free(found);
    return same;
}

/* ---- files ---- */

/* The names in the folder that contain a text. */
static size_t names_with(const char *text)
{
    DIR *open = opendir(folder);
    size_t count = 0;
    if (open == NULL)
        return 0;
    for (const struct dirent *entry; (entry = readdir(open)) != NULL;)
        count += entry->d_name[0] != '.' && strstr(entry->d_name, text) != NULL;
    closedir(open);
    return count;
}

static const char *path_of(const char *name)
{
    static char path[4400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static char *get_file(const char *name, size_t *bytes)
{
    FILE *file = fopen(path_of(name), "rb");
    if (file == NULL) {
        tap_bail_out("cannot read %s", path_of(name));
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    rewind(file);
    char *text = get_memory(*bytes + 1);
    if (fread(text, 1, *bytes, file) != *bytes)
        tap_bail_out("cannot read %s", path_of(name));
    fclose(file);
    return text;
}

static void put_file(const char *name, const char *text, size_t bytes)
{
    FILE *file = fopen(path_of(name), "wb");
    if (file == NULL || fwrite(text, 1, bytes, file) != bytes || fclose(file) != 0)
        tap_bail_out("cannot write %s", path_of(name));
}

static void clear_folder(void)
{
    char command[4300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        tap_bail_out("cannot remove %s", folder);
}

/* ---- jobs that end early ---- */

/* Three complete runs, and one that is not. */
static void stop_in_fourth(void *argument)
{
    (void)argument;
    struct run_store *store = open_job();
    for (uint64_t i = 0; i < 3; i++)
        add_run(store, i * ELEMENTS, (i + 1) * ELEMENTS);
    uint64_t *memory = content(0, ELEMENTS);
    struct run *run = run_create(store);
    run_covers(run, 3 * ELEMENTS, 4 * ELEMENTS);
    run_append(run, memory, BYTES);
    _exit(0);
}

static void start(void)
{
    clear_folder();
    if (child_run(stop_in_fourth, NULL) != 0)
        tap_bail_out("the first start failed: %s", child_message());
}

/* Returns a bit for each run that is resumed; they must be right. */
static unsigned resume(struct run_store *store)
{
    unsigned found = 0;
    uint64_t begin, end, before = 0;
    for (size_t i = 0;; i++) {
        struct run *run = run_store_resume(store, i, &begin, &end);
        if (run == NULL)
            return found;
        TAP_CHECK(begin >= before && end > begin && is_right(run, begin, end));
        before = end;
        for (uint64_t k = begin / ELEMENTS; k < end / ELEMENTS; k++)
            found |= 1U << k;
        run_destroy(run);
    }
}

static void open_and_stop(void *argument)
{
    (void)argument;
    open_job();
}

static void test_resume(void)
{
    tap_begin("complete runs are resumed%s", packed ? ", compressed" : "");
    start();
    TAP_CHECK(names_with("run") == 4);
    tap_case("a start that does nothing");
    TAP_CHECK(child_run(open_and_stop, NULL) == 0);
    TAP_CHECK(names_with("run") == 3);
    tap_case("the next start");
    struct run_store *store = open_job();
    TAP_CHECK(run_store_written(store) == 0);
    struct run *fourth = add_run(store, 3 * ELEMENTS, 4 * ELEMENTS);
    TAP_CHECK(resume(store) == 7);
    TAP_CHECK(is_right(fourth, 3 * ELEMENTS, 4 * ELEMENTS));
    run_discard(fourth, 0, ELEMENTS);
    TAP_CHECK(is_right(fourth, 3 * ELEMENTS, 4 * ELEMENTS));
    run_destroy(fourth);
    TAP_CHECK(names_with("run") == 0);
    run_store_close(store);
    TAP_CHECK(access(folder, F_OK) != 0);
    tap_case("a folder that was there before stays");
    mkdir(folder, 0700);
    run_store_close(open_job());
    TAP_CHECK(access(folder, F_OK) == 0 && names_with("") == 0);
    tap_end();
}

/* ---- what is refused ---- */

static void open_other_key(void *argument)
{
    open_as(argument, 8);
}

static void open_other_element(void *argument)
{
    open_as("job\n1", *(size_t *)argument);
}

static void test_refusals(void)
{
    size_t four = 4;
    tap_begin("a folder of another job is refused, and stays as it is");
    start();
    size_t files = names_with("");
    tap_case("another key");
    child_must_fail(open_other_key, "job\n2", "holds runs of another job");
    child_must_fail(open_other_key, "", "holds runs of another job");
    tap_case("another element");
    child_must_fail(open_other_element, &four, "holds runs of another job");
    tap_case("a foreign file");
    put_file("letter", "x", 1);
    child_must_fail(open_and_stop, NULL, "holds 'letter', so it is not a workspace");
    TAP_CHECK(names_with("") == files + 1);
    unlink(path_of("letter"));
    tap_case("a foreign manifest");
    put_file("scankit-manifest", "all others\n", 11);
    child_must_fail(open_and_stop, NULL, "its manifest is not that of a workspace");
    tap_case("another version");
    char text[64];
    static const char other[] = "scankit-workspace 2\nmade 0\n";
    int bytes = snprintf(text, sizeof text, "%send %08lx\n", other, crc32(0, (const void *)other, sizeof other - 1));
    put_file("scankit-manifest", text, (size_t)bytes);
    child_must_fail(open_and_stop, NULL, "another version of this tool left it");
    TAP_CHECK(names_with("") == files);
    tap_case("a file instead of a folder");
    clear_folder();
    close(open(folder, O_WRONLY | O_CREAT, 0600));
    child_must_fail(open_and_stop, NULL, "cannot open the workspace: Not a directory");
    clear_folder();
    tap_case("no folder to make it in");
    snprintf(folder, sizeof folder, "%s/none/workspace", test_folder());
    child_must_fail(open_and_stop, NULL, "cannot make the workspace: No such file");
    snprintf(folder, sizeof folder, "%s/workspace", test_folder());
    tap_end();
}

static void test_two(void)
{
    tap_begin("two processes do not share a workspace");
    start();
    struct run_store *store = open_job();
    child_must_fail(open_and_stop, NULL, "another process is using this workspace");
    child_must_fail(open_other_key, "other", "another process is using this workspace");
    TAP_CHECK(resume(store) == 7);
    run_store_close(store);
    TAP_CHECK(child_run(open_and_stop, NULL) == 0);
    tap_end();
}

/* ---- what is damaged ---- */

static void test_manifest(void)
{
    size_t bytes;
    tap_begin("a manifest that was cut or changed at any byte is refused");
    start();
    char *text = get_file("scankit-manifest", &bytes);
    for (size_t at = 0; at < bytes; at++) {
        tap_case("cut to %zu bytes", at);
        put_file("scankit-manifest", text, at);
        child_must_fail(open_and_stop, NULL, "its manifest is damaged");
        tap_case("byte %zu", at);
        text[at] ^= 4;
        put_file("scankit-manifest", text, bytes);
        child_must_fail(open_and_stop, NULL, "its manifest is ");
        text[at] ^= 4;
        TAP_CHECK(names_with("run") == 4);
    }
    tap_case("whole again, and a new one is cut");
    put_file("scankit-manifest", text, bytes);
    put_file("scankit-manifest.new", text, bytes / 2);
    struct run_store *store = open_job();
    TAP_CHECK(names_with("new") == 0);
    TAP_CHECK(resume(store) == 7);
    run_store_close(store);
    free(text);
    tap_end();
}

static void read_second(void *argument)
{
    uint64_t begin, end;
    struct run *run = run_store_resume(open_job(), 1, &begin, &end);
    (void)argument;
    if (run != NULL)
        _exit(is_right(run, begin, end) ? 0 : 98);
}

static void test_runs(void)
{
    size_t bytes;
    tap_begin("a damaged run is made again%s", packed ? ", compressed" : "");
    start();
    char *file = get_file("scankit-run-2", &bytes);
    for (size_t cut = 0; cut <= bytes;
         cut += cut + 1 < bytes && cut + bytes / 5 >= bytes ? bytes - 1 - cut : bytes / 5) {
        if (cut == bytes)
            break;
        tap_case("cut to %zu of %zu bytes", cut, bytes);
        start();
        put_file("scankit-run-2", file, cut);
        struct run_store *store = open_job();
        TAP_CHECK(names_with("run-2") == 0);
        TAP_CHECK(resume(store) == 5);
        run_store_close(store);
        if (cut == bytes - 1)
            break;
    }
    tap_case("the index is changed");
    start();
    file[bytes - 1] ^= 4;
    put_file("scankit-run-2", file, bytes);
    TAP_CHECK(child_run(open_and_stop, NULL) == 0 && names_with("run-2") == 0);
    file[bytes - 1] ^= 4;
    tap_case("the data are changed");
    start();
    file[1000] ^= 4;
    put_file("scankit-run-2", file, bytes);
    child_must_fail(read_second, NULL,
                    "scankit-run-2: is damaged, in the block at byte 0; it was removed, and the same command makes it "
                    "again");
    struct run_store *store = open_job();
    TAP_CHECK(resume(store) == 5);
    struct run *again = add_run(store, ELEMENTS, 2 * ELEMENTS);
    TAP_CHECK(is_right(again, ELEMENTS, 2 * ELEMENTS));
    run_destroy(again);
    run_store_close(store);
    free(file);
    tap_end();
}

static void merge_and_stop(void *argument)
{
    (void)argument;
    struct run_store *store = open_job();
    add_run(store, 0, 2 * ELEMENTS);
    _exit(0);
}

static void test_merged(void)
{
    tap_begin("a run that covers others replaces them");
    start();
    TAP_CHECK(child_run(merge_and_stop, NULL) == 0);
    TAP_CHECK(names_with("run") == 4);
    tap_case("it is damaged");
    size_t bytes;
    char *file = get_file("scankit-run-4", &bytes);
    put_file("scankit-run-4", file, bytes - 1);
    struct run_store *store = open_job();
    TAP_CHECK(names_with("run") == 3 && resume(store) == 7);
    run_store_close(store);
    tap_case("it is good");
    start();
    TAP_CHECK(child_run(merge_and_stop, NULL) == 0);
    store = open_job();
    TAP_CHECK(names_with("run") == 2 && resume(store) == 7);
    run_store_close(store);
    free(file);
    tap_end();
}

/* ---- killed ---- */

static void whole_job(void *argument)
{
    struct run *runs[RUNS] = {NULL};
    struct run_store *store = open_job();
    uint64_t begin, end;
    (void)argument;
    for (size_t i = 0;; i++) {
        struct run *run = run_store_resume(store, i, &begin, &end);
        if (run == NULL)
            break;
        runs[begin / ELEMENTS] = run;
    }
    for (size_t i = 0; i < RUNS; i++)
        if (runs[i] == NULL)
            runs[i] = add_run(store, i * ELEMENTS, (i + 1) * ELEMENTS);
    for (size_t i = 0; i < RUNS; i++)
        if (!is_right(runs[i], i * ELEMENTS, (i + 1) * ELEMENTS))
            _exit(98);
    for (size_t i = 0; i < RUNS; i++)
        run_destroy(runs[i]);
    run_store_close(store);
}

static long microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}

static void test_kills(void)
{
    tap_begin("a job that is killed at any moment goes on%s", packed ? ", compressed" : "");
    clear_folder();
    long begin = microseconds();
    TAP_CHECK(child_run(whole_job, NULL) == 0);
    long whole = microseconds() - begin;
    random_state random = random_seeded((uint64_t)whole);
    unsigned killed = 0, done = 0;
    for (unsigned i = 0; i < KILLS; i++) {
        tap_case("kill %u", i);
        pid_t child = child_start(whole_job, NULL);
        usleep((useconds_t)random_below(&random, (uint64_t)whole));
        kill(child, SIGKILL);
        int status = child_end(child);
        killed += status == 128 + SIGKILL;
        done += status == 0;
        if (status != 0 && status != 128 + SIGKILL)
            tap_fail("status %d: %s", status, child_message());
    }
    tap_diag("%u killed, %u done", killed, done);
    tap_case("the last start");
    TAP_CHECK(child_run(whole_job, NULL) == 0);
    TAP_CHECK(access(folder, F_OK) != 0 || names_with("") == 0);
    tap_end();
}

int main(void)
{
    snprintf(folder, sizeof folder, "%s/workspace", test_folder());
    for (int i = 0; i < 2; i++) {
        packed = i == 1;
        test_resume();
        test_runs();
        test_kills();
    }
    test_refusals();
    test_two();
    test_manifest();
    test_merged();
    return tap_finish();
}
