/* schema.c - see schema.h. */
#include "schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(scankit_layout *layout, const scankit_field *field)
{
    if (scankit_layout_append(layout, field->name, field->type, field->size, field->big_endian) != SCANKIT_OK)
        fail(NULL, "cannot describe field '%s'", field->name);
}

static scankit_layout *new_layout(void)
{
    scankit_layout *layout;
    if (scankit_layout_create(&layout) != SCANKIT_OK)
        fail(NULL, "out of memory");
    return layout;
}

void schema_from_options(struct schema *schema, const struct common *common)
{
    *schema = (struct schema){0};
    if (common->type != NULL && common->format != NULL)
        fail_usage("--type and --format exclude each other");
    if (common->type != NULL) {
        scankit_field field = {.name = SCALAR_NAME, .big_endian = common->big_endian};
        if (scankit_type_from_name(&field.type, common->type) != SCANKIT_OK)
            fail_usage("--type=%s: no such type; there are " TYPE_NAMES "and, in --format, bytesN", common->type);
        schema->layout = new_layout();
        append(schema->layout, &field);
    } else if (common->format != NULL) {
        size_t where = 0;
        if (scankit_layout_parse(&schema->layout, common->format, common->big_endian, &where) != SCANKIT_OK)
            fail_usage("--format=%s: not NAME:TYPE[,NAME:TYPE...] at '%s'", common->format, common->format + where);
    }
    schema->size = scankit_layout_size(schema->layout);
}

scankit_layout *schema_of_numbers(void)
{
    scankit_layout *layout = new_layout();
    append(layout, &(scankit_field){.name = SCALAR_NAME, .type = SCANKIT_U64});
    return layout;
}

void schema_add_number(struct schema *schema, const char *name)
{
    append(schema->layout, &(scankit_field){.name = name, .type = SCANKIT_U64});
    schema->size = scankit_layout_size(schema->layout);
}

static void default_keys(struct schema *schema)
{
    for (size_t i = 0; i < scankit_layout_count(schema->layout); i++) {
        const scankit_field *field = scankit_layout_field(schema->layout, i);
        if (field->name[0] == '\0')
            continue;
        if (schema->key_count == KEYS_MAX)
            fail_usage("records have more than %d fields: choose the keys with --key", KEYS_MAX);
        schema->keys[schema->key_count++] = (scankit_key){
            .offset = field->offset, .type = field->type, .size = field->size, .big_endian = field->big_endian};
    }
    if (schema->key_count == 0)
        fail_usage("records have no named field: choose the keys with --key");
}

void schema_parse_keys(const struct schema *schema, const char *option, const char *text, bool big_endian,
                       scankit_key *keys, size_t room, size_t *count)
{
    size_t where = 0;
    scankit_error error = scankit_keys_parse(schema->layout, text, big_endian, keys, room, count, &where);
    if (error == SCANKIT_E_ARGUMENT)
        fail_usage("--%s: more than %zu key%s", option, room, room == 1 ? "" : "s");
    if (error != SCANKIT_OK)
        fail_usage("--%s=%s: no field and no OFFSET:TYPE within the %zu bytes of an element at '%s'", option, text,
                   schema->size, text + where);
}

void schema_set_keys(struct schema *schema, const char *const *texts, size_t count, bool big_endian, bool reversed)
{
    schema->key_count = 0;
    for (size_t i = 0; i < count; i++)
        schema_parse_keys(schema, "key", texts[i], big_endian, schema->keys, KEYS_MAX, &schema->key_count);
    if (count == 0)
        default_keys(schema);
    for (size_t i = 0; i < schema->key_count; i++)
        schema->keys[i].descending ^= reversed;
}

bool schema_is_scalar(const struct schema *schema)
{
    return scankit_layout_count(schema->layout) == 1 &&
           strcmp(scankit_layout_field(schema->layout, 0)->name, SCALAR_NAME) == 0;
}

bool schema_is_number(const struct schema *schema)
{
    const scankit_key *key = &schema->keys[0];
    return schema->key_count == 1 && key->size == schema->size && schema->size <= 8 && key->type != SCANKIT_BYTES;
}

bool schema_equal(const struct schema *a, const struct schema *b, bool names)
{
    size_t count = scankit_layout_count(a->layout);
    if (count != scankit_layout_count(b->layout))
        return false;
    for (size_t i = 0; i < count; i++) {
        const scankit_field *x = scankit_layout_field(a->layout, i), *y = scankit_layout_field(b->layout, i);
        if (x->type != y->type || x->offset != y->offset || x->size != y->size || x->big_endian != y->big_endian ||
            (names && strcmp(x->name, y->name) != 0))
            return false;
    }
    return true;
}

