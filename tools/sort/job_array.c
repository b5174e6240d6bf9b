/* job_array.c - see job_array.h. */
#include "job_array.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job_key.h"

#define TEXT_MAX ((off_t)1 << 26)

static const char first_line[] = "scankit-job 1";

static char *in_folder(const struct array_job *array, const char *name, uint64_t number)
{
    char *path;
    int got = number == 0 ? asprintf(&path, "%s/%s", array->folder, name)
                          : asprintf(&path, "%s/%s%" PRIu64, array->folder, name, number);
    if (got < 0)
        fail(NULL, "out of memory");
    return path;
}

/* ---- the text ---- */

static void describe(struct array_job *array, const struct input *inputs, size_t count,
                     const struct sort_request *request)
{
    size_t bytes;
    FILE *file = open_memstream(&array->text, &bytes);
    if (file == NULL)
        fail(NULL, "out of memory");
    fprintf(file, "%s parts %" PRIu64 " elements %" PRIu64 " of %zu unique %d argsort %d keys %zu\n", first_line,
            array->parts, array->elements, array->schema.size, array->unique, array->argsort, array->schema.key_count);
    for (size_t i = 0; i < array->schema.key_count; i++) {
        const scankit_key *key = &array->schema.keys[i];
        fprintf(file, "%zu %s %zu %d %d\n", key->offset, scankit_type_name(key->type), key->size, key->big_endian,
                key->descending);
    }
    char *inputs_text = job_key(request, inputs, count, &array->schema);
    fputs(inputs_text, file);
    free(inputs_text);
    if (fclose(file) != 0)
        fail(NULL, "out of memory");
}

static bool parse_key(const char *line, scankit_key *key)
{
    char name[16];
    int big_endian, descending;
    if (sscanf(line, "%zu %15s %zu %d %d", &key->offset, name, &key->size, &big_endian, &descending) != 5)
        return false;
    key->big_endian = big_endian != 0;
    key->descending = descending != 0;
    key->type = SCANKIT_BYTES; /* which has no name that is taken */
    return strcmp(name, scankit_type_name(SCANKIT_BYTES)) == 0 ||
           scankit_type_from_name(&key->type, name) == SCANKIT_OK;
}

static bool parse(struct array_job *array)
{
    const char *line = array->text;
    struct schema *schema = &array->schema;
    if (strncmp(line, first_line, sizeof first_line - 1) != 0 ||
        sscanf(line + sizeof first_line - 1,
               " parts %" SCNu64 " elements %" SCNu64 " of %zu unique %d argsort %d keys %zu", &array->parts,
               &array->elements, &schema->size, &array->unique, &array->argsort, &schema->key_count) != 6 ||
        schema->size == 0 || array->parts == 0 || schema->key_count > KEYS_MAX)
        return false;
    for (size_t i = 0; i < schema->key_count; i++)
        if ((line = strchr(line, '\n')) == NULL || !parse_key(++line, &schema->keys[i]))
            return false;
    return true;
}

/* ---- the file ---- */

/* Returns NULL if there is none. */
static char *read_text(const char *path)
{
    struct stat status;
    FILE *file = fopen(path, "re");
    if (file == NULL && errno == ENOENT)
        return NULL;
    if (file == NULL || fstat(fileno(file), &status) != 0)
        fail(path, "cannot read: %s", strerror(errno));
    if (status.st_size > TEXT_MAX)
        fail(path, "is not the description of a job");
    char *text = get_memory((size_t)status.st_size + 1);
    text[fread(text, 1, (size_t)status.st_size, file)] = '\0';
    fclose(file);
    return text;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    if (file == NULL || fputs(text, file) < 0 || fflush(file) != 0 || fsync(fileno(file)) != 0 || fclose(file) != 0)
        fail(path, "cannot write: %s", strerror(errno));
}

/* A link never replaces a file: of tasks that do this at once, one succeeds. Returns the text that is there then. */
static char *publish(const struct array_job *array, const char *path, const char *temporary)
{
    write_text(temporary, array->text);
    if (link(temporary, path) != 0 && errno != EEXIST)
        fail(path, "cannot write: %s", strerror(errno));
    char *text = read_text(path);
    if (text == NULL)
        fail(path, "was removed");
    return text;
}

void array_job_begin(struct array_job *array, const struct sort_request *request, const struct input *inputs,
                     size_t count, const struct schema *schema, uint64_t task)
{
    *array = (struct array_job){.folder = request->manifest,
                                .parts = request->parts,
                                .elements = inputs_elements(inputs, count),
                                .unique = request->unique,
                                .argsort = request->argsort,
                                .schema = *schema};
    describe(array, inputs, count, request);
    if (mkdir(array->folder, 0700) != 0 && errno != EEXIST)
        fail(array->folder, "cannot make the folder: %s", strerror(errno));
    char *path = in_folder(array, "scankit-job", 0), *temporary = in_folder(array, "scankit-job.new.", task);
    char *found = read_text(path);
    if (found == NULL)
        found = publish(array, path, temporary);
    if (strcmp(found, array->text) != 0)
        fail(array->folder, "holds another job: its input, its options or its number of parts were others; name "
                            "another folder, or remove this one");
    unlink(temporary); /* a task that was killed may have left it, too */
    free(found);
    free(path);
    free(temporary);
}

void array_job_read(struct array_job *array, const struct sort_request *request)
{
    *array = (struct array_job){.folder = request->manifest};
    char *path = in_folder(array, "scankit-job", 0);
    array->text = read_text(path);
    if (array->text == NULL)
        fail(array->folder, "holds no job: run --partition=%" PRIu64 " first", request->parts);
    if (!parse(array))
        fail(path, "is not the description of a job");
    if (array->parts != request->parts)
        fail(array->folder, "holds a job of %" PRIu64 " parts, not %" PRIu64, array->parts, request->parts);
    free(path);
}

void array_job_free(struct array_job *array)
{
    free(array->text);
}

/* ---- parts ---- */

uint64_t array_place(uint64_t n, uint64_t i, uint64_t parts)
{
    return n / parts * (i - 1) + n % parts * (i - 1) / parts;
}

struct run_store *array_open_part(const struct array_job *array, uint64_t part, const struct run_store_options *options,
                                  char **path)
{
    struct run_store_options of_part = *options;
    of_part.workspace = *path = in_folder(array, "part-", part);
    of_part.key = array->text;
    return run_store_open(&of_part);
}
