/* alpha.h - premultiplied pixels. Means of pixels with alpha are means of color times alpha, so that the colors of
 * transparent pixels do not show (Porter and Duff, Compositing Digital Images, 1984). */
#ifndef ALPHA_H
#define ALPHA_H

#include "file/picture.h"

/* The picture as f32, with colors times alpha, both 1 for full. srgb: integers are converted to linear light first. */
struct picture alpha_premultiplied(const struct picture *picture, bool srgb);

/* Back to the type. Colors of pixels that are wholly transparent become 0. */
struct picture alpha_straight(const struct picture *premultiplied, scankit_type type, bool srgb);

#endif
