/* fuzz-layout.c - texts of layouts and of sort keys. A layout that parses has its fields side by side; keys that parse
 * lie within its records, and records sort by them.
 *
 * Input: a byte of choices, the layout's text, a line feed, the keys' text, a line feed, bytes for records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#define RECORDS 7
#define KEYS 64
#define LONG_RECORD ((size_t)64 << 10) /* longer ones are not sorted */

/* ---- seeds ---- */

static size_t draw_type(char *text, size_t room, random_state *random)
{
    scankit_type type = (scankit_type)random_below(random, SCANKIT_BYTES + 1);
    if (type == SCANKIT_BYTES)
        return (size_t)snprintf(text, room, "bytes%zu", 1 + random_size(random, 300));
    return (size_t)snprintf(text, room, "%s", scankit_type_name(type));
}

static const char *separator(size_t index)
{
    return index > 0 ? "," : "";
}

size_t fuzz_seed(uint8_t *data, size_t room, random_state *random)
{
    static const char *const directions[] = {"", ":asc", ":desc"};
    char text[1000], type[40];
    size_t fields = 1 + random_size(random, 12), keys = 1 + random_size(random, 5), used = 1;
    text[0] = (char)random_next(random);
    for (size_t f = 0; f < fields; f++) {
        draw_type(type, sizeof type, random);
        used += (size_t)snprintf(text + used, sizeof text - used, "%sf%zu:%s", separator(f), f, type);
    }
    text[used++] = '\n';
    for (size_t k = 0; k < keys; k++) {
        const char *direction = directions[random_below(random, 3)];
        size_t number = random_below(random, fields);
        draw_type(type, sizeof type, random);
        if (random_below(random, 2) == 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%sf%zu%s", separator(k), number, direction);
        else
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%s%zu:%s%s", separator(k), number, type, direction);
    }
    text[used++] = '\n';
    used = used < room ? used : room;
    memcpy(data, text, used);
    return used;
}

/* ---- facts ---- */

static void check_fields(const scankit_layout *layout)
{
    size_t offset = 0;
    for (size_t f = 0; f < scankit_layout_count(layout); f++) {
        const scankit_field *field = scankit_layout_field(layout, f);
        FUZZ_CHECK(field->size > 0 && field->offset == offset);
        FUZZ_CHECK(scankit_layout_find(layout, field->name) == field);
        FUZZ_CHECK(!field->big_endian || (field->type != SCANKIT_BYTES && field->size > 1));
        FUZZ_CHECK(field->type == SCANKIT_BYTES || field->size == scankit_type_size(field->type));
        offset += field->size;
    }
    FUZZ_CHECK(offset == scankit_layout_size(layout) && offset > 0);
    FUZZ_CHECK(scankit_layout_field(layout, scankit_layout_count(layout)) == NULL);
}

static void check_order(const scankit_key *keys, size_t count, size_t size, const char *records, bool sorted)
{
    for (size_t r = 1; r < RECORDS; r++) {
        const char *a = records + (r - 1) * size, *b = records + r * size;
        int order = scankit_compare(keys, count, a, b), back = scankit_compare(keys, count, b, a);
        FUZZ_CHECK((order < 0) == (back > 0) && (order == 0) == (back == 0));
        FUZZ_CHECK(!sorted || order <= 0);
    }
}

static void sort_by(const scankit_key *keys, size_t count, size_t size, fuzz_bytes *in, unsigned choice)
{
    static scankit_context *ctx;
    char *records = data_allocate(RECORDS, size);
    scankit_sort_options options = {.algorithm = (scankit_algorithm)(choice >> 4)};
    size_t first = 0, given = in->left < RECORDS * size ? in->left : RECORDS * size;
    FUZZ_CHECK(ctx != NULL || scankit_open(&ctx, "cpu:1") == SCANKIT_OK);
    data_fill_bytes(records, RECORDS * size, choice);
    if (given > 0)
        memcpy(records, in->at, given);
    check_order(keys, count, size, records, false);
    scankit_error error = scankit_sort_records(ctx, size, keys, count, records, records, RECORDS, &options);
    if (error == SCANKIT_OK) {
        check_order(keys, count, size, records, true);
        FUZZ_CHECK(scankit_is_sorted_records(ctx, size, keys, count, records, RECORDS, &first) == SCANKIT_OK);
        FUZZ_CHECK(first == RECORDS);
    } else {
        FUZZ_CHECK(error == SCANKIT_E_ARGUMENT);
    }
    free(records);
}

static void try_keys(const scankit_layout *layout, const char *text, unsigned choice, fuzz_bytes *in)
{
    scankit_key keys[KEYS];
    size_t count = 0, where = SIZE_MAX, room = choice & 2 ? KEYS : 2, size = scankit_layout_size(layout);
    scankit_error error = scankit_keys_parse(layout, text, choice & 1, keys, room, &count, &where);
    FUZZ_CHECK(count <= room);
    if (error != SCANKIT_OK) {
        FUZZ_CHECK(error == SCANKIT_E_ARGUMENT || (error == SCANKIT_E_SYNTAX && where <= strlen(text)));
        return;
    }
    for (size_t k = 0; k < count; k++)
        FUZZ_CHECK(keys[k].offset < size && keys[k].size <= size - keys[k].offset);
    if (count > 0 && size <= LONG_RECORD)
        sort_by(keys, count, size, in, choice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes in = {data, size};
    unsigned choice = (unsigned)fuzz_number(&in, 1);
    char *layout_text = fuzz_line(&in), *key_text = fuzz_line(&in);
    scankit_layout *layout = NULL;
    size_t where = SIZE_MAX;
    scankit_error error = scankit_layout_parse(&layout, layout_text, choice & 1, &where);
    if (error == SCANKIT_OK) {
        check_fields(layout);
        try_keys(layout, key_text, choice, &in);
    } else {
        FUZZ_CHECK(error == SCANKIT_E_SYNTAX && where <= strlen(layout_text) && layout == NULL);
    }
    scankit_layout_destroy(layout);
    free(layout_text);
    free(key_text);
    return 0;
}
