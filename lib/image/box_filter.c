/* box_filter.c - box filters, in passes, and depth of field, which gives each pixel its radius. */
#include <math.h>

#include "check.h"

/* The type of an image between passes: integers get 8 more bits, as far as 16 have room. */
static scankit_type type_between(scankit_type type)
{
    return type == SCANKIT_U8 ? SCANKIT_U16 : type == SCANKIT_F16 ? SCANKIT_F32 : type;
}

static int bits_more(scankit_type to, scankit_type from)
{
    return sk_is_integer_picture(to) ? 8 * ((int)scankit_type_size(to) - (int)scankit_type_size(from)) : 0;
}

static scankit_error pass(scankit_context *context, const scankit_image *in, const scankit_image *out, sk_box box)
{
    box.shift = bits_more(out->type, in->type);
    return context->backend->box(context->device, in, out, &box);
}

/* Passes go to and fro between two images of the workspace, the last one to the output. */
static scankit_error run_passes(scankit_context *context, const scankit_image *in, const scankit_image *out, sk_box box,
                                unsigned passes)
{
    scankit_image from = sk_with_pitch(in), between[2];
    const scankit_image to = sk_with_pitch(out);
    for (unsigned i = 0; i < 2 && i + 1 < passes; i++)
        SK_TRY(sk_take_image(context, in, type_between(in->type), &between[i]));
    for (unsigned i = 0; i + 1 < passes; i++) {
        SK_TRY(pass(context, &from, &between[i % 2], box));
        from = between[i % 2];
    }
    return pass(context, &from, &to, box);
}

static scankit_error filter(scankit_context *context, const scankit_image *in, const scankit_image *out, sk_box box,
                            unsigned passes)
{
    size_t mark = sk_arena_mark(&context->device->workspace);
    scankit_error error = run_passes(context, in, out, box, passes);
    sk_arena_reset(&context->device->workspace, mark);
    return error;
}

static const char *wrong_filter(const scankit_image *in, const scankit_image *out)
{
    const char *wrong = sk_wrong_image(in);
    if (wrong == NULL)
        wrong = sk_wrong_image(out);
    if (wrong != NULL)
        return wrong;
    if (!sk_is_picture_type(in->type))
        return "filters are for u8, u16, f16 and f32";
    if (!sk_same_form(in, out) || in->type != out->type)
        return "the input and the output differ in size, channels or type";
    if (in->data == out->data && !sk_is_empty(in))
        return "an image is not filtered in place";
    return NULL;
}

/* A map of numbers, one a pixel. */
static const char *wrong_map(const scankit_image *map, const scankit_image *in)
{
    const char *wrong = sk_wrong_image(map);
    if (wrong != NULL)
        return wrong;
    if (map->type != SCANKIT_F32 || map->channels != 1 || !sk_same_size(map, in))
        return "a map has one f32 for each pixel";
    return NULL;
}

scankit_error scankit_box_filter(scankit_context *context, const scankit_image *in, const scankit_image *out,
                                 const scankit_box_options *options)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(options != NULL, "no options");
    const char *wrong = wrong_filter(in, out);
    SK_REQUIRE(wrong == NULL, wrong);
    SK_REQUIRE(scankit_edge_name(options->edge) != NULL, "no such edge");
    sk_box box = {.edge = options->edge};
    if (options->radii != NULL) {
        wrong = wrong_map(options->radii, in);
        SK_REQUIRE(wrong == NULL, wrong);
        const scankit_image radii = sk_with_pitch(options->radii);
        box.radii = radii.data;
        box.radii_pitch = radii.pitch;
    } else {
        SK_REQUIRE(options->radius >= 0 && options->radius <= SCANKIT_RADIUS_MAX, "no such radius");
        box.radius = (uint32_t)(options->radius * SK_BOX_UNIT + 0.5);
    }
    if (sk_is_empty(in))
        return SCANKIT_OK;
    return sk_finish(context, __func__, filter(context, in, out, box, options->passes > 0 ? options->passes : 1));
}

/* ---- depth of field ---- */

static scankit_error blur_by_map(scankit_context *context, const scankit_image *in, const scankit_image *depth,
                                 const scankit_image *out, const scankit_lens *lens)
{
    const scankit_image map = sk_with_pitch(depth);
    scankit_image radii;
    SK_TRY(sk_take_image(context, depth, SCANKIT_F32, &radii));
    SK_TRY(context->backend->blur_radii(context->device, &map, radii.data, lens));
    sk_box box = {.radii = radii.data, .radii_pitch = radii.pitch, .edge = SCANKIT_EDGE_CLAMP};
    return filter(context, in, out, box, 1);
}

static scankit_error blur_by_depth(scankit_context *context, const scankit_image *in, const scankit_image *depth,
                                   const scankit_image *out, const scankit_lens *lens)
{
    size_t mark = sk_arena_mark(&context->device->workspace);
    scankit_error error = blur_by_map(context, in, depth, out, lens);
    sk_arena_reset(&context->device->workspace, mark);
    return error;
}

scankit_error scankit_depth_of_field(scankit_context *context, const scankit_image *in, const scankit_image *depth,
                                     const scankit_image *out, const scankit_lens *lens)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(lens != NULL, "no lens");
    const char *wrong = wrong_filter(in, out);
    SK_REQUIRE(wrong == NULL, wrong);
    wrong = wrong_map(depth, in);
    SK_REQUIRE(wrong == NULL, wrong);
    SK_REQUIRE(lens->focus > 0 && isfinite(lens->focus), "the focus is a distance above 0");
    SK_REQUIRE(lens->aperture >= 0 && isfinite(lens->aperture), "the aperture is a radius");
    SK_REQUIRE(lens->radius_max >= 0, "the largest radius is below 0");
    if (sk_is_empty(in))
        return SCANKIT_OK;
    return sk_finish(context, __func__, blur_by_depth(context, in, depth, out, lens));
}
