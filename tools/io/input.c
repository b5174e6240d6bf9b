/* input.c - see input.h. */
#include "input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arrow_input.h"
#include "common/memory.h"
#include "content.h"
#include "npy.h"

static void look_for_npy(struct input *input)
{
    unsigned char head[NPY_MAGIC_BYTES];
    size_t got = content_read(input, head, sizeof head);
    input->has_own = got == sizeof head && memcmp(head, NPY_MAGIC, sizeof head) == 0;
    if (!input->has_own) {
        content_put_back(input, head, got);
        return;
    }
    content_keep(input, head, got);
    npy_read_header(input->name, content_read_kept, input, &input->own, &input->claimed);
}

static void start_elements(struct input *input, const struct common *common)
{
    content_pass_over(input, common->skip);
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
                                       .read = content_read,
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
        content_open(&inputs[i], paths[i], common, use);
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
        content_open(&inputs[i], paths[i], common, INPUT_READ);
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
        content_open(&inputs[i], paths[i], common, INPUT_READ);
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
                                        : content_read(input, memory, bytes);
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
        content_read_part(piece->input, piece->memory, piece->bytes, piece->offset, 1);
}

/* The input's size is known, and so it holds whole elements. */
static struct input part_of(const struct input *input, uint64_t begin, uint64_t bytes)
{
    struct input part = *input;
    go_back(&part);
    part.offset += begin;
    part.end = part.offset + bytes;
    part.size = bytes;
    part.has_own = false;
    return part;
}

struct input *inputs_part(const struct input *inputs, size_t count, uint64_t begin, uint64_t bytes, size_t *part_count)
{
    for (size_t i = 0; i < count; i++)
        if (!input_is_plain(&inputs[i]))
            return NULL;
    struct input *parts = get_memory(count * sizeof *parts);
    *part_count = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t size = inputs[i].size, skipped = begin < size ? begin : size;
        const uint64_t taken = bytes < size - skipped ? bytes : size - skipped;
        if (taken > 0)
            parts[(*part_count)++] = part_of(&inputs[i], skipped, taken);
        begin -= skipped;
        bytes -= taken;
    }
    return parts;
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
