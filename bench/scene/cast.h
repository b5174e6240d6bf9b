/* cast.h - a scene of spheres on a checkered plane, and what a ray through a pixel hits. Units are metres. */
#ifndef SCENE_CAST_H
#define SCENE_CAST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct vector {
    double x, y, z;
} vector;

/* The camera looks along z, a little down. A picture is width x height pixels. */
typedef struct scene_camera {
    size_t width, height;
} scene_camera;

/* depth: along z; infinite for the sky. light: red, green and blue of the linear light, from 0 to 1. */
typedef struct hit {
    double depth;
    vector light;
} hit;

/* The ray through a place of the picture, in pixels from its upper left corner. */
hit cast(const scene_camera *camera, double x, double y);

/* The point of the plane that the ray hits; false for the sky. Spheres are left out. */
bool cast_plane(const scene_camera *camera, double x, double y, vector *point);

/* The sky's light at a place. */
vector cast_sky(const scene_camera *camera, double x, double y);

#endif
