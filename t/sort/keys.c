/* keys.c - sort keys from their texts: fields by name, OFFSET:TYPE, directions; and where the error in a wrong text is.
 */
#include <string.h>

#include "scankit.h"
#include "support/tap.h"

#define ROOM 8

static scankit_layout *layout;

static void is_key(const scankit_key *key, size_t offset, scankit_type type, size_t size, int big_endian,
                   int descending)
{
    if (key->offset != offset || key->type != type || key->size != size || key->big_endian != big_endian ||
        key->descending != descending)
        tap_fail("key is %s at %zu of %zu bytes, endian %d, descending %d", scankit_type_name(key->type), key->offset,
                 key->size, key->big_endian, key->descending);
}

static void good_texts(void)
{
    scankit_key keys[ROOM];
    size_t count = 0;
    tap_begin("good texts");
    tap_case("names and directions");
    TAP_CHECK(scankit_keys_parse(layout, "name:desc,id,x:asc", 0, keys, ROOM, &count, NULL) == SCANKIT_OK);
    TAP_CHECK(count == 3);
    is_key(&keys[0], 8, SCANKIT_BYTES, 10, 0, 1);
    is_key(&keys[1], 0, SCANKIT_U64, 8, 1, 0); /* the field's own byte order */
    is_key(&keys[2], 18, SCANKIT_F32, 4, 1, 0);
    tap_case("more are appended");
    TAP_CHECK(scankit_keys_parse(layout, "3:i16:desc,21:u8,12:bytes3:asc", 0, keys, ROOM, &count, NULL) == SCANKIT_OK);
    TAP_CHECK(count == 6);
    is_key(&keys[3], 3, SCANKIT_I16, 2, 0, 1);
    is_key(&keys[4], 21, SCANKIT_U8, 1, 0, 0);
    is_key(&keys[5], 12, SCANKIT_BYTES, 3, 0, 0);
    tap_case("big endian");
    TAP_CHECK(scankit_keys_parse(layout, "0:u32,0:u8", 1, keys, ROOM, &count, NULL) == SCANKIT_OK);
    TAP_CHECK(count == 8);
    is_key(&keys[6], 0, SCANKIT_U32, 4, 1, 0);
    is_key(&keys[7], 0, SCANKIT_U8, 1, 0, 0);
    tap_case("past the room");
    TAP_CHECK(scankit_keys_parse(layout, "id", 0, keys, ROOM, &count, NULL) == SCANKIT_E_ARGUMENT && count == 8);
    tap_end();
}

static void bad_texts(void)
{
    static const struct {
        const char *text;
        size_t where;
    } bad[] = {
        {"", 0},       {"nobody", 0},      {"id,nobody", 3},
        {"id,", 3},    {",id", 0},         {"id:", 2},
        {"id:up", 2},  {"id:desc:asc", 2}, {"id:descending", 2},
        {"ID", 0},     {"0", 1},           {"0:", 2},
        {"0:u7", 2},   {"-1:u8", 0},       {"0:u8:x", 4},
        {"22:u8", 0},  {"23:u8", 0},       {"1000:u64", 0},
        {"15:u64", 0}, {"0:bytes23", 0},   {"99999999999999999999:u8", 0},
        {"id;x", 0},   {"0:bytes0", 2},    {"i", 0},
        {"idx", 0},
    };
    tap_begin("wrong texts, and where they go wrong");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        scankit_key keys[ROOM];
        size_t count = 2, where = 999;
        tap_case("\"%s\"", bad[i].text);
        scankit_error error = scankit_keys_parse(layout, bad[i].text, 0, keys, ROOM, &count, &where);
        if (error != SCANKIT_E_SYNTAX)
            tap_fail("%s", scankit_error_string(error));
        else if (where != bad[i].where)
            tap_fail("goes wrong at %zu, should be %zu", where, bad[i].where);
        TAP_CHECK(count == 2);
    }
    tap_end();
}

/* Layouts that come from files may have fields of any name. */
static void odd_names(void)
{
    scankit_layout *odd = NULL;
    scankit_key keys[ROOM];
    size_t count = 0;
    tap_begin("names with colons, commas and digits");
    TAP_CHECK(scankit_layout_create(&odd) == SCANKIT_OK);
    TAP_CHECK(scankit_layout_append(odd, "a", SCANKIT_U8, 0, 0) == SCANKIT_OK);
    TAP_CHECK(scankit_layout_append(odd, "a:b", SCANKIT_U16, 0, 0) == SCANKIT_OK);
    TAP_CHECK(scankit_layout_append(odd, "7", SCANKIT_U32, 0, 0) == SCANKIT_OK);
    TAP_CHECK(scankit_keys_parse(odd, "a:b:desc,a:desc,7", 0, keys, ROOM, &count, NULL) == SCANKIT_OK && count == 3);
    is_key(&keys[0], 1, SCANKIT_U16, 2, 0, 1);
    is_key(&keys[1], 0, SCANKIT_U8, 1, 0, 1);
    is_key(&keys[2], 3, SCANKIT_U32, 4, 0, 0);
    scankit_layout_destroy(odd);
    tap_end();
}

int main(void)
{
    scankit_key keys[ROOM];
    size_t count = 0;
    if (scankit_layout_parse(&layout, "id:u64,name:bytes10,x:f32", 1, NULL) != SCANKIT_OK)
        tap_bail_out("no layout");
    good_texts();
    bad_texts();
    odd_names();
    tap_begin("NULL");
    TAP_CHECK(scankit_keys_parse(NULL, "id", 0, keys, ROOM, &count, NULL) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_keys_parse(layout, NULL, 0, keys, ROOM, &count, NULL) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_keys_parse(layout, "id", 0, NULL, ROOM, &count, NULL) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_keys_parse(layout, "id", 0, keys, ROOM, NULL, NULL) == SCANKIT_E_ARGUMENT);
    tap_end();
    scankit_layout_destroy(layout);
    return tap_finish();
}
