/* table.c - summed-area tables: checks arguments, calls the backend. */
#include "check.h"

static bool is_float(scankit_type type)
{
    return type == SCANKIT_F32 || type == SCANKIT_F64;
}

static bool is_table_type(scankit_type type)
{
    return type == SCANKIT_U32 || type == SCANKIT_U64 || is_float(type);
}

/* True if all pixels may have the largest value. */
static bool sums_fit(const scankit_image *in, scankit_type type)
{
    size_t most = sk_picture_most(in->type), pixels, sum;
    return is_float(type) || (sk_multiply(in->width, in->height, &pixels) && sk_multiply(pixels, most, &sum) &&
                              (type == SCANKIT_U64 || sum <= UINT32_MAX));
}

static scankit_error take_means(scankit_context *context, const scankit_image *in, double *mean)
{
    double sums[4];
    SK_TRY(context->backend->channel_sums(context->device, in, sums));
    for (unsigned c = 0; c < in->channels; c++)
        mean[c] = sums[c] / ((double)in->width * (double)in->height);
    return SCANKIT_OK;
}

static scankit_error make_table(scankit_context *context, const scankit_image *in, const scankit_image *out,
                                const scankit_table_options *options)
{
    const scankit_image from = sk_with_pitch(in), to = sk_with_pitch(out);
    if (options->mean != NULL)
        SK_TRY(take_means(context, &from, options->mean));
    return context->backend->table(context->device, &from, &to, options->mean, options->method);
}

scankit_error scankit_summed_area_table(scankit_context *context, const scankit_image *in, const scankit_image *out,
                                        const scankit_table_options *options)
{
    const scankit_table_options defaults = {0};
    options = options != NULL ? options : &defaults;
    SK_REQUIRE(context != NULL, "no context");
    const char *wrong = sk_wrong_image(in);
    SK_REQUIRE(wrong == NULL, wrong);
    wrong = sk_wrong_image(out);
    SK_REQUIRE(wrong == NULL, wrong);
    SK_REQUIRE(sk_same_form(in, out), "the image and its table differ in size or channels");
    SK_REQUIRE(sk_is_picture_type(in->type), "tables are of u8, u16, f16 or f32");
    SK_REQUIRE(is_table_type(out->type), "a table has u32, u64, f32 or f64");
    SK_REQUIRE(sk_is_integer_picture(in->type) || is_float(out->type), "a table of floats has floats");
    SK_REQUIRE(options->mean == NULL || is_float(out->type), "a table without its mean has floats");
    SK_REQUIRE(scankit_table_method_name(options->method) != NULL, "no such method");
    SK_REQUIRE(options->wrap || sums_fit(in, out->type), "the sums may pass the table's type, and may not wrap");
    SK_REQUIRE(in->data != out->data || sk_is_empty(in), "a table is not made in place");
    if (sk_is_empty(in)) {
        for (unsigned c = 0; options->mean != NULL && c < in->channels; c++)
            options->mean[c] = 0;
        return SCANKIT_OK;
    }
    return sk_finish(context, __func__, make_table(context, in, out, options));
}
