/* job_key.c - see job_key.h. */
#include "job_key.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void print_input(FILE *file, const struct input *input)
{
    struct stat status;
    if (fstat(input->descriptor, &status) != 0)
        fail(input->name, "cannot open: %s", strerror(errno));
    if (!input->file)
        fail(input->name, "is not a regular file, which --workspace requires");
    fprintf(file, "input %lld bytes, changed %lld.%09ld, inode %llu, elements from byte %llu: %s\n",
            (long long)status.st_size, (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
            (unsigned long long)status.st_ino, (unsigned long long)input->header_bytes, input->name);
}

static void print_key(FILE *file, const scankit_key *key)
{
    fprintf(file, "key %zu:%s, %zu bytes%s%s\n", key->offset, scankit_type_name(key->type), key->size,
            key->big_endian ? ", big endian" : "", key->descending ? ", descending" : "");
}

char *job_key(const struct sort_request *request, const struct input *inputs, size_t count, const struct schema *schema)
{
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    if (file == NULL)
        fail(NULL, "out of memory");
    fprintf(file, "gpusort %s, elements of %zu bytes\n", scankit_version(), schema->size);
    for (size_t i = 0; i < schema->key_count; i++)
        print_key(file, &schema->keys[i]);
    if (request->common.from_text)
        fprintf(file, "text, column %zu, delimiter %d, header %d\n", request->common.column, request->common.delimiter,
                request->common.header != HEADER_NONE);
    fprintf(file, "unique %d, argsort %d, top %llu\n", request->unique, request->argsort,
            (unsigned long long)request->top);
    for (size_t i = 0; i < count; i++)
        print_input(file, &inputs[i]);
    if (fclose(file) != 0)
        fail(NULL, "out of memory");
    return text;
}
