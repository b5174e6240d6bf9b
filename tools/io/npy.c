/* npy.c - see npy.h. The format is numpy's NEP 1 and numpy.lib.format: magic, version, length, and a Python dictionary
 * literal with the keys descr, fortran_order and shape. */
#include "npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_MAX ((size_t)1 << 20)

struct parser {
    const char *name, *at;
    scankit_layout *layout;
    struct npy_shape shape;
    const char *count; /* where the shape's last number begins */
    size_t digits;
};

static _Noreturn void bad(const struct parser *parser)
{
    fail(parser->name, "damaged .npy header at '%.20s'", parser->at);
}

static void skip_spaces(struct parser *parser)
{
    parser->at += strspn(parser->at, " \t\r\n");
}

static bool accept(struct parser *parser, char c)
{
    skip_spaces(parser);
    if (*parser->at != c)
        return false;
    parser->at++;
    skip_spaces(parser);
    return true;
}

static void expect(struct parser *parser, char c)
{
    if (!accept(parser, c))
        bad(parser);
}

/* A string literal without escapes. */
static char *parse_string(struct parser *parser)
{
    skip_spaces(parser);
    char quote = *parser->at;
    const char *end = quote == '\'' || quote == '"' ? strchr(parser->at + 1, quote) : NULL;
    if (end == NULL || memchr(parser->at, '\\', (size_t)(end - parser->at)) != NULL)
        bad(parser);
    char *text = strndup(parser->at + 1, (size_t)(end - parser->at - 1));
    if (text == NULL)
        fail(NULL, "out of memory");
    parser->at = end + 1;
    return text;
}

static uint64_t parse_count(struct parser *parser)
{
    uint64_t value = 0;
    parser->count = parser->at;
    if (*parser->at < '0' || *parser->at > '9')
        bad(parser);
    for (; *parser->at >= '0' && *parser->at <= '9'; parser->at++)
        if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*parser->at - '0'), &value))
            fail(parser->name, "the .npy header claims more elements than there can be");
    parser->digits = (size_t)(parser->at - parser->count);
    if (*parser->at == 'L') /* Python 2 wrote long integers so */
        parser->at++;
    return value;
}

/* The letter of a kind of numbers in type strings. */
#define LETTER_unsigned 'u'
#define LETTER_signed 'i'
#define LETTER_float 'f'
#define LETTER_half 'f'

/* Numbers: a letter and a size in bytes, "u4". Booleans are taken as bytes. */
static bool parse_number(const char *text, scankit_field *field)
{
    static const struct {
        char letter;
        size_t size;
        scankit_type type;
    } kinds[] = {
#define X(enumerator, name, ctype, kind) {LETTER_##kind, sizeof(ctype), SCANKIT_##enumerator},
        SCANKIT_TYPES(X)
#undef X
            {'b', 1, SCANKIT_U8}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char wanted[24];
        snprintf(wanted, sizeof wanted, "%c%zu", kinds[i].letter, kinds[i].size);
        if (strcmp(text, wanted) == 0) {
            field->type = kinds[i].type;
            field->size = kinds[i].size;
            return true;
        }
    }
    return false;
}

/* Opaque bytes: "S10", "V3". */
static bool parse_bytes(const char *text, scankit_field *field)
{
    char *end;
    if ((text[0] != 'S' && text[0] != 'V') || text[1] < '1' || text[1] > '9')
        return false;
    unsigned long long size = strtoull(text + 1, &end, 10);
    field->type = SCANKIT_BYTES;
    field->size = size;
    return *end == '\0' && size <= (1U << 30);
}

/* Parses a type string such as '<u4' and appends a field of that type. */
static void parse_type(struct parser *parser, const char *field_name)
{
    char *text = parse_string(parser);
    scankit_field field = {.name = field_name};
    bool marked = text[0] != '\0' && strchr("<>=|", text[0]) != NULL;
    if (!parse_number(text + marked, &field) && !parse_bytes(text + marked, &field))
        fail(parser->name, "holds elements of the numpy type '%s', which is not supported", text);
    field.big_endian = text[0] == '>' && field.type != SCANKIT_BYTES && field.size > 1;
    if (scankit_layout_append(parser->layout, field.name, field.type, field.size, field.big_endian) != SCANKIT_OK)
        fail(parser->name, "the .npy header names field '%s' twice", field.name);
    free(text);
}

