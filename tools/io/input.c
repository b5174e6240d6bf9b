/* input.c - see input.h. */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/device.h"
#include "common/memory.h"
#include "file/pread.h"
#include "npy.h"

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
         (unsigned long long)input->end);
}

/* A page that was read once would only take the place of pages that are used again. */
static void forget(const struct input *input, uint64_t offset, size_t bytes)
{
    if (input->passes)
        posix_fadvise(input->descriptor, (off_t)offset, (off_t)bytes, POSIX_FADV_DONTNEED);
}

static void read_part(const struct input *input, void *memory, size_t bytes, uint64_t offset, unsigned threads)
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
    read_part(input, memory, bytes, input->offset, input->threads);
    input->offset += bytes;
    return bytes;
}

static void seek_file(void *source, uint64_t offset)
{
    struct input *input = source;
    input->offset = input->begin + offset;
}

/* ---- the content, decompressed ---- */

static size_t read_content(void *source, void *memory, size_t bytes)
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

static void push_back(struct input *input, const unsigned char *bytes, size_t count)
{
    memcpy(input->pushed, bytes, count);
    input->pushed_bytes = count;
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

/* Keeps bytes from in front of the elements, if that is wanted. */
static void keep(struct input *input, const void *memory, size_t bytes)
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

static size_t read_prefix(void *source, void *memory, size_t bytes)
{
    size_t got = read_content(source, memory, bytes);
    keep(source, memory, got);
    return got;
}

/* Skips the bytes of --skip, in steps: the input may be shorter. */
static void pass_over(struct input *input, size_t bytes)
{
    const size_t step = (size_t)1 << 20;
    char *memory = get_memory(bytes < step ? bytes : step);
    for (size_t done = 0; done < bytes;) {
        size_t part = bytes - done < step ? bytes - done : step;
        size_t got = read_prefix(input, memory, part);
        done += got;
        if (got < part)
            fail(input->name, "holds %zu bytes only, so %zu cannot be skipped", done, bytes);
    }
    free(memory);
    input->skip = bytes;
}

static uint64_t content_left(const struct input *input)
{
    if (!input_is_plain(input))
        return SIZE_UNKNOWN;
    return input->end - input->offset + input->pushed_bytes;
}

static void look_for_npy(struct input *input)
{
    unsigned char head[NPY_MAGIC_BYTES];
    size_t got = read_content(input, head, sizeof head);
    input->has_own = got == sizeof head && memcmp(head, NPY_MAGIC, sizeof head) == 0;
    if (!input->has_own) {
        input->position -= got;
        push_back(input, head, got);
        return;
    }
    keep(input, head, got);
    npy_read_header(input->name, read_prefix, input, &input->own, &input->claimed);
}

/* ---- Arrow's format ---- */

/* Passes over bytes of content; false if there are fewer. */
static bool skip_content(void *state, uint64_t bytes)
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
        if (read_content(input, memory, (size_t)part) < part)
            return false;
    }
    return true;
}

/* Raw numbers may begin as a stream does. */
static bool is_arrow(const unsigned char *head, size_t bytes, const struct common *common, bool *file)
{
    bool given = common->type != NULL || common->format != NULL;
    *file = bytes == ARROW_HEAD_BYTES && memcmp(head, ARROW_FILE_HEAD, ARROW_HEAD_BYTES) == 0;
    return *file || (bytes == ARROW_HEAD_BYTES && memcmp(head, ARROW_STREAM_HEAD, 4) == 0 &&
                     (!given || common->column_name != NULL));
}

static struct arrow_reader *open_arrow(struct input *input, bool file, const char *column, struct schema *schema)
{
    const struct arrow_source source = {
        .name = input->name, .file = file, .read = read_content, .skip = skip_content, .state = input};
    return arrow_reader_open(&source, column, schema);
}

/* Counts the elements of a file by its headers, before anything is written. */
static uint64_t count_in_advance(const struct input *input, bool file, const char *column)
{
    struct input copy = *input;
    struct schema schema;
    struct arrow_reader *reader = open_arrow(&copy, file, column, &schema);
    uint64_t count = arrow_reader_count(reader);
    arrow_reader_close(reader);
    schema_free(&schema);
    return count;
}

static void look_for_arrow(struct input *input, const struct common *common)
{
    unsigned char head[ARROW_HEAD_BYTES];
    bool file;
    size_t got = read_content(input, head, sizeof head);
    bool arrow = is_arrow(head, got, common, &file);
    if (!arrow || !file) {
        input->position -= got;
        push_back(input, head, got);
    }
    if (!arrow)
        return;
    input->claimed = input_is_plain(input) ? count_in_advance(input, file, common->column_name) : SIZE_UNKNOWN;
    input->arrow = open_arrow(input, file, common->column_name, &input->own);
    input->has_own = true;
}

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
        posix_fadvise(input->descriptor, offset, 0, POSIX_FADV_SEQUENTIAL);
    }
}

