/* image-arguments.c - wrong arguments of functions of images get the right error and a line that names the function and
 * the reason, and change nothing. Images without pixels are fine. Names, and sizes of pyramids. */
#include <math.h>
#include <string.h>

#include "support/device.h"
#include "support/tap.h"

enum { SIDE = 8, BYTES = SIDE * SIDE * 4 * 8 };
#define TOO_MANY (SIZE_MAX / 2)

static scankit_context *ctx;
static char *a, *b, *m;

static void refused(scankit_error error, const char *call, const char *reason)
{
    char function[64];
    const char *detail = scankit_error_detail(ctx);
    size_t length = strcspn(call, "(");
    tap_case("%s: %s", call, reason);
    if (error != SCANKIT_E_ARGUMENT)
        tap_fail("%s", scankit_error_string(error));
    memcpy(function, call, length);
    function[length] = '\0';
    if (strstr(detail, function) == NULL || strstr(detail, reason) == NULL)
        tap_fail("the detail is \"%s\"", detail);
}
#define REFUSED(reason, call) refused(call, #call, reason)

static scankit_image image(scankit_type type, unsigned channels, void *data)
{
    return (scankit_image){.type = type, .channels = channels, .width = SIDE, .height = SIDE, .data = data};
}

/* ---- what is wrong with an image is wrong everywhere ---- */

static void everywhere(const char *reason, const scankit_image *wrong)
{
    const scankit_image in = image(SCANKIT_F32, 1, a), out = image(SCANKIT_F32, 1, b);
    const scankit_box_options options = {.radii = wrong}, plain = {.radius = 1};
    const scankit_lens lens = {.focus = 1, .aperture = 1};
    const scankit_place *places = (const scankit_place *)(const void *)m;
    REFUSED(reason, scankit_summed_area_table(ctx, wrong, &out, NULL));
    REFUSED(reason, scankit_summed_area_table(ctx, &in, wrong, NULL));
    REFUSED(reason, scankit_box_filter(ctx, wrong, &out, &plain));
    REFUSED(reason, scankit_box_filter(ctx, &in, wrong, &plain));
    if (wrong != NULL)
        REFUSED(reason, scankit_box_filter(ctx, &in, &out, &options));
    REFUSED(reason, scankit_depth_of_field(ctx, wrong, &in, &out, &lens));
    REFUSED(reason, scankit_depth_of_field(ctx, &in, wrong, &out, &lens));
    REFUSED(reason, scankit_depth_of_field(ctx, &in, &in, wrong, &lens));
    REFUSED(reason, scankit_mipmap(ctx, wrong, &out, 1, 0));
    if (wrong == NULL)
        return;
    REFUSED(reason, scankit_mipmap(ctx, &in, wrong, 1, 0));
    REFUSED(reason, scankit_sample(ctx, wrong, 1, SCANKIT_SAMPLE_NEAREST, 0, places, (float *)(void *)b, 1));
}

static void wrong_images(const char *name)
{
    scankit_image wrong[9];
    tap_begin("%s: wrong images", name);
    for (unsigned i = 0; i < 9; i++)
        wrong[i] = image(SCANKIT_F32, 1, m);
    wrong[0].type = (scankit_type)99;
    wrong[1].channels = 0;
    wrong[2].channels = 5;
    wrong[3].pitch = SIDE * 4 + 2;
    wrong[4].data = m + 2;
    wrong[5].data = NULL;
    wrong[6].width = TOO_MANY;
    wrong[7].height = TOO_MANY / 4;
    wrong[8].pitch = SIDE * 4 - 4;
    everywhere("an image is missing", NULL);
    everywhere("no such type", &wrong[0]);
    everywhere("1 to 4 channels", &wrong[1]);
    everywhere("1 to 4 channels", &wrong[2]);
    everywhere("not aligned", &wrong[3]);
    everywhere("not aligned", &wrong[4]);
    everywhere("an array is missing", &wrong[5]);
    everywhere("larger than memory", &wrong[6]);
    everywhere("larger than memory", &wrong[7]);
    everywhere("less than a row", &wrong[8]);
    wrong[0].type = SCANKIT_BYTES;
    everywhere("no such type", &wrong[0]);
    tap_end();
}

/* ---- function by function ---- */

