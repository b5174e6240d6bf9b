/* text.c - gpurle -c: a line for each run, its count and the fields of its first element. */
#include <string.h>

#include "io/writer.h"
#include "rle.h"
#include "text/number.h"

#define BLOCK_BYTES ((size_t)1 << 20)
#define COUNT_COLUMNS 7

struct text {
    struct run_stream stream;
    struct output output;
    struct writer *writer;
    char *block;        /* or NULL */
    size_t used, bytes; /* of a block */
    size_t line;        /* most bytes of a line */
};

/* ---- lines ---- */

char *put_run(char *to, const scankit_layout *layout, const char *element, uint64_t count)
{
    char number[NUMBER_BYTES];
    size_t digits = (size_t)(put_unsigned(number, count) - number), spaces = COUNT_COLUMNS;
    spaces = spaces > digits ? spaces - digits : 0;
    memset(to, ' ', spaces);
    memcpy(to + spaces, number, digits);
    to += spaces + digits;
    char separator = ' ';
    for (size_t i = 0; i < scankit_layout_count(layout); i++) {
        const scankit_field *field = scankit_layout_field(layout, i);
        if (!is_shown(field))
            continue;
        *to++ = separator;
        to = put_field(to, field, element + field->offset);
        separator = '\t';
    }
    if (separator == ' ') /* no field is shown */
        *to++ = ' ';
    *to++ = '\n';
    return to;
}

size_t longest_run(const scankit_layout *layout)
{
    return NUMBER_BYTES + longest_fields(layout);
}

static void publish(struct text *text)
{
    if (text->block != NULL)
        writer_publish(text->writer, text->used);
    text->block = NULL;
    text->used = 0;
}

static void print_lines(void *state, const char *values, const uint64_t *counts, size_t runs, bool last)
{
    struct text *text = state;
    const struct schema *schema = &text->stream.pipeline.schema;
    for (size_t i = 0; i < runs; i++) {
        if (text->bytes - text->used < text->line)
            publish(text);
        if (text->block == NULL)
            text->block = writer_claim(text->writer);
        char *end = put_run(text->block + text->used, schema->layout, values + i * schema->size, counts[i]);
        text->used = (size_t)(end - text->block);
    }
    if (last)
        publish(text);
}

void print_runs(const struct rle_request *request, char *const *paths, size_t count, struct job *job)
{
    struct text text = {.block = NULL};
    run_stream_open(&text.stream, request, paths, count, job);
    output_open(&text.output, request->common.output == NULL ? "-" : request->common.output, CODEC_NONE,
                &request->common);
    text.line = longest_run(text.stream.pipeline.schema.layout);
    text.bytes = text.line > BLOCK_BYTES ? text.line : BLOCK_BYTES;
    run_stream_measure(&text.stream, 0, 1);
    text.writer = writer_start_output(&text.output, text.bytes, NULL, &request->common);
    run_stream_run(&text.stream, print_lines, &text, COUNTS_ALL);
    writer_finish(text.writer);
    job->stats.bytes_out += output_finish(&text.output);
    run_stream_close(&text.stream);
}