/* ('name', '<u4'), or with a title (('title', 'name'), '<u4'). */
static void parse_field(struct parser *parser)
{
    expect(parser, '(');
    bool titled = accept(parser, '(');
    char *field_name = parse_string(parser);
    if (titled) {
        free(field_name);
        expect(parser, ',');
        field_name = parse_string(parser);
        expect(parser, ')');
    }
    expect(parser, ',');
    if (*parser->at == '[')
        fail(parser->name, "field '%s' is a record itself, which is not supported", field_name);
    parse_type(parser, field_name);
    if (accept(parser, ',') && *parser->at == '(')
        fail(parser->name, "field '%s' is an array itself, which is not supported", field_name);
    expect(parser, ')');
    free(field_name);
}

/* Sets the layout. Returns the text, for the output's header. */
static char *parse_descr(struct parser *parser)
{
    const char *begin = parser->at;
    if (*parser->at == '(')
        fail(parser->name, "holds elements that are arrays themselves, which are not supported");
    if (!accept(parser, '[')) {
        parse_type(parser, SCALAR_NAME);
    } else {
        while (*parser->at == '(') {
            parse_field(parser);
            if (!accept(parser, ','))
                break;
        }
        if (*parser->at != ']' || scankit_layout_count(parser->layout) == 0)
            bad(parser);
        parser->at++;
    }
    char *text = strndup(begin, (size_t)(parser->at - begin));
    if (text == NULL)
        fail(NULL, "out of memory");
    return text;
}

/* (N,), (N, M) */
static void parse_shape(struct parser *parser)
{
    struct npy_shape *shape = &parser->shape;
    expect(parser, '(');
    while (*parser->at != ')') {
        uint64_t count = parse_count(parser);
        if (shape->dimensions < NPY_EXTENTS)
            shape->extents[shape->dimensions] = count;
        shape->dimensions++;
        if (!accept(parser, ','))
            break;
    }
    expect(parser, ')');
}

static uint64_t only_extent(const char *name, const struct npy_shape *shape)
{
    if (shape->dimensions != 1)
        fail(name, "is an array of %u dimensions; one is needed", shape->dimensions);
    return shape->extents[0];
}

static void parse_order(struct parser *parser)
{
    if (strncmp(parser->at, "True", 4) == 0)
        fail(parser->name, "is an array in Fortran order; C order is needed");
    if (strncmp(parser->at, "False", 5) != 0)
        bad(parser);
    parser->at += 5;
}

static void parse_header(struct parser *parser, struct schema *schema)
{
    unsigned seen = 0;
    expect(parser, '{');
    while (*parser->at == '\'' || *parser->at == '"') {
        char *key = parse_string(parser);
        expect(parser, ':');
        unsigned bit = strcmp(key, "descr") == 0 ? 1 : strcmp(key, "fortran_order") == 0 ? 2 : 4;
        if ((seen & bit) != 0 || (bit == 4 && strcmp(key, "shape") != 0))
            fail(parser->name, "damaged .npy header: key '%s'", key);
        seen |= bit;
        free(key);
        if (bit == 1)
            schema->descr = parse_descr(parser);
        else if (bit == 2)
            parse_order(parser);
        else
            parse_shape(parser);
        if (!accept(parser, ','))
            break;
    }
    expect(parser, '}');
    if (seen != 7 || *parser->at != '\0')
        bad(parser);
}

/* Parses the dictionary. The parser's pointers point into the text. */
static struct parser parse_text(const char *name, const char *text, struct schema *schema)
{
    struct parser parser = {.name = name, .at = text};
    if (scankit_layout_create(&parser.layout) != SCANKIT_OK)
        fail(NULL, "out of memory");
    parse_header(&parser, schema);
    schema->layout = parser.layout;
    schema->size = scankit_layout_size(parser.layout);
    return parser;
}

static void read_all(const char *name, read_function *read, void *source, void *memory, size_t bytes)
{
    if (read(source, memory, bytes) != bytes)
        fail(name, "the .npy header ends too early");
}