static bool is_longer_than_memory(uint64_t bytes)
{
    return bytes > (uint64_t)1 << 28 && bytes > host_free();
}

static void start(struct input *input, const char *path, const struct common *common, enum input_use use)
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

static void start_elements(struct input *input, const struct common *common)
{
    pass_over(input, common->skip);
    if (!common->from_text)
        look_for_npy(input);
    if (!common->from_text && !input->has_own)
        look_for_arrow(input, common);
    input->header_bytes = input->position;
    input->size = content_left(input);
    if (input->arrow != NULL && input->claimed != SIZE_UNKNOWN)
        input->size = input->claimed * input->own.size;
}

/* ---- text ---- */

static void start_text(struct input *input, const struct common *common, const struct schema *schema)
{
    const struct text_source source = {.name = input->name,
                                       .read = read_content,
                                       .state = input,
                                       .threads = host_threads(common, input->threads, TEXT_READER_BYTES)};
    text_format_open(&input->lines, schema->layout, common);
    input->text = text_reader_open(&source, &input->lines, common->header != HEADER_NONE);
    input->size = SIZE_UNKNOWN;
}

const char *inputs_header(const struct input *inputs, const struct common *common)
{
    return common->header == HEADER_KEEP ? text_reader_header(inputs[0].text) : NULL;
}

const char *input_place(const struct input *input, uint64_t element)
{
    static char place[64];
    if (input->text != NULL)
        snprintf(place, sizeof place, "in line %llu",
                 (unsigned long long)(element + 1 + (text_reader_header(input->text) != NULL)));
    else if (input->arrow != NULL)
        snprintf(place, sizeof place, "in row %llu", (unsigned long long)(element + 1));
    else
        snprintf(place, sizeof place, "at byte %llu",
                 (unsigned long long)(input->header_bytes + element * input->element));
    return place;
}

/* ---- elements ---- */

/* A piped Arrow stream does not say how many elements it holds. */
static bool has_claim(const struct input *input)
{
    return input->has_own && !(input->arrow != NULL && input->claimed == SIZE_UNKNOWN);
}

static void check_size(const struct input *input, uint64_t size, const struct schema *schema)
{
    if (has_claim(input) && (input->claimed > UINT64_MAX / schema->size || input->claimed * schema->size != size))
        fail(input->name, "the .npy header claims %llu elements of %zu bytes, but %llu bytes follow it",
             (unsigned long long)input->claimed, schema->size, (unsigned long long)size);
    if (size % schema->size != 0)
        fail(input->name, "%llu bytes are not a whole number of elements of %zu bytes (%llu are left over)",
             (unsigned long long)size, schema->size, (unsigned long long)(size % schema->size));
}

static void check_schema(const struct input *input, const struct schema *schema, bool names)
{
    if (schema_equal(&input->own, schema, names))
        return;
    char *found = schema_text(&input->own), *wanted = schema_text(schema);
    fail(input->name, "holds %s, not %s%s", found, wanted, strcmp(found, wanted) == 0 ? " of the same fields" : "");
}

static void refuse_column(const struct input *input, const struct common *common)
{
    if (common->column_name != NULL)
        fail(input->name, "is not in Arrow's format: --column requires --from-text");
}

static void agree(struct input *inputs, size_t count, const struct common *common, enum input_use use,
                  struct schema *schema)
{
    schema_from_options(schema, common);
    if (use == INPUT_OF_ANY_TYPE && inputs[0].has_own)
        schema_free(schema);
    bool given = schema->layout != NULL;
    for (size_t i = 0; i < count; i++) {
        struct input *input = &inputs[i];
        if (!given && common->from_text)
            fail_usage("say what the text holds with --type or --format");
        if (!common->from_text && input->arrow == NULL)
            refuse_column(input, common);
        if (!input->has_own && !given)
            fail(input->name, "has no .npy header: say what it holds with --type or --format");
        if (schema->layout == NULL)
            schema_copy(schema, &input->own);
        if (input->has_own)
            check_schema(input, schema, !given);
        if (input->has_own && schema->descr == NULL)
            schema->descr = copy_text(input->own.descr);
        if (input->has_own && schema->npy_version < input->own.npy_version)
            schema->npy_version = input->own.npy_version;
        input->element = schema->size;
        if (common->from_text)
            start_text(input, common, schema);
        if (input->size != SIZE_UNKNOWN)
            check_size(input, input->size, schema);
    }
}