static void tables(const char *name)
{
    const scankit_image u8 = image(SCANKIT_U8, 1, a), f32 = image(SCANKIT_F32, 1, a), f64 = image(SCANKIT_F64, 1, a);
    const scankit_image u32_out = image(SCANKIT_U32, 1, b), f32_out = image(SCANKIT_F32, 1, b), in_place = f32;
    const scankit_image four = image(SCANKIT_U32, 4, b), u16_out = image(SCANKIT_U16, 1, b);
    scankit_image less = u32_out, large = image(SCANKIT_U8, 1, a), large_out = image(SCANKIT_U32, 1, b);
    double mean;
    const scankit_table_options with_mean = {.mean = &mean}, no_method = {.method = (scankit_table_method)99};
    less.height--;
    large.width = large.height = large_out.width = large_out.height = 4105; /* 255 * 4105^2 is just above 2^32 */
    tap_begin("%s: summed-area tables", name);
    REFUSED("differ in size or channels", scankit_summed_area_table(ctx, &u8, &less, NULL));
    REFUSED("differ in size or channels", scankit_summed_area_table(ctx, &u8, &four, NULL));
    REFUSED("u8, u16, f16 or f32", scankit_summed_area_table(ctx, &f64, &f32_out, NULL));
    REFUSED("u32, u64, f32 or f64", scankit_summed_area_table(ctx, &u8, &u16_out, NULL));
    REFUSED("of floats has floats", scankit_summed_area_table(ctx, &f32, &u32_out, NULL));
    REFUSED("without its mean has floats", scankit_summed_area_table(ctx, &u8, &u32_out, &with_mean));
    REFUSED("no such method", scankit_summed_area_table(ctx, &u8, &u32_out, &no_method));
    REFUSED("may not wrap", scankit_summed_area_table(ctx, &large, &large_out, NULL));
    REFUSED("not made in place", scankit_summed_area_table(ctx, &f32, &in_place, NULL));
    tap_end();
}

static void matrices(const char *name)
{
    const scankit_scan_kind kind = SCANKIT_INCLUSIVE;
    const scankit_type u32 = SCANKIT_U32;
    tap_begin("%s: transpositions and scans of rows", name);
    REFUSED("at least one byte", scankit_transpose(ctx, 0, a, 0, b, 0, 8, 8));
    REFUSED("an array is missing", scankit_transpose(ctx, 4, NULL, 0, b, 0, 8, 8));
    REFUSED("an array is missing", scankit_transpose(ctx, 4, a, 0, NULL, 0, 8, 8));
    REFUSED("less than a row", scankit_transpose(ctx, 4, a, 31, b, 0, 4, 8));
    REFUSED("less than a row", scankit_transpose(ctx, 4, a, 0, b, 15, 4, 8));
    REFUSED("larger than memory", scankit_transpose(ctx, 4, a, 0, b, 0, TOO_MANY, 8));
    REFUSED("larger than memory", scankit_transpose(ctx, SIZE_MAX / 4, a, 0, b, 0, 2, 2));
    REFUSED("square matrix", scankit_transpose(ctx, 4, a, 0, a, 0, 4, 8));
    REFUSED("one pitch", scankit_transpose(ctx, 4, a, 32, a, 36, 8, 8));
    REFUSED("this operator", scankit_scan_rows(ctx, SCANKIT_F32, SCANKIT_AND, kind, a, 0, b, 0, 8, 8));
    REFUSED("this operator", scankit_scan_rows(ctx, (scankit_type)99, SCANKIT_SUM, kind, a, 0, b, 0, 8, 8));
    REFUSED("inclusive nor", scankit_scan_rows(ctx, u32, SCANKIT_SUM, (scankit_scan_kind)2, a, 0, b, 0, 8, 8));
    REFUSED("no multiple", scankit_scan_rows(ctx, u32, SCANKIT_SUM, kind, a, 34, b, 0, 8, 8));
    REFUSED("no multiple", scankit_scan_rows(ctx, u32, SCANKIT_SUM, kind, a, 0, b, 34, 8, 8));
    REFUSED("an array is missing", scankit_scan_rows(ctx, u32, SCANKIT_SUM, kind, NULL, 0, b, 0, 8, 8));
    REFUSED("an array is missing", scankit_scan_rows(ctx, u32, SCANKIT_SUM, kind, a, 0, NULL, 0, 8, 8));
    REFUSED("less than a row", scankit_scan_rows(ctx, u32, SCANKIT_SUM, kind, a, 28, b, 0, 8, 8));
    REFUSED("larger than memory", scankit_scan_rows(ctx, u32, SCANKIT_SUM, kind, a, 0, b, 0, 8, TOO_MANY));
    REFUSED("one pitch", scankit_scan_rows(ctx, u32, SCANKIT_SUM, kind, a, 32, a, 36, 8, 8));
    tap_end();
}

