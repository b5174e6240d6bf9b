/* gendata.c - writes test data to standard output: gendata SHAPE TYPE COUNT [--seed=N]. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shapes.h"

#define BUFFER_BYTES ((size_t)1 << 18)

static void print_help(void)
{
    printf("Usage: gendata SHAPE TYPE COUNT [--seed=N]\n"
           "Writes COUNT elements of TYPE, raw and little endian, to standard output.\n\n"
           "TYPE is one of");
#define X(enumerator, name, ctype, kind) printf(" %s", #name);
    SCANKIT_TYPES(X)
#undef X
    printf("; for records, bytes%d.\n"
           "COUNT may end in K, M or G (powers of 1024). SHAPE, the shape of data, is one of\n\n",
           SHAPE_RECORD_SIZE);
    for (unsigned i = 0; i < SHAPE_COUNT; i++)
        printf("  %-12s %s\n", shape_name(i), shape_description(i));
}

static int fail(const char *what, const char *value)
{
    fprintf(stderr, "gendata: %s: %s\nTry 'gendata --help'.\n", value, what);
    return 2;
}

static bool parse_type(const char *text, shape_id shape, scankit_type *type)
{
    char records[16];
    snprintf(records, sizeof records, "bytes%d", SHAPE_RECORD_SIZE);
    *type = SCANKIT_BYTES;
    if (shape == SHAPE_records)
        return strcmp(text, records) == 0;
#define X(enumerator, name, ctype, kind) \
    if (strcmp(text, #name) == 0)        \
        *type = SCANKIT_##enumerator;
    SCANKIT_TYPES(X)
#undef X
    return shape_takes(shape, *type);
}

static bool parse_number(const char *text, uint64_t *value)
{
    static const char suffixes[] = "KMG";
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno != 0 || end == text || strchr(text, '-') != NULL)
        return false;
    const char *suffix = *end != '\0' ? strchr(suffixes, *end) : NULL;
    unsigned shift = suffix != NULL ? 10 * (unsigned)(suffix - suffixes + 1) : 0;
    *value = (uint64_t)number << shift;
    return *value >> shift == number && end[suffix != NULL] == '\0';
}

static int write_all(shape_stream *stream)
{
    static char buffer[BUFFER_BYTES];
    size_t room = sizeof buffer / shape_element_size(stream);
    for (uint64_t left = stream->count; left > 0;) {
        size_t n = left < room ? (size_t)left : room;
        shape_fill(stream, buffer, n);
        if (fwrite(buffer, shape_element_size(stream), n, stdout) != n)
            break;
        left -= n;
    }
    if (ferror(stdout) || fclose(stdout) != 0) {
        fprintf(stderr, "gendata: standard output: %s\n", strerror(errno));
        return 2;
    }
    return 0;
}

typedef struct gendata_settings {
    const char *argument[3]; /* SHAPE, TYPE, COUNT */
    int count;               /* of arguments */
    uint64_t seed;
} gendata_settings;

/* Sorts the command line into arguments and options. Returns 0 or the exit status. */
static int read_arguments(int argc, char **argv, gendata_settings *settings)
{
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--seed=", 7) == 0) {
            if (!parse_number(argv[i] + 7, &settings->seed))
                return fail("not a number", argv[i]);
        } else if (argv[i][0] == '-' || settings->count == 3) {
            return fail("unexpected argument", argv[i]);
        } else {
            settings->argument[settings->count++] = argv[i];
        }
    }
    return settings->count == 3 ? 0 : fail("SHAPE, TYPE and COUNT are needed", "usage");
}

/* Begins the stream. Returns 0 or the exit status. */
static int open_stream(const gendata_settings *settings, shape_stream *stream)
{
    const char *const *argument = settings->argument;
    shape_id shape;
    scankit_type type;
    uint64_t n;
    if (!shape_from_name(&shape, argument[0]))
        return fail("no such shape of data", argument[0]);
    if (!parse_type(argument[1], shape, &type))
        return fail("not a type for this shape of data", argument[1]);
    if (!parse_number(argument[2], &n))
        return fail("not a number", argument[2]);
    shape_open(stream, shape, type, n, settings->seed);
    return 0;
}

int main(int argc, char **argv)
{
    gendata_settings settings = {.seed = 1};
    shape_stream stream;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0) {
            print_help();
            return fflush(stdout) != 0;
        }
    int status = read_arguments(argc, argv, &settings);
    if (status == 0)
        status = open_stream(&settings, &stream);
    return status == 0 ? write_all(&stream) : status;
}