char *schema_text(const struct schema *schema)
{
    const size_t room = 128;
    char *text = get_memory(room);
    size_t count = scankit_layout_count(schema->layout);
    const scankit_field *first = scankit_layout_field(schema->layout, 0);
    if (count != 1)
        snprintf(text, room, "records of %zu bytes in %zu fields", schema->size, count);
    else if (first->type == SCANKIT_BYTES)
        snprintf(text, room, "bytes%zu", first->size);
    else
        snprintf(text, room, "%s%s", scankit_type_name(first->type), first->big_endian ? " (big endian)" : "");
    return text;
}

/* ---- descriptions ---- */

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

static void describe_name(FILE *file, const char *name)
{
    for (; *name != '\0'; name++)
        fprintf(file, strchr(NAME_CHARACTERS, *name) != NULL ? "%c" : "%%%02X", (unsigned char)*name);
    fputc(':', file);
}

char *schema_description(const struct schema *schema)
{
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    if (file == NULL)
        fail(NULL, "out of memory");
    for (size_t i = 0; i < scankit_layout_count(schema->layout); i++) {
        const scankit_field *field = scankit_layout_field(schema->layout, i);
        if (i > 0)
            fputc(',', file);
        if (!schema_is_scalar(schema))
            describe_name(file, field->name);
        fprintf(file, "%s%s", field->big_endian ? ">" : "", scankit_type_name(field->type));
        if (field->type == SCANKIT_BYTES)
            fprintf(file, "%zu", field->size);
    }
    if (fclose(file) != 0)
        fail(NULL, "out of memory");
    return text;
}

/* A field of a description. */
struct described {
    char *name; /* NULL: it has none, and is a number */
    bool big_endian;
    scankit_type type;
    uint64_t size;
};

/* Sets type and size from the type's text. Returns false if it names none. */
static bool describe_type(struct described *field, const char *text)
{
    static const char bytes[] = "bytes";
    const char *digits = text + strlen(bytes);
    field->big_endian = *text == '>';
    text += field->big_endian;
    if (scankit_type_from_name(&field->type, text) == SCANKIT_OK) {
        field->size = scankit_type_size(field->type);
        return true;
    }
    if (strncmp(text, bytes, strlen(bytes)) != 0 || strspn(digits, "0123456789") != strlen(digits) ||
        strlen(digits) > 15 || *digits == '0')
        return false;
    field->type = SCANKIT_BYTES;
    field->size = strtoull(digits, NULL, 10);
    return field->size > 0;
}

/* Splits the next field off a description; *text becomes the rest, or NULL. Returns false if it is no field. */
static bool next_described(char **text, struct described *field)
{
    char *at = *text, *comma = strchr(at, ',');
    if (comma != NULL)
        *comma = '\0';
    size_t name = strspn(at, "%" NAME_CHARACTERS);
    bool named = at[name] == ':';
    field->name = named ? at : NULL;
    if (named)
        at[name] = '\0';
    *text = comma == NULL ? NULL : comma + 1;
    return describe_type(field, named ? at + name + 1 : at);
}

/* A copy that can be split; NULL if it is no text. */
static char *copy_description(const char *text, size_t bytes)
{
    return bytes == 0 || memchr(text, '\0', bytes) != NULL ? NULL : strndup(text, bytes);
}

uint64_t schema_described_size(const char *text, size_t bytes)
{
    uint64_t size = 0;
    char *copy = copy_description(text, bytes);
    struct described field;
    for (char *at = copy; at != NULL;) {
        bool first = at == copy;
        if (!next_described(&at, &field) || (field.name == NULL && !(first && at == NULL)) ||
            __builtin_add_overflow(size, field.size, &size)) {
            size = 0;
            break;
        }
    }
    free(copy);
    return size;
}

scankit_layout *schema_described_layout(const char *text, size_t bytes)
{
    scankit_layout *layout = new_layout();
    char *copy = copy_description(text, bytes);
    struct described field;
    for (char *at = copy; at != NULL && next_described(&at, &field);)
        append(layout, &(scankit_field){.name = field.name == NULL ? SCALAR_NAME : field.name,
                                        .type = field.type,
                                        .size = (size_t)field.size,
                                        .big_endian = field.big_endian});
    free(copy);
    return layout;
}

void schema_copy(struct schema *to, const struct schema *from)
{
    *to = *from;
    to->layout = new_layout();
    for (size_t i = 0; i < scankit_layout_count(from->layout); i++)
        append(to->layout, scankit_layout_field(from->layout, i));
    if (from->descr != NULL)
        to->descr = copy_text(from->descr);
}

void schema_free(struct schema *schema)
{
    scankit_layout_destroy(schema->layout);
    free(schema->descr);
    *schema = (struct schema){0};
}
