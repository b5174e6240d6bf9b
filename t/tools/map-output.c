/* map-output.c - outputs whose pages are mapped: what is in the file, a full file system, signals. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../tools/io/output.h"
#include "child.h"
#include "support/tap.h"

#define BYTES ((size_t)1 << 20)

static char folder[] = "/dev/shm/scankit-map-XXXXXX", path[64];
static const struct common common = {.device = "cpu"};

/* Compares the file with `head`, then `mapped` bytes of value 7, then `tail`. */
static bool file_is(const char *head, size_t mapped, const char *tail)
{
    size_t before = strlen(head), after = strlen(tail);
    char *content = malloc(BYTES + 64);
    int file = open(path, O_RDONLY);
    ssize_t got = file < 0 || content == NULL ? -1 : read(file, content, BYTES + 64);
    bool same = got == (ssize_t)(before + mapped + after) && memcmp(content, head, before) == 0 &&
                memcmp(content + before + mapped, tail, after) == 0;
    for (size_t i = 0; same && i < mapped; i++)
        same = content[before + i] == 7;
    if (file >= 0)
        close(file);
    free(content);
    return same;
}

static bool writes(size_t used, const char *tail)
{
    struct output output;
    output_open(&output, path, false, &common);
    output_write(&output, "head", 4);
    char *data = output_map(&output, BYTES);
    if (data == NULL)
        return false;
    memset(data, 7, used);
    if (used < BYTES)
        output_unmap(&output, used);
    if (*tail != '\0')
        output_write(&output, tail, strlen(tail));
    return output_finish(&output) == 4 + used + strlen(tail) && file_is("head", used, tail);
}

static bool is_mapped(const char *to, bool gzip)
{
    struct output output;
    output_open(&output, to, gzip, &common);
    bool mapped = output_map(&output, BYTES) != NULL;
    output_finish(&output);
    return mapped;
}

static void map_too_much(void *unused)
{
    (void)unused;
    struct output output;
    const struct rlimit limit = {BYTES / 2, BYTES / 2};
    cli_start("test");
    output_open(&output, path, false, &common);
    setrlimit(RLIMIT_FSIZE, &limit);
    output_map(&output, BYTES);
}

static void die_mapped(void *unused)
{
    (void)unused;
    struct output output;
    output_open(&output, path, false, &common);
    char *data = output_map(&output, BYTES);
    memset(data, 7, BYTES / 2);
    raise(SIGTERM);
}

static bool is_empty(void)
{
    return rmdir(folder) == 0 && mkdir(folder, 0700) == 0;
}

int main(void)
{
    bool made = mkdtemp(folder) != NULL;
    snprintf(path, sizeof path, "%s/out", folder);
    if (!made || !is_mapped(path, false)) {
        tap_skip("/dev/shm is no tmpfs", "mapped outputs");
        unlink(path);
        rmdir(folder);
        return tap_finish();
    }
    tap_ok(writes(BYTES, ""), "mapped bytes follow what was written");
    tap_ok(writes(BYTES / 3, ""), "if fewer are used, the file ends there");
    tap_ok(writes(BYTES / 3, "tail"), "and what is written next follows");
    tap_ok(writes(0, "tail"), "even if none are used");
    tap_ok(!is_mapped(path, true), "a compressed output is not mapped");
    tap_ok(!is_mapped("/dev/null", false), "nor is a device");
    unlink(path);

    int status = child_run(map_too_much, NULL);
    tap_ok(status == 2 && strstr(child_message(), "cannot write: File too large"), "too few pages are an error");
    tap_ok(is_empty(), "and leave no file");
    status = child_run(die_mapped, NULL);
    tap_ok(status == 128 + SIGTERM, "a signal ends the process");
    tap_ok(is_empty(), "and leaves no file");
    unlink(path);
    rmdir(folder);
    return tap_finish();
}
