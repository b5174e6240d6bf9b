/* layout.c - record layouts, and the texts that describe them and their keys. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct scankit_layout {
    scankit_field *fields;
    size_t count, room, size;
};

scankit_error scankit_layout_create(scankit_layout **layout)
{
    if (layout == NULL)
        return SCANKIT_E_ARGUMENT;
    *layout = calloc(1, sizeof **layout);
    return *layout == NULL ? SCANKIT_E_MEMORY : SCANKIT_OK;
}

void scankit_layout_destroy(scankit_layout *layout)
{
    if (layout == NULL)
        return;
    for (size_t i = 0; i < layout->count; i++)
        free((char *)layout->fields[i].name);
    free(layout->fields);
    free(layout);
}

/* append() and find() on a name that need not end with '\0'. */
static const scankit_field *find(const scankit_layout *layout, const char *name, size_t length)
{
    for (size_t i = 0; i < layout->count; i++)
        if (strlen(layout->fields[i].name) == length && memcmp(layout->fields[i].name, name, length) == 0)
            return &layout->fields[i];
    return NULL;
}

/* Makes room for one field more. */
static scankit_error grow(scankit_layout *layout)
{
    if (layout->count < layout->room)
        return SCANKIT_OK;
    size_t room = layout->room == 0 ? 8 : 2 * layout->room;
    scankit_field *fields = realloc(layout->fields, room * sizeof *fields);
    if (fields == NULL)
        return SCANKIT_E_MEMORY;
    layout->fields = fields;
    layout->room = room;
    return SCANKIT_OK;
}

static scankit_error append(scankit_layout *layout, const char *name, size_t length, scankit_type type, size_t size,
                            int big_endian)
{
    if (length > 0 && find(layout, name, length) != NULL)
        return SCANKIT_E_SYNTAX;
    if (size > SIZE_MAX - layout->size)
        return SCANKIT_E_ARGUMENT;
    SK_TRY(grow(layout));
    char *copy = strndup(name, length);
    if (copy == NULL)
        return SCANKIT_E_MEMORY;
    layout->fields[layout->count++] = (scankit_field){
        .name = copy,
        .type = type,
        .offset = layout->size,
        .size = size,
        .big_endian = big_endian != 0 && type != SCANKIT_BYTES && size > 1,
    };
    layout->size += size;
    return SCANKIT_OK;
}

scankit_error scankit_layout_append(scankit_layout *layout, const char *name, scankit_type type, size_t size,
                                    int big_endian)
{
    if (layout == NULL || name == NULL || scankit_type_name(type) == NULL)
        return SCANKIT_E_ARGUMENT;
    if (type != SCANKIT_BYTES)
        size = scankit_type_size(type);
    if (size == 0)
        return SCANKIT_E_ARGUMENT;
    return append(layout, name, strlen(name), type, size, big_endian);
}

size_t scankit_layout_size(const scankit_layout *layout)
{
    return layout == NULL ? 0 : layout->size;
}

size_t scankit_layout_count(const scankit_layout *layout)
{
    return layout == NULL ? 0 : layout->count;
}

const scankit_field *scankit_layout_field(const scankit_layout *layout, size_t index)
{
    return layout == NULL || index >= layout->count ? NULL : &layout->fields[index];
}

const scankit_field *scankit_layout_find(const scankit_layout *layout, const char *name)
{
    return layout == NULL || name == NULL ? NULL : find(layout, name, strlen(name));
}

/* ---- texts ---- */

#define DIGITS "0123456789"
#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.-" DIGITS

/* The length of the name that text begins with; 0 where none does. */
static size_t name_length(const char *text)
{
    return strchr(DIGITS, text[0]) != NULL ? 0 : strspn(text, NAME_CHARACTERS);
}

/* NAME:TYPE at *text; moves *text behind it, or to where it goes wrong. */
static scankit_error parse_field(scankit_layout *layout, const char **text, int big_endian)
{
    const char *name = *text;
    size_t length = name_length(name);
    if (length == 0)
        return SCANKIT_E_SYNTAX;
    *text += length;
    if (**text != ':')
        return SCANKIT_E_SYNTAX;
    *text += 1;
    scankit_type type;
    size_t size, type_length = strcspn(*text, ",");
    SK_TRY(sk_type_parse(*text, type_length, &type, &size));
    scankit_error error = append(layout, name, length, type, size, big_endian);
    *text = error == SCANKIT_OK ? *text + type_length : name;
    return error;
}