struct input *inputs_open(char *const *paths, size_t count, const struct common *common, enum input_use use,
                          struct schema *schema)
{
    struct input *inputs = get_memory(count * sizeof *inputs);
    for (size_t i = 0; i < count; i++) {
        start(&inputs[i], paths[i], common, use);
        start_elements(&inputs[i], common);
        if (use == INPUT_REPLACED && inputs[i].arrow != NULL)
            fail(inputs[i].name, "is in Arrow's format, and cannot be replaced");
    }
    agree(inputs, count, common, use, schema);
    return inputs;
}

struct input *inputs_open_of(char *const *paths, size_t count, const struct common *common, const struct schema *schema)
{
    struct input *inputs = get_memory(count * sizeof *inputs);
    for (size_t i = 0; i < count; i++) {
        start(&inputs[i], paths[i], common, INPUT_READ);
        start_elements(&inputs[i], common);
        inputs[i].element = schema->size;
        start_text(&inputs[i], common, schema);
    }
    return inputs;
}

struct input *inputs_open_bytes(char *const *paths, size_t count, const struct common *common)
{
    struct input *inputs = get_memory(count * sizeof *inputs);
    for (size_t i = 0; i < count; i++) {
        start(&inputs[i], paths[i], common, INPUT_READ);
        if (!common->from_text)
            refuse_column(&inputs[i], common);
        inputs[i].element = 1;
    }
    return inputs;
}

uint64_t inputs_size(const struct input *inputs, size_t count)
{
    uint64_t size = 0;
    for (size_t i = 0; i < count; i++)
        if (inputs[i].size == SIZE_UNKNOWN || __builtin_add_overflow(size, inputs[i].size, &size))
            return SIZE_UNKNOWN;
    return size;
}

uint64_t inputs_elements(const struct input *inputs, size_t count)
{
    uint64_t elements = 0;
    for (size_t i = 0; i < count; i++) {
        const struct input *input = &inputs[i];
        if (!has_claim(input) && input->size == SIZE_UNKNOWN)
            return SIZE_UNKNOWN;
        uint64_t more = has_claim(input) ? input->claimed : input->size / input->element;
        if (__builtin_add_overflow(elements, more, &elements))
            return SIZE_UNKNOWN;
    }
    return elements;
}

/* Of `bytes` bytes asked for, `got` were there. */
static void count_elements(struct input *input, size_t got, size_t bytes)
{
    input->taken += got;
    if (got < bytes)
        check_size(input, input->taken, &(struct schema){.size = input->element});
}

size_t input_read(struct input *input, void *memory, size_t bytes)
{
    size_t got = input->text != NULL    ? text_reader_read(input->text, memory, bytes)
                 : input->arrow != NULL ? arrow_reader_read(input->arrow, memory, bytes)
                                        : read_content(input, memory, bytes);
    count_elements(input, got, bytes);
    return got;
}

bool input_is_plain(const struct input *input)
{
    return input->regular && input->decoder == NULL && input->text == NULL && input->arrow == NULL;
}

/* Bytes that were looked at are read again. */
static void go_back(struct input *input)
{
    input->offset -= input->pushed_bytes;
    input->pushed_bytes = 0;
}

size_t input_reserve(struct input *input, void *memory, size_t bytes, struct input_piece *piece)
{
    *piece = (struct input_piece){.input = input, .memory = memory};
    if (!input_is_plain(input))
        return input_read(input, memory, bytes);
    go_back(input);
    piece->offset = input->offset;
    piece->bytes = bytes < input->end - input->offset ? bytes : (size_t)(input->end - input->offset);
    input->offset += piece->bytes;
    input->position += piece->bytes;
    count_elements(input, piece->bytes, bytes);
    return piece->bytes;
}

void piece_read(const struct input_piece *piece)
{
    if (piece->bytes > 0)
        read_part(piece->input, piece->memory, piece->bytes, piece->offset, 1);
}

void input_skip(struct input *input, uint64_t bytes)
{
    size_t pushed = bytes < input->pushed_bytes ? (size_t)bytes : input->pushed_bytes;
    input->pushed_bytes -= pushed;
    memmove(input->pushed, input->pushed + pushed, input->pushed_bytes);
    input->offset += bytes - pushed;
    input->position += bytes;
    input->taken += bytes;
}

void inputs_close(struct input *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].text != NULL)
            text_format_close(&inputs[i].lines);
        text_reader_close(inputs[i].text);
        arrow_reader_close(inputs[i].arrow);
        decoder_close(inputs[i].decoder);
        schema_free(&inputs[i].own);
        free(inputs[i].prefix);
        if (inputs[i].descriptor > STDIN_FILENO)
            close(inputs[i].descriptor);
    }
    free(inputs);
}
