/* layout.c - layouts of records: the meaning of texts, the place of errors, append and find. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scankit.h"
#include "support/data.h"
#include "support/tap.h"

static void same_field(const scankit_field *field, scankit_field wanted)
{
    if (field == NULL) {
        tap_fail("no field %s", wanted.name);
        return;
    }
    if (strcmp(field->name, wanted.name) != 0 || field->type != wanted.type || field->offset != wanted.offset ||
        field->size != wanted.size || field->big_endian != wanted.big_endian)
        tap_fail("field %s is %s at %zu of %zu bytes, endian %d", field->name, scankit_type_name(field->type),
                 field->offset, field->size, field->big_endian);
}

static void good_texts(void)
{
    scankit_layout *layout = NULL;
    tap_begin("parse: fields, offsets, sizes, byte order");
    tap_case("little endian");
    TAP_CHECK(scankit_layout_parse(&layout, "id:u64,key:bytes10,x-1.y_:f32,_:u8", 0, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_layout_size(layout) == 23 && scankit_layout_count(layout) == 4);
    same_field(scankit_layout_field(layout, 0), (scankit_field){"id", SCANKIT_U64, 0, 8, 0});
    same_field(scankit_layout_field(layout, 1), (scankit_field){"key", SCANKIT_BYTES, 8, 10, 0});
    same_field(scankit_layout_field(layout, 2), (scankit_field){"x-1.y_", SCANKIT_F32, 18, 4, 0});
    same_field(scankit_layout_find(layout, "_"), (scankit_field){"_", SCANKIT_U8, 22, 1, 0});
    TAP_CHECK(scankit_layout_field(layout, 4) == NULL);
    TAP_CHECK(scankit_layout_find(layout, "ke") == NULL && scankit_layout_find(layout, "") == NULL);
    scankit_layout_destroy(layout);
    tap_case("big endian: not for one byte, nor for opaque bytes");
    TAP_CHECK(scankit_layout_parse(&layout, "a:i16,b:i8,c:bytes1048576,d:f64", 1, NULL) == SCANKIT_OK);
    same_field(scankit_layout_find(layout, "a"), (scankit_field){"a", SCANKIT_I16, 0, 2, 1});
    same_field(scankit_layout_find(layout, "b"), (scankit_field){"b", SCANKIT_I8, 2, 1, 0});
    same_field(scankit_layout_find(layout, "c"), (scankit_field){"c", SCANKIT_BYTES, 3, 1048576, 0});
    same_field(scankit_layout_find(layout, "d"), (scankit_field){"d", SCANKIT_F64, 1048579, 8, 1});
    scankit_layout_destroy(layout);
    tap_end();
}

static void bad_texts(void)
{
    static const struct {
        const char *text;
        size_t where;
    } bad[] = {
        {"", 0},
        {":u8", 0},
        {",", 0},
        {"a", 1},
        {"a:", 2},
        {"a:u8,", 5},
        {"a:u8,,b:u8", 5},
        {"a:u7", 2},
        {"a:u8 ", 2},
        {"1a:u8", 0},
        {"a b:u8", 1},
        {"a:u8,b", 6},
        {"a:u8,b:", 7},
        {"a:u8,a:u8", 5},
        {"a:bytes", 2},
        {"a:bytes0", 2},
        {"a:bytes-1", 2},
        {"a:bytes+1", 2},
        {"a:bytes4x", 2},
        {"a:bytes1048577", 2},
        {"a:u8:desc", 2},
        {"a:U8", 2},
        {"a:u8;b:u8", 2},
        {"a:bytes 4", 2},
        {"a:bytes18446744073709551617", 2},
        {"a:u8,b:u8,b", 11},
        {"\xc3\xa4:u8", 0},
        {"a::u8", 2},
    };
    tap_begin("parse: wrong texts, and where they go wrong");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        scankit_layout *layout = (scankit_layout *)&layout;
        size_t where = 999;
        tap_case("\"%s\"", bad[i].text);
        scankit_error error = scankit_layout_parse(&layout, bad[i].text, 0, &where);
        if (error != SCANKIT_E_SYNTAX)
            tap_fail("%s", scankit_error_string(error));
        else if (where != bad[i].where)
            tap_fail("goes wrong at %zu, should be %zu", where, bad[i].where);
        if (error == SCANKIT_OK)
            scankit_layout_destroy(layout);
        TAP_CHECK(scankit_layout_parse(&layout, bad[i].text, 0, NULL) == SCANKIT_E_SYNTAX);
    }
    tap_case("NULL");
    scankit_layout *layout = NULL;
    TAP_CHECK(scankit_layout_parse(&layout, NULL, 0, NULL) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_layout_parse(NULL, "a:u8", 0, NULL) == SCANKIT_E_ARGUMENT);
    tap_end();
}

static void appending(void)
{
    scankit_layout *layout = NULL;
    char name[] = "changes";
    tap_begin("append: names once, but empty ones; names are copied");
    TAP_CHECK(scankit_layout_create(&layout) == SCANKIT_OK);
    TAP_CHECK(scankit_layout_size(layout) == 0 && scankit_layout_count(layout) == 0);
    TAP_CHECK(scankit_layout_field(layout, 0) == NULL);
    TAP_CHECK(scankit_layout_append(layout, name, SCANKIT_F64, 3, 1) == SCANKIT_OK); /* the size is ignored */
    name[0] = 'X';
    TAP_CHECK(scankit_layout_append(layout, "", SCANKIT_BYTES, 5, 0) == SCANKIT_OK);
    TAP_CHECK(scankit_layout_append(layout, "", SCANKIT_BYTES, 2, 1) == SCANKIT_OK);
    TAP_CHECK(scankit_layout_append(layout, "changes", SCANKIT_U8, 1, 0) == SCANKIT_E_SYNTAX);
    TAP_CHECK(scankit_layout_append(layout, "none", SCANKIT_BYTES, 0, 0) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_layout_append(layout, "type", (scankit_type)99, 1, 0) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_layout_append(layout, NULL, SCANKIT_U8, 1, 0) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_layout_append(NULL, "a", SCANKIT_U8, 1, 0) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_layout_append(layout, "huge", SCANKIT_BYTES, SIZE_MAX - 3, 0) != SCANKIT_OK);
    TAP_CHECK(scankit_layout_count(layout) == 3 && scankit_layout_size(layout) == 15);
    same_field(scankit_layout_find(layout, "changes"), (scankit_field){"changes", SCANKIT_F64, 0, 8, 1});
    same_field(scankit_layout_field(layout, 2), (scankit_field){"", SCANKIT_BYTES, 13, 2, 0});
    scankit_layout_destroy(layout);
    scankit_layout_destroy(NULL);
    tap_end();
}

static void many_fields(void)
{
    enum { FIELDS = 1000 };
    scankit_layout *layout = NULL;
    char *text = data_allocate(FIELDS, 16), *end = text;
    tap_begin("a thousand fields");
    for (int i = 0; i < FIELDS; i++)
        end += sprintf(end, "%sf%d:u16", i > 0 ? "," : "", i);
    TAP_CHECK(scankit_layout_parse(&layout, text, 0, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_layout_count(layout) == FIELDS && scankit_layout_size(layout) == 2 * FIELDS);
    for (int i = 0; i < FIELDS; i++) {
        char name[16];
        sprintf(name, "f%d", i);
        same_field(scankit_layout_find(layout, name), (scankit_field){name, SCANKIT_U16, (size_t)(2 * i), 2, 0});
    }
    scankit_layout_destroy(layout);
    free(text);
    tap_end();
}

int main(void)
{
    good_texts();
    bad_texts();
    appending();
    many_fields();
    return tap_finish();
}
