/* mipmap.c - pyramids: checks arguments, calls the backend. */
#include "check.h"
#include "light.h"

#define LEVELS_MAX 64 /* of any image */

size_t scankit_mipmap_extent(size_t extent, unsigned level)
{
    size_t of_level = level < 8 * sizeof extent ? extent >> level : 0;
    return extent == 0 || of_level > 0 ? of_level : 1;
}

unsigned scankit_mipmap_levels(size_t width, size_t height)
{
    unsigned levels = 0;
    if (width == 0 || height == 0)
        return 0;
    for (size_t side = width > height ? width : height; side > 0; side /= 2)
        levels++;
    return levels;
}

/* Why this is not level `level` of the image's pyramid, or NULL. */
static const char *wrong_level(const scankit_image *image, const scankit_image *level, unsigned number)
{
    const char *wrong = sk_wrong_image(level);
    if (wrong != NULL)
        return wrong;
    if (level->type != image->type || level->channels != image->channels)
        return "a level differs from the image in type or channels";
    if (level->width != scankit_mipmap_extent(image->width, number) ||
        level->height != scankit_mipmap_extent(image->height, number))
        return "a level has another size";
    return NULL;
}

static const char *wrong_pyramid(const scankit_image *image, const scankit_image *levels, unsigned first,
                                 unsigned count)
{
    const char *wrong = sk_wrong_image(image);
    if (wrong != NULL)
        return wrong;
    if (!sk_is_picture_type(image->type))
        return "pyramids are of u8, u16, f16 or f32";
    if (count > 0 && levels == NULL)
        return "the levels are missing";
    if (first + (size_t)count > scankit_mipmap_levels(image->width, image->height) && !sk_is_empty(image))
        return "the pyramid has fewer levels";
    for (unsigned i = 0; i < count && wrong == NULL; i++)
        wrong = sk_is_empty(image) ? NULL : wrong_level(image, &levels[i], first + i);
    return wrong;
}

scankit_error scankit_mipmap(scankit_context *context, const scankit_image *in, const scankit_image *levels,
                             unsigned count, int linear)
{
    SK_REQUIRE(context != NULL, "no context");
    const char *wrong = wrong_pyramid(in, levels, 1, count);
    SK_REQUIRE(wrong == NULL, wrong);
    if (sk_is_empty(in) || count == 0)
        return SCANKIT_OK;
    scankit_image from = sk_with_pitch(in), to[LEVELS_MAX];
    const sk_light light = sk_light_of(in->type, linear);
    for (unsigned i = 0; i < count; i++)
        to[i] = sk_with_pitch(&levels[i]);
    return sk_finish(context, __func__, context->backend->mipmap(context->device, &from, to, count, &light));
}

scankit_error scankit_sample(scankit_context *context, const scankit_image *levels, unsigned count,
                             scankit_sampling sampling, int linear, const scankit_place *places, float *out, size_t n)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(count > 0 && levels != NULL, "there are no levels");
    const char *wrong = wrong_pyramid(levels, levels, 0, count);
    SK_REQUIRE(wrong == NULL, wrong);
    SK_REQUIRE(scankit_sampling_name(sampling) != NULL, "no such sampling");
    SK_REQUIRE(sk_is_array(places, n, sizeof *places), "the places are no array of n places");
    SK_REQUIRE(sk_is_array(out, n, levels->channels * sizeof *out), "the output is no array of n pixels");
    if (n == 0)
        return SCANKIT_OK;
    SK_REQUIRE(!sk_is_empty(levels), "an image without pixels cannot be sampled");
    scankit_image from[LEVELS_MAX];
    const sk_light light = sk_light_of(levels->type, linear);
    for (unsigned i = 0; i < count; i++)
        from[i] = sk_with_pitch(&levels[i]);
    return sk_finish(context, __func__,
                     context->backend->sample(context->device, from, count, sampling, &light, places, out, n));
}
