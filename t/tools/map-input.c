/* map-input.c - inputs mapped into memory: their elements, and what happens if the file becomes shorter. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../tools/io/input.h"
#include "child.h"
#include "support/tap.h"

#define BYTES ((size_t)12388) /* three pages and a part */

static char path[] = "/tmp/scankit-map-XXXXXX", *paths[] = {path};
static unsigned char content[BYTES];

static void make_file(void)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, content, BYTES) != (ssize_t)BYTES || close(file) != 0)
        abort();
}

static struct input *open_input(size_t skip)
{
    struct schema schema;
    const struct common common = {.type = "u8", .device = "cpu", .skip = skip};
    struct input *input = inputs_open(paths, 1, &common, INPUT_READ, &schema);
    schema_free(&schema);
    return input;
}

static bool holds(size_t skip)
{
    uint64_t bytes;
    struct input *input = open_input(skip);
    const char *data = input_map(input, &bytes);
    bool same = data != NULL && bytes == BYTES - skip && memcmp(data, content + skip, BYTES - skip) == 0;
    char more;
    bool ended = input_read(input, &more, 1) == 0;
    input_unmap(input);
    inputs_close(input, 1);
    return same && ended;
}

static unsigned sum(const char *data, size_t bytes)
{
    unsigned total = 0;
    for (size_t i = 0; i < bytes; i++)
        total += (unsigned char)((const volatile char *)data)[i];
    return total;
}

static void read_past_end(void *unused)
{
    uint64_t bytes;
    struct input *input = open_input(0);
    (void)unused;
    const char *data = input_map(input, &bytes);
    if (truncate(path, 4096) == 0)
        sum(data, bytes);
}

static void read_within_last_page(void *unused)
{
    uint64_t bytes;
    struct input *input = open_input(0);
    (void)unused;
    const char *data = input_map(input, &bytes);
    if (truncate(path, BYTES - 10) == 0)
        sum(data, bytes);
    input_unmap(input);
}

/* The handler is there, but the address is not its own. */
static void fail_elsewhere(void *unused)
{
    (void)unused;
    uint64_t bytes;
    int file = open(path, O_RDONLY);
    const char *other = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, file, 0);
    struct input *input = open_input(0);
    input_map(input, &bytes);
    input_unmap(input);
    if (truncate(path, 0) == 0)
        sum(other, BYTES);
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
    int file = mkstemp(path);
    for (size_t i = 0; i < BYTES; i++)
        content[i] = (unsigned char)(i * 7 + i / 256);
    make_file();
    tap_ok(file >= 0 && holds(0), "all elements are mapped, and taken");
    tap_ok(holds(3), "at an odd address behind skipped bytes");
    tap_ok(holds(5000), "or on a later page");

    int status = child_run(read_past_end, NULL);
    tap_ok(refused(status, "became shorter while it was read: 4096 bytes instead of 12388\n"),
           "an access past the end of a truncated file is an error");
    make_file();
    status = child_run(read_within_last_page, NULL);
    tap_ok(refused(status, "became shorter while it was read: 12378 bytes instead of 12388\n"),
           "and so is a file truncated within its last page");
    make_file();
    status = child_run(fail_elsewhere, NULL);
    tap_ok(status == 128 + SIGBUS, "another SIGBUS ends the process");

    uint64_t bytes;
    struct input *input = open_input(0);
    tap_ok(input_map(input, &bytes) == NULL, "nothing of an empty file is mapped");
    inputs_close(input, 1);
    unlink(path);
    close(file);
    return tap_finish();
}
