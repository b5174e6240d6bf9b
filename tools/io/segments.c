/* segments.c - see segments.h. */
#include "segments.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "block_queue.h"

/* ---- fields ---- */

static bool are_fields(struct segments *segments, const char *text, const struct schema *schema, bool big_endian)
{
    return !schema_is_scalar(schema) && scankit_keys_parse(schema->layout, text, big_endian, segments->keys, KEYS_MAX,
                                                           &segments->key_count, NULL) == SCANKIT_OK;
}

static inline void mark_sized(uint8_t *heads, const char *field, size_t stride, size_t size, size_t n)
{
    for (size_t i = 1; i < n; i++)
        heads[i] |= memcmp(field + i * stride, field + (i - 1) * stride, size) != 0;
}

/* Flags elements, from the second one on, whose field differs from the element before. With a constant size the
 * compiler inlines memcmp(). */
static void mark_changes(uint8_t *heads, const char *field, size_t stride, size_t size, size_t n)
{
    switch (size) {
    case 1: mark_sized(heads, field, stride, 1, n); break;
    case 2: mark_sized(heads, field, stride, 2, n); break;
    case 4: mark_sized(heads, field, stride, 4, n); break;
    case 8: mark_sized(heads, field, stride, 8, n); break;
    default: mark_sized(heads, field, stride, size, n); break;
    }
}

static const uint8_t *find_changes(struct segments *segments, const char *block, size_t n)
{
    size_t element = segments->element;
    memset(segments->heads, 0, n);
    for (size_t i = 0; i < segments->key_count; i++) {
        size_t offset = segments->keys[i].offset, size = segments->keys[i].size;
        if (segments->begun)
            segments->heads[0] |= memcmp(segments->last + offset, block + offset, size) != 0;
        mark_changes(segments->heads, block + offset, element, size, n);
    }
    memcpy(segments->last, block + (n - 1) * element, element);
    segments->begun = true;
    return segments->heads;
}

/* ---- a file ---- */

static const char *noun(const struct segments *segments)
{
    return segments->key_count > 0 ? "keys" : "flags";
}

static void open_file(struct segments *segments, const char *text, const struct common *common)
{
    struct common raw = *common;
    raw.type = "u8";
    raw.format = NULL;
    raw.skip = 0;
    raw.from_text = false;
    raw.column_name = NULL;
    segments->path = copy_text(text);
    segments->input = inputs_open(&segments->path, 1, &raw, INPUT_OF_ANY_TYPE, &segments->schema);
    const scankit_field *first = scankit_layout_field(segments->schema.layout, 0);
    bool flags = schema_is_scalar(&segments->schema) && first->type == SCANKIT_U8;
    segments->element = segments->schema.size;
    segments->key_count = flags ? 0 : 1;
    segments->keys[0] = (scankit_key){.size = segments->element};
}

static void check_count(const struct segments *segments, uint64_t elements)
{
    uint64_t count = inputs_elements(segments->input, 1);
    if (count != SIZE_UNKNOWN && elements != SIZE_UNKNOWN && count != elements)
        fail(segments->input->name, "holds %llu %s, but there are %llu elements", (unsigned long long)count,
             noun(segments), (unsigned long long)elements);
}

static NO_RETURN void refuse_rest(const struct segments *segments, uint64_t elements)
{
    fail(segments->input->name, "holds more %s than there are elements, %llu", noun(segments),
         (unsigned long long)elements);
}

static NO_RETURN void refuse_fewer(const struct segments *segments)
{
    fail(segments->input->name, "holds %llu %s, but there are more elements", (unsigned long long)segments->done,
         noun(segments));
}

static const char *read_file(struct segments *segments, size_t n)
{
    size_t bytes = 0;
    const char *block = reader_next(segments->reader, &bytes);
    size_t got = bytes / segments->element;
    segments->done += got;
    if (got < n)
        refuse_fewer(segments);
    if (got > n)
        refuse_rest(segments, segments->done - got + n);
    return block;
}

/* ---- both ---- */