static void filters(const char *name)
{
    const scankit_image in = image(SCANKIT_U8, 1, a), out = image(SCANKIT_U8, 1, b), u32 = image(SCANKIT_U32, 1, a);
    const scankit_image u16 = image(SCANKIT_U16, 1, b), map = image(SCANKIT_F32, 1, m), two = image(SCANKIT_F32, 2, m);
    const scankit_box_options fine = {.radius = 1}, below = {.radius = -0.5}, nan = {.radius = NAN};
    const scankit_box_options above = {.radius = SCANKIT_RADIUS_MAX + 1}, edge = {.edge = (scankit_edge)99};
    const scankit_box_options integers = {.radii = &in}, channels = {.radii = &two};
    const scankit_lens lens = {.focus = 1};
    const scankit_lens wrong[] = {{.focus = 0},
                                  {.focus = INFINITY},
                                  {.focus = 1, .aperture = -1},
                                  {.focus = 1, .aperture = NAN},
                                  {.focus = 1, .radius_max = -1},
                                  {.focus = 1, .radius_max = NAN}};
    static const char *const reasons[] = {"focus", "focus", "aperture", "aperture", "largest radius", "largest radius"};
    tap_begin("%s: box filters and depth of field", name);
    REFUSED("no options", scankit_box_filter(ctx, &in, &out, NULL));
    REFUSED("u8, u16, f16 and f32", scankit_box_filter(ctx, &u32, &u32, &fine));
    REFUSED("size, channels or type", scankit_box_filter(ctx, &in, &u16, &fine));
    REFUSED("in place", scankit_box_filter(ctx, &in, &in, &fine));
    REFUSED("no such edge", scankit_box_filter(ctx, &in, &out, &edge));
    REFUSED("one f32 for each pixel", scankit_box_filter(ctx, &in, &out, &integers));
    REFUSED("one f32 for each pixel", scankit_box_filter(ctx, &in, &out, &channels));
    REFUSED("no such radius", scankit_box_filter(ctx, &in, &out, &below));
    REFUSED("no such radius", scankit_box_filter(ctx, &in, &out, &nan));
    REFUSED("no such radius", scankit_box_filter(ctx, &in, &out, &above));
    REFUSED("no lens", scankit_depth_of_field(ctx, &in, &map, &out, NULL));
    REFUSED("one f32 for each pixel", scankit_depth_of_field(ctx, &in, &two, &out, &lens));
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REFUSED(reasons[i], scankit_depth_of_field(ctx, &in, &map, &out, &wrong[i]));
    tap_end();
}

static void pyramids(const char *name)
{
    const scankit_image in = image(SCANKIT_U8, 1, a), u32 = image(SCANKIT_U32, 1, a), same = image(SCANKIT_U8, 1, b);
    scankit_image half = same, other = image(SCANKIT_U16, 1, b), levels[] = {in, half}, empty = in;
    const scankit_sampling nearest = SCANKIT_SAMPLE_NEAREST;
    const scankit_place *places = (const scankit_place *)(const void *)m;
    float *out = (float *)(void *)b;
    other.width = other.height = half.width = half.height = SIDE / 2;
    empty.width = 0;
    tap_begin("%s: pyramids", name);
    REFUSED("u8, u16, f16 or f32", scankit_mipmap(ctx, &u32, &half, 1, 0));
    REFUSED("the levels are missing", scankit_mipmap(ctx, &in, NULL, 1, 0));
    REFUSED("fewer levels", scankit_mipmap(ctx, &in, &half, 4, 0));
    REFUSED("type or channels", scankit_mipmap(ctx, &in, &other, 1, 0));
    REFUSED("another size", scankit_mipmap(ctx, &in, &same, 1, 0));
    REFUSED("no levels", scankit_sample(ctx, NULL, 1, nearest, 0, places, out, 1));
    REFUSED("no levels", scankit_sample(ctx, &in, 0, nearest, 0, places, out, 1));
    REFUSED("another size", scankit_sample(ctx, (levels[1] = same, levels), 2, nearest, 0, places, out, 1));
    REFUSED("no such sampling", scankit_sample(ctx, &in, 1, (scankit_sampling)99, 0, places, out, 1));
    REFUSED("the places", scankit_sample(ctx, &in, 1, nearest, 0, NULL, out, 1));
    REFUSED("the places", scankit_sample(ctx, &in, 1, nearest, 0, places, out, TOO_MANY));
    REFUSED("the output", scankit_sample(ctx, &in, 1, nearest, 0, places, NULL, 1));
    REFUSED("without pixels", scankit_sample(ctx, &empty, 1, nearest, 0, places, out, 1));
    tap_end();
}