/* Decodes the six bytes behind the magic; version 1 has only four. */
static size_t text_length(const unsigned char fields[6])
{
    size_t length = (size_t)fields[2] | (size_t)fields[3] << 8;
    return fields[0] == 1 ? length : length | (size_t)fields[4] << 16 | (size_t)fields[5] << 24;
}

void npy_read_array_header(const char *name, read_function *read, void *source, struct schema *schema,
                           struct npy_shape *shape)
{
    unsigned char head[6] = {0};
    read_all(name, read, source, head, 2);
    unsigned version = head[0];
    if (version < 1 || version > 3)
        fail(name, ".npy format version %u.%u is not known", version, head[1]);
    read_all(name, read, source, head + 2, version == 1 ? 2 : 4);
    size_t length = text_length(head);
    if (length > HEADER_MAX)
        fail(name, "the .npy header claims to be %zu bytes long; no more than %zu are taken", length, HEADER_MAX);
    char *text = get_memory(length + 1);
    read_all(name, read, source, text, length);
    text[length] = '\0';

    *schema = (struct schema){.npy_version = (int)version};
    *shape = parse_text(name, text, schema).shape;
    free(text);
}

void npy_read_header(const char *name, read_function *read, void *source, struct schema *schema, uint64_t *count)
{
    struct npy_shape shape;
    npy_read_array_header(name, read, source, schema, &shape);
    *count = only_extent(name, &shape);
}

bool npy_ends(const char *bytes, size_t count)
{
    const size_t least = NPY_MAGIC_BYTES + 6; /* any header is longer */
    const char *at;
    while (count >= least && (at = memmem(bytes, count, NPY_MAGIC, NPY_MAGIC_BYTES)) != NULL) {
        const unsigned char *fields = (const unsigned char *)at + NPY_MAGIC_BYTES;
        count -= (size_t)(at - bytes);
        if (count >= least && (fields[0] == 1 ? 10 : 12) + text_length(fields) == count)
            return true;
        bytes = at + 1;
        count--;
    }
    return false;
}

void npy_set_count(const char *name, char *header, size_t bytes, uint64_t count)
{
    size_t before = header[NPY_MAGIC_BYTES] == 1 ? 10 : 12;
    char *text = header + before, *copy = strndup(text, bytes - before), number[24];
    if (copy == NULL)
        fail(NULL, "out of memory");
    struct schema schema = {0};
    struct parser parser = parse_text(name, copy, &schema);
    (void)only_extent(name, &parser.shape);
    schema_free(&schema);

    /* The text after the number moves up, the final newline stays, and spaces fill the gap. */
    size_t length = (size_t)snprintf(number, sizeof number, "%llu", (unsigned long long)count);
    char *at = text + (parser.count - copy), *behind = at + parser.digits, *end = header + bytes;
    end -= end[-1] == '\n';
    memcpy(at, number, length);
    memmove(at + length, behind, (size_t)(end - behind));
    memset(end - (parser.digits - length), ' ', parser.digits - length);
    free(copy);
}

char *npy_make_header(const char *descr, int version, uint64_t count, size_t *bytes)
{
    char shape[32];
    snprintf(shape, sizeof shape, "(%llu,)", (unsigned long long)count);
    return npy_make_array_header(descr, version, shape, bytes);
}

char *npy_make_array_header(const char *descr, int version, const char *shape, size_t *bytes)
{
    size_t room = strlen(descr) + strlen(shape) + 192;
    char *header = get_memory(room);
    memset(header, ' ', room);
    int length = snprintf(header + 12, room - 12, "{'descr': %s, 'fortran_order': False, 'shape': %s, }", descr, shape);
    if (version == 1 && length > 65000)
        version = 2;
    size_t before = version == 1 ? 10 : 12;
    memmove(header + before, header + 12, (size_t)length);
    size_t used = before + (size_t)length;
    *bytes = (used + 1 + 63) / 64 * 64;
    memset(header + used, ' ', *bytes - used);
    header[*bytes - 1] = '\n';
    memcpy(header, NPY_MAGIC, NPY_MAGIC_BYTES);
    size_t rest = *bytes - before;
    char fields[6] = {(char)version, 0, (char)rest, (char)(rest >> 8), (char)(rest >> 16), (char)(rest >> 24)};
    memcpy(header + NPY_MAGIC_BYTES, fields, before - NPY_MAGIC_BYTES);
    return header;
}
