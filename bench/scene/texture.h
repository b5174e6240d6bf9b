/* texture.h - the checkered plane as a texture that scankit samples. */
#ifndef SCENE_TEXTURE_H
#define SCENE_TEXTURE_H

#include "cast.h"
#include "scankit.h"

/* Draws the plane and the sky: three numbers a pixel, in linear light. Ends the program if the library fails. */
void texture_draw(const scene_camera *camera, scankit_sampling sampling, double *pixels);

#endif