static void no_context(void)
{
    const scankit_image in = image(SCANKIT_F32, 1, a), out = image(SCANKIT_F32, 1, b);
    const scankit_box_options options = {.radius = 1};
    const scankit_lens lens = {.focus = 1};
    const scankit_error wrong = SCANKIT_E_ARGUMENT;
    tap_case("no context");
    TAP_CHECK(scankit_transpose(NULL, 4, a, 0, b, 0, 8, 8) == wrong);
    TAP_CHECK(scankit_scan_rows(NULL, SCANKIT_U8, SCANKIT_SUM, SCANKIT_INCLUSIVE, a, 0, b, 0, 8, 8) == wrong);
    TAP_CHECK(scankit_summed_area_table(NULL, &in, &out, NULL) == wrong);
    TAP_CHECK(scankit_box_filter(NULL, &in, &out, &options) == wrong);
    TAP_CHECK(scankit_depth_of_field(NULL, &in, &in, &out, &lens) == wrong);
    TAP_CHECK(scankit_mipmap(NULL, &in, &out, 0, 0) == wrong);
    TAP_CHECK(scankit_sample(NULL, &in, 1, SCANKIT_SAMPLE_NEAREST, 0, NULL, NULL, 0) == wrong);
}

/* ---- what is fine ---- */

static void check_empty(device *d, size_t width, size_t height)
{
    const scankit_image in = {.type = SCANKIT_F32, .channels = 2, .width = width, .height = height}, out = in;
    const scankit_image map = {.type = SCANKIT_F32, .channels = 1, .width = width, .height = height};
    double mean[2] = {1, 1};
    const scankit_table_options with_mean = {.mean = mean};
    const scankit_box_options options = {.radii = &map};
    const scankit_lens lens = {.focus = 1};
    tap_case("%zu x %zu", width, height);
    DEVICE_DID(d, scankit_summed_area_table(ctx, &in, &out, &with_mean));
    TAP_CHECK(mean[0] == 0 && mean[1] == 0);
    DEVICE_DID(d, scankit_transpose(ctx, 4, NULL, 0, NULL, 0, height, width));
    DEVICE_DID(d, scankit_scan_rows(ctx, SCANKIT_U8, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, 0, NULL, 0, height, width));
    DEVICE_DID(d, scankit_box_filter(ctx, &in, &out, &options));
    DEVICE_DID(d, scankit_depth_of_field(ctx, &in, &map, &out, &lens));
    DEVICE_DID(d, scankit_mipmap(ctx, &in, NULL, 0, 0));
    DEVICE_DID(d, scankit_sample(ctx, &in, 1, SCANKIT_SAMPLE_NEAREST, 0, NULL, NULL, 0));
}

static void empty_images(device *d)
{
    tap_begin("%s: images without pixels", d->name);
    check_empty(d, 0, 0);
    check_empty(d, 0, 8);
    check_empty(d, 8, 0);
    check_empty(d, 0, SIZE_MAX);
    tap_end();
}

static void test(device *d)
{
    const char zeros[BYTES] = {0};
    ctx = d->context;
    a = device_put(d, 0, zeros, sizeof zeros, 0);
    b = device_put(d, 1, zeros, sizeof zeros, 0);
    m = device_put(d, 2, zeros, sizeof zeros, 0);
    wrong_images(d->name);
    tables(d->name);
    matrices(d->name);
    filters(d->name);
    pyramids(d->name);
    empty_images(d);
    tap_begin("%s: nothing was changed, and a context is needed", d->name);
    for (unsigned area = 0; area < 3; area++)
        device_expect(d, area, zeros, sizeof zeros, 1, "array");
    no_context();
    tap_end();
}

int main(void)
{
    return device_each("arguments of images", test);
}
