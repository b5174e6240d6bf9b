/* image-names.c - names of methods, edges and samplings go there and back; sizes of pyramids. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "scankit.h"
#include "support/tap.h"

static bool same(const char *a, const char *b)
{
    return a != NULL && strcmp(a, b) == 0;
}

/* NAMES(what, LIST): a test of scankit_what_name() and scankit_what_from_name(). */
#define CHECK_NAME(enumerator, name, text)                                    \
    TAP_CHECK(same(name_of(SCANKIT_##enumerator), name) && strlen(text) > 0); \
    TAP_CHECK(from_name(&value, name) == SCANKIT_OK && value == SCANKIT_##enumerator);
#define NAMES(what, LIST)                                                                        \
    static void what##_names(void)                                                               \
    {                                                                                            \
        const char *(*name_of)(scankit_##what) = scankit_##what##_name;                          \
        scankit_error (*from_name)(scankit_##what *, const char *) = scankit_##what##_from_name; \
        const scankit_error wrong = SCANKIT_E_ARGUMENT;                                          \
        scankit_##what value = (scankit_##what)77;                                               \
        tap_begin("names: %s", #what);                                                           \
        TAP_CHECK(name_of((scankit_##what)3) == NULL && name_of((scankit_##what) - 1) == NULL);  \
        TAP_CHECK(from_name(&value, "unknown") == wrong && from_name(&value, "") == wrong);      \
        TAP_CHECK(from_name(&value, NULL) == wrong && value == (scankit_##what)77);              \
        TAP_CHECK(from_name(NULL, name_of((scankit_##what)0)) == wrong);                         \
        LIST(CHECK_NAME)                                                                         \
        tap_end();                                                                               \
    }

NAMES(table_method, SCANKIT_TABLE_METHODS)
NAMES(edge, SCANKIT_EDGES)
NAMES(sampling, SCANKIT_SAMPLINGS)

static void extents(void)
{
    tap_begin("the extent of a level");
    TAP_CHECK(scankit_mipmap_extent(0, 0) == 0 && scankit_mipmap_extent(0, 9) == 0);
    TAP_CHECK(scankit_mipmap_extent(1, 0) == 1 && scankit_mipmap_extent(1, 1) == 1);
    TAP_CHECK(scankit_mipmap_extent(13, 0) == 13 && scankit_mipmap_extent(13, 1) == 6);
    TAP_CHECK(scankit_mipmap_extent(13, 2) == 3 && scankit_mipmap_extent(13, 3) == 1);
    TAP_CHECK(scankit_mipmap_extent(13, 4) == 1 && scankit_mipmap_extent(13, 64) == 1);
    TAP_CHECK(scankit_mipmap_extent(SIZE_MAX, 63) == 1 && scankit_mipmap_extent(SIZE_MAX, UINT32_MAX) == 1);
    tap_end();
}

static void levels(void)
{
    tap_begin("the number of levels");
    TAP_CHECK(scankit_mipmap_levels(0, 0) == 0 && scankit_mipmap_levels(0, 5) == 0 && scankit_mipmap_levels(5, 0) == 0);
    TAP_CHECK(scankit_mipmap_levels(1, 1) == 1 && scankit_mipmap_levels(2, 1) == 2 && scankit_mipmap_levels(1, 3) == 2);
    TAP_CHECK(scankit_mipmap_levels(4, 3) == 3 && scankit_mipmap_levels(7, 255) == 8);
    TAP_CHECK(scankit_mipmap_levels(256, 255) == 9 && scankit_mipmap_levels(SIZE_MAX, 1) == 64);
    tap_end();
}

int main(void)
{
    table_method_names();
    edge_names();
    sampling_names();
    extents();
    levels();
    return tap_finish();
}
