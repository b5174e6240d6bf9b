/* arrow_input.c - see arrow_input.h. */
#include "arrow_input.h"

#include <string.h>

#include "content.h"

/* Raw numbers may begin as a stream does. */
static bool is_arrow(const unsigned char *head, size_t bytes, const struct common *common, bool *file)
{
    bool given = common->type != NULL || common->format != NULL;
    *file = bytes == ARROW_HEAD_BYTES && memcmp(head, ARROW_FILE_HEAD, ARROW_HEAD_BYTES) == 0;
    return *file || (bytes == ARROW_HEAD_BYTES && memcmp(head, ARROW_STREAM_HEAD, 4) == 0 &&
                     (!given || common->column_name != NULL));
}

/* Reads the magic of a file. A stream has none, and all else is left as it was. Returns false if it is not Arrow. */
static bool find_arrow(struct input *input, const struct common *common, bool *file)
{
    unsigned char head[ARROW_HEAD_BYTES];
    size_t got = content_read(input, head, sizeof head);
    bool arrow = is_arrow(head, got, common, file);
    if (!arrow || !*file)
        content_put_back(input, head, got);
    return arrow;
}

static struct arrow_source source_of(struct input *input, bool file)
{
    return (struct arrow_source){
        .name = input->name, .file = file, .read = content_read, .skip = content_skip, .state = input};
}

/* ---- a column ---- */

static struct arrow_reader *open_arrow(struct input *input, bool file, const char *column, struct schema *schema)
{
    const struct arrow_source source = source_of(input, file);
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

void look_for_arrow(struct input *input, const struct common *common)
{
    bool file;
    if (!find_arrow(input, common, &file))
        return;
    input->claimed = input_is_plain(input) ? count_in_advance(input, file, common->column_name) : SIZE_UNKNOWN;
    input->arrow = open_arrow(input, file, common->column_name, &input->own);
    input->has_own = true;
}

/* ---- whole tables ---- */

struct input *inputs_open_tables(char *const *paths, size_t count, const struct common *common,
                                 struct arrow_source *sources)
{
    struct input *inputs = get_memory(count * sizeof *inputs);
    for (size_t i = 0; i < count; i++) {
        bool file;
        content_open(&inputs[i], paths[i], common, INPUT_READ);
        content_pass_over(&inputs[i], common->skip);
        if (!find_arrow(&inputs[i], common, &file))
            fail(inputs[i].name, "is not in Arrow's format");
        sources[i] = source_of(&inputs[i], file);
    }
    return inputs;
}