scankit_error scankit_layout_parse(scankit_layout **layout, const char *text, int big_endian, size_t *where)
{
    if (layout == NULL)
        return SCANKIT_E_ARGUMENT;
    *layout = NULL;
    if (text == NULL)
        return SCANKIT_E_ARGUMENT;
    scankit_layout *parsed = NULL;
    const char *at = text;
    scankit_error error;
    SK_TRY_GOTO(scankit_layout_create(&parsed));
    SK_TRY_GOTO(parse_field(parsed, &at, big_endian));
    while (*at == ',') {
        at++;
        SK_TRY_GOTO(parse_field(parsed, &at, big_endian));
    }
    *layout = parsed;
    return SCANKIT_OK;
done:
    if (where != NULL)
        *where = (size_t)(at - text);
    scankit_layout_destroy(parsed);
    return error;
}

/* OFFSET:TYPE at *text. */
static scankit_error parse_raw_key(const scankit_layout *layout, const char **text, int big_endian, scankit_key *key)
{
    size_t digits = strspn(*text, DIGITS);
    if (digits > 15)
        return SCANKIT_E_SYNTAX;
    size_t offset = strtoull(*text, NULL, 10);
    if ((*text)[digits] != ':') {
        *text += digits;
        return SCANKIT_E_SYNTAX;
    }
    const char *type = *text + digits + 1;
    size_t type_length = strcspn(type, ",:");
    key->offset = offset;
    if (sk_type_parse(type, type_length, &key->type, &key->size) != SCANKIT_OK) {
        *text = type;
        return SCANKIT_E_SYNTAX;
    }
    if (offset > layout->size || key->size > layout->size - offset)
        return SCANKIT_E_SYNTAX;
    key->big_endian = big_endian != 0 && key->type != SCANKIT_BYTES && key->size > 1;
    *text = type + type_length;
    return SCANKIT_OK;
}

/* The name of a field at *text. Names from files may hold any character, so the longest that fits is taken. */
static scankit_error parse_named_key(const scankit_layout *layout, const char **text, scankit_key *key)
{
    const scankit_field *best = NULL;
    size_t best_length = 0;
    for (size_t i = 0; i < layout->count; i++) {
        const scankit_field *field = &layout->fields[i];
        size_t length = strlen(field->name);
        if (length > best_length && strncmp(*text, field->name, length) == 0 &&
            ((*text)[length] == '\0' || (*text)[length] == ',' || (*text)[length] == ':')) {
            best = field;
            best_length = length;
        }
    }
    if (best == NULL)
        return SCANKIT_E_SYNTAX;
    *key =
        (scankit_key){.offset = best->offset, .type = best->type, .size = best->size, .big_endian = best->big_endian};
    *text += best_length;
    return SCANKIT_OK;
}

static scankit_error parse_key(const scankit_layout *layout, const char **text, int big_endian, scankit_key *key)
{
    *key = (scankit_key){0};
    if (parse_named_key(layout, text, key) != SCANKIT_OK) {
        if (strspn(*text, DIGITS) == 0)
            return SCANKIT_E_SYNTAX;
        SK_TRY(parse_raw_key(layout, text, big_endian, key));
    }
    if (**text == ':') {
        size_t length = strcspn(*text + 1, ",");
        if (length == 4 && strncmp(*text + 1, "desc", 4) == 0)
            key->descending = 1;
        else if (length != 3 || strncmp(*text + 1, "asc", 3) != 0)
            return SCANKIT_E_SYNTAX;
        *text += 1 + length;
    }
    return **text == ',' || **text == '\0' ? SCANKIT_OK : SCANKIT_E_SYNTAX;
}

scankit_error scankit_keys_parse(const scankit_layout *layout, const char *text, int big_endian, scankit_key *keys,
                                 size_t room, size_t *count, size_t *where)
{
    if (layout == NULL || text == NULL || keys == NULL || count == NULL)
        return SCANKIT_E_ARGUMENT;
    size_t parsed = *count;
    const char *at = text;
    scankit_error error = SCANKIT_OK;
    for (;;) {
        error = parsed < room ? parse_key(layout, &at, big_endian, &keys[parsed]) : SCANKIT_E_ARGUMENT;
        if (error != SCANKIT_OK)
            break;
        parsed++;
        if (*at == '\0')
            break;
        at++;
    }
    if (error == SCANKIT_OK)
        *count = parsed;
    else if (where != NULL)
        *where = (size_t)(at - text);
    return error;
}