void segments_open(struct segments *segments, const char *text, const struct schema *schema,
                   const struct common *common, uint64_t elements)
{
    *segments = (struct segments){.element = schema->size};
    if (are_fields(segments, text, schema, common->big_endian))
        return;
    if (!schema_is_scalar(schema) && strcmp(text, "-") != 0 && access(text, F_OK) != 0)
        fail_usage("--segments=%s: the records have no such field, and there is no such file", text);
    open_file(segments, text, common);
    check_count(segments, elements);
}

void segments_check_input(const char *text, char *const *paths, size_t count, bool in_place)
{
    if (strcmp(text, "-") != 0)
        return;
    for (size_t i = 0; i < count; i++)
        if (strcmp(paths[i], "-") == 0)
            fail_usage("standard input is named twice");
    if (in_place && count > 1)
        fail_usage("--segments=- with --in-place takes one FILE");
}

size_t segments_each(const struct segments *segments)
{
    size_t read = segments->input == NULL ? 0 : QUEUE_BLOCKS * segments->element;
    return read + (segments->key_count > 0);
}

uint64_t segments_size(const struct segments *segments)
{
    return segments->input == NULL ? 0 : inputs_size(segments->input, 1);
}

static void allocate(struct segments *segments, size_t block)
{
    if (segments->key_count == 0)
        return;
    segments->heads = get_memory(block);
    segments->last = get_memory(segments->element);
}

void segments_start(struct segments *segments, size_t block)
{
    if (segments->input != NULL)
        segments->reader = reader_start(segments->input, 1, block * segments->element, 0);
    allocate(segments, block);
}

const uint8_t *segments_next(struct segments *segments, const char *block, size_t n)
{
    const char *from = segments->input == NULL ? block : read_file(segments, n);
    return segments->key_count > 0 ? find_changes(segments, from, n) : (const uint8_t *)from;
}

void segments_end(struct segments *segments)
{
    size_t left;
    if (segments->reader == NULL)
        return;
    if (reader_next(segments->reader, &left) != NULL)
        refuse_rest(segments, segments->done);
    reader_finish(segments->reader);
}

/* ---- a part ---- */

static size_t read_some(struct segments *segments, size_t n)
{
    size_t element = segments->element, got = input_read(segments->input, segments->stage, n * element) / element;
    segments->done += got;
    return got;
}

static void read_part(struct segments *segments, size_t n)
{
    if (read_some(segments, n) < n)
        refuse_fewer(segments);
}

void segments_start_part(struct segments *segments, size_t block, uint64_t first)
{
    allocate(segments, block);
    if (segments->input == NULL)
        return;
    segments->stage = get_memory(block * segments->element);
    if (input_is_plain(segments->input)) {
        uint64_t most = segments->input->size / segments->element;
        segments->done = first < most ? first : most;
        input_skip(segments->input, segments->done * segments->element);
        return;
    }
    while (segments->done < first)
        read_part(segments, first - segments->done < block ? (size_t)(first - segments->done) : block);
}

const uint8_t *segments_next_part(struct segments *segments, const char *block, size_t n, const char **key)
{
    const char *from = block;
    if (segments->input != NULL) {
        read_part(segments, n);
        from = segments->stage;
    }
    *key = segments->key_count > 0 ? from : NULL;
    return segments->key_count > 0 ? find_changes(segments, from, n) : (const uint8_t *)from;
}

bool segments_differ(const struct segments *segments, const char *a, const char *b)
{
    for (size_t i = 0; i < segments->key_count; i++)
        if (memcmp(a + segments->keys[i].offset, b + segments->keys[i].offset, segments->keys[i].size) != 0)
            return true;
    return false;
}

void segments_end_part(struct segments *segments)
{
    uint64_t elements = segments->done;
    if (segments->input != NULL && read_some(segments, 1) > 0)
        refuse_rest(segments, elements);
}

/* ---- the end ---- */

void segments_close(struct segments *segments)
{
    if (segments->input != NULL)
        inputs_close(segments->input, 1);
    schema_free(&segments->schema);
    free(segments->heads);
    free(segments->last);
    free(segments->stage);
    free(segments->path);
}
