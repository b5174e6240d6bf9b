/* check.h - images and matrices as arguments. */
#ifndef SK_CHECK_H
#define SK_CHECK_H

#include "internal.h"

/* Bytes from one row to the next: the pitch, or, if that is 0, a row. */
static inline size_t sk_pitch(size_t pitch, size_t row)
{
    return pitch != 0 ? pitch : row;
}

/* Bytes of a pixel. */
size_t sk_pixel_size(const scankit_image *image);

/* Bytes of a row without a gap. Only of images that are not wrong. */
size_t sk_row_size(const scankit_image *image);

/* Why this is no image, or no rows x columns elements of `size` bytes each with that pitch; or NULL. */
const char *sk_wrong_image(const scankit_image *image);
const char *sk_wrong_matrix(const void *data, size_t pitch, size_t rows, size_t columns, size_t size);

/* True if the two have the same size; and the same number of channels. */
bool sk_same_size(const scankit_image *a, const scankit_image *b);
bool sk_same_form(const scankit_image *a, const scankit_image *b);

bool sk_is_empty(const scankit_image *image);

/* True for the types of pictures: u8, u16, f16, f32. */
bool sk_is_picture_type(scankit_type type);

static inline bool sk_is_integer_picture(scankit_type type)
{
    return type == SCANKIT_U8 || type == SCANKIT_U16;
}

/* The image with its pitch, as backends take it. */
scankit_image sk_with_pitch(const scankit_image *image);

/* An image of the same size and channels in the workspace, without gaps between rows. */
scankit_error sk_take_image(scankit_context *context, const scankit_image *like, scankit_type type,
                            scankit_image *image);

#endif
