/* check.c - images and matrices as arguments. */
#include "check.h"

size_t sk_pixel_size(const scankit_image *image)
{
    return image->channels * scankit_type_size(image->type);
}

size_t sk_row_size(const scankit_image *image)
{
    return image->width * sk_pixel_size(image);
}

const char *sk_wrong_matrix(const void *data, size_t pitch, size_t rows, size_t columns, size_t size)
{
    size_t row, bytes;
    if (rows == 0 || columns == 0)
        return NULL;
    if (data == NULL)
        return "an array is missing";
    if (!sk_multiply(columns, size, &row) || !sk_multiply(rows, sk_pitch(pitch, row), &bytes) || bytes > SIZE_MAX / 2)
        return "an array is larger than memory";
    if (pitch != 0 && pitch < row)
        return "the pitch is less than a row";
    return NULL;
}

const char *sk_wrong_image(const scankit_image *image)
{
    if (image == NULL)
        return "an image is missing";
    size_t size = scankit_type_size(image->type);
    if (size == 0)
        return "no such type";
    if (image->channels < 1 || image->channels > 4)
        return "an image has 1 to 4 channels";
    if (image->pitch % size != 0 || (uintptr_t)image->data % size != 0)
        return "an image is not aligned to its type";
    return sk_wrong_matrix(image->data, image->pitch, image->height, image->width, sk_pixel_size(image));
}

bool sk_same_size(const scankit_image *a, const scankit_image *b)
{
    return a->width == b->width && a->height == b->height;
}

bool sk_same_form(const scankit_image *a, const scankit_image *b)
{
    return sk_same_size(a, b) && a->channels == b->channels;
}

bool sk_is_empty(const scankit_image *image)
{
    return image->width == 0 || image->height == 0;
}

bool sk_is_picture_type(scankit_type type)
{
    return sk_is_integer_picture(type) || type == SCANKIT_F16 || type == SCANKIT_F32;
}

scankit_image sk_with_pitch(const scankit_image *image)
{
    scankit_image with = *image;
    with.pitch = sk_pitch(image->pitch, sk_row_size(image));
    return with;
}

scankit_error sk_take_image(scankit_context *context, const scankit_image *like, scankit_type type,
                            scankit_image *image)
{
    *image = *like;
    image->type = type;
    image->pitch = sk_row_size(image);
    return sk_take(context, image->height, image->pitch, &image->data);
}
