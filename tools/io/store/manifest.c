/* manifest.c - see manifest.h. */
#include "manifest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli.h"
#include "run_block.h"

static const char magic[] = "scankit-workspace ";
static const char version[] = "1\n";

#define MAGIC_BYTES (sizeof magic - 1)
#define END_BYTES (sizeof "end 01234567\n" - 1)

void manifest_add(struct manifest *manifest, const struct manifest_run *run)
{
    struct manifest_run *grown = realloc(manifest->runs, (manifest->count + 1) * sizeof *grown);
    if (grown == NULL)
        fail(NULL, "out of memory");
    manifest->runs = grown;
    grown[manifest->count++] = *run;
}

void manifest_remove(struct manifest *manifest, size_t i)
{
    manifest->count--;
    memmove(&manifest->runs[i], &manifest->runs[i + 1], (manifest->count - i) * sizeof manifest->runs[0]);
}

void manifest_free(struct manifest *manifest)
{
    free(manifest->codec);
    free(manifest->key);
    free(manifest->runs);
    *manifest = (struct manifest){0};
}

/* ---- writing ---- */

char *manifest_text(const struct manifest *manifest, size_t *bytes)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, bytes);
    if (file == NULL)
        fail(NULL, "out of memory");
    fprintf(file, "%s%smade %d\nelement %zu\ncodec %s\nkey %zu\n%s\n", magic, version, manifest->made,
            manifest->element, manifest->codec, strlen(manifest->key), manifest->key);
    for (size_t i = 0; i < manifest->count; i++) {
        const struct manifest_run *run = &manifest->runs[i];
        fprintf(file, "run %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 " %d\n", run->number,
                run->begin, run->end, run->bytes, run->size, run->checksum, run->packed);
    }
    fflush(file);
    fprintf(file, "end %08" PRIx32 "\n", block_checksum(text, *bytes));
    if (fclose(file) != 0)
        fail(NULL, "out of memory");
    return text;
}

/* ---- parsing ---- */

/* Where the parser is. Its checks of the text fail for good: at is NULL then. */
struct cursor {
    const char *at, *end;
};

static void take_text(struct cursor *cursor, const char *expected)
{
    size_t bytes = strlen(expected);
    bool there =
        cursor->at != NULL && (size_t)(cursor->end - cursor->at) >= bytes && memcmp(cursor->at, expected, bytes) == 0;
    cursor->at = there ? cursor->at + bytes : NULL;
}

/* A number without a sign. The text is known to end in a line break, so strtoull() stays within it. */
static uint64_t take_number(struct cursor *cursor)
{
    char *behind;
    if (cursor->at == NULL || cursor->at == cursor->end || *cursor->at < '0' || *cursor->at > '9') {
        cursor->at = NULL;
        return 0;
    }
    uint64_t number = strtoull(cursor->at, &behind, 10);
    cursor->at = behind;
    return number;
}

static char *take_bytes(struct cursor *cursor, size_t bytes)
{
    if (cursor->at == NULL || (size_t)(cursor->end - cursor->at) < bytes) {
        cursor->at = NULL;
        return NULL;
    }
    char *copy = get_memory(bytes + 1);
    memcpy(copy, cursor->at, bytes);
    copy[bytes] = '\0';
    cursor->at += bytes;
    return copy;
}

static size_t line_bytes(const struct cursor *cursor)
{
    const char *stop = cursor->at == NULL ? NULL : memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at));
    return stop == NULL ? 0 : (size_t)(stop - cursor->at);
}

static void take_run(struct cursor *cursor, struct manifest *manifest)
{
    struct manifest_run run = {.number = 0};
    uint64_t *const numbers[] = {&run.number, &run.begin, &run.end, &run.bytes, &run.size};
    take_text(cursor, "run ");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        *numbers[i] = take_number(cursor);
        take_text(cursor, " ");
    }
    run.checksum = (uint32_t)take_number(cursor);
    take_text(cursor, " ");
    run.packed = take_number(cursor) != 0;
    take_text(cursor, "\n");
    if (cursor->at != NULL)
        manifest_add(manifest, &run);
}

static void take_all(struct cursor *cursor, struct manifest *manifest)
{
    take_text(cursor, "made ");
    manifest->made = take_number(cursor) != 0;
    take_text(cursor, "\nelement ");
    manifest->element = take_number(cursor);
    take_text(cursor, "\ncodec ");
    manifest->codec = take_bytes(cursor, line_bytes(cursor));
    take_text(cursor, "\nkey ");
    size_t bytes = take_number(cursor);
    take_text(cursor, "\n");
    manifest->key = take_bytes(cursor, bytes);
    take_text(cursor, "\n");
    while (cursor->at != NULL && cursor->at < cursor->end)
        take_run(cursor, manifest);
}

/* True if the last line holds the checksum of all before it. */
static bool is_whole(const char *text, size_t bytes)
{
    char last[END_BYTES + 1];
    if (bytes < MAGIC_BYTES + END_BYTES)
        return false;
    size_t before = bytes - END_BYTES;
    snprintf(last, sizeof last, "end %08" PRIx32 "\n", block_checksum(text, before));
    return memcmp(text + before, last, END_BYTES) == 0 && text[before - 1] == '\n';
}

enum manifest_state manifest_parse(struct manifest *manifest, const char *text, size_t bytes)
{
    *manifest = (struct manifest){0};
    if (memcmp(text, magic, bytes < MAGIC_BYTES ? bytes : MAGIC_BYTES) != 0)
        return MANIFEST_FOREIGN;
    if (!is_whole(text, bytes))
        return MANIFEST_DAMAGED;
    struct cursor cursor = {text + MAGIC_BYTES, text + bytes - END_BYTES};
    take_text(&cursor, version);
    if (cursor.at == NULL)
        return MANIFEST_OTHER_VERSION;
    take_all(&cursor, manifest);
    if (cursor.at != NULL)
        return MANIFEST_GOOD;
    manifest_free(manifest);
    return MANIFEST_DAMAGED;
}
