/* cast.c - a ray caster: one ray a place, diffuse light from one direction, shadows. */
#include "cast.h"

#include <math.h>

typedef struct sphere {
    vector centre;
    double radius;
    vector colour;
} sphere;

static const sphere spheres[] = {
    {{-1.05, 0.55, 3.2}, 0.55, {0.80, 0.12, 0.08}}, {{0.35, 0.40, 4.3}, 0.40, {0.95, 0.62, 0.10}},
    {{1.75, 0.75, 6.0}, 0.75, {0.12, 0.45, 0.75}},  {{-1.70, 0.80, 8.5}, 0.80, {0.15, 0.55, 0.20}},
    {{0.90, 0.95, 12.0}, 0.95, {0.55, 0.25, 0.60}}, {{-4.20, 1.20, 17.0}, 1.20, {0.85, 0.80, 0.70}},
    {{4.60, 1.50, 22.0}, 1.50, {0.70, 0.10, 0.20}},
};
#define SPHERES (sizeof spheres / sizeof *spheres)

static const vector eye = {0, 1.35, 0};
static const vector to_light = {-0.48, 0.72, -0.50}; /* of length 1 */
static const vector light_field = {0.86, 0.84, 0.78}, dark_field = {0.07, 0.08, 0.10};

#define FOCAL 1.15 /* distance of the picture, in its heights */
#define DOWN 0.16  /* slope of the middle ray */
#define AMBIENT 0.22
#define NEAREST 1e-6 /* a surface does not shade itself */

static vector scaled(vector v, double by)
{
    return (vector){v.x * by, v.y * by, v.z * by};
}

static vector sum(vector a, vector b)
{
    return (vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

static double dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Its z is 1, so a distance along it is a depth. */
static vector direction(const scene_camera *camera, double x, double y)
{
    double unit = 1 / (FOCAL * (double)camera->height);
    return (vector){(x - 0.5 * (double)camera->width) * unit, (0.5 * (double)camera->height - y) * unit - DOWN, 1};
}

/* The nearest distance along the ray to a sphere; infinity if it passes. */
static double distance_to_sphere(const sphere *s, vector from, vector along)
{
    vector to_centre = sum(s->centre, scaled(from, -1));
    double a = dot(along, along), half = dot(along, to_centre);
    double root = half * half - a * (dot(to_centre, to_centre) - s->radius * s->radius);
    if (root < 0)
        return INFINITY;
    double near = (half - sqrt(root)) / a, far = (half + sqrt(root)) / a;
    return near > NEAREST ? near : far > NEAREST ? far : INFINITY;
}

static double nearest_sphere(vector from, vector along, const sphere **found)
{
    double nearest = INFINITY;
    *found = NULL;
    for (size_t i = 0; i < SPHERES; i++) {
        double distance = distance_to_sphere(&spheres[i], from, along);
        if (distance < nearest) {
            nearest = distance;
            *found = &spheres[i];
        }
    }
    return nearest;
}

/* The light of a surface of that colour: what it reflects of the lamp, unless that is hidden, and of the sky. */
static vector shade(vector colour, vector point, vector normal)
{
    const sphere *between;
    double lamp = dot(normal, to_light);
    if (lamp <= 0 || isfinite(nearest_sphere(point, to_light, &between)))
        lamp = 0;
    return scaled(colour, AMBIENT + (1 - AMBIENT) * lamp);
}

static vector field_at(vector point)
{
    bool even = ((long)floor(point.x) + (long)floor(point.z)) % 2 == 0;
    return even ? light_field : dark_field;
}

bool cast_plane(const scene_camera *camera, double x, double y, vector *point)
{
    vector along = direction(camera, x, y);
    if (along.y >= 0)
        return false;
    *point = sum(eye, scaled(along, -eye.y / along.y));
    return true;
}

vector cast_sky(const scene_camera *camera, double x, double y)
{
    double up = fmin(1, fmax(0, 2 * direction(camera, x, y).y));
    return (vector){0.75 - 0.5 * up, 0.82 - 0.4 * up, 0.92 - 0.2 * up};
}

hit cast(const scene_camera *camera, double x, double y)
{
    const sphere *found;
    vector along = direction(camera, x, y), point = {0, 0, INFINITY};
    double depth = nearest_sphere(eye, along, &found);
    bool on_plane = cast_plane(camera, x, y, &point);
    if (found != NULL && depth < point.z) {
        point = sum(eye, scaled(along, depth));
        vector normal = scaled(sum(point, scaled(found->centre, -1)), 1 / found->radius);
        return (hit){depth, shade(found->colour, point, normal)};
    }
    if (!on_plane)
        return (hit){INFINITY, cast_sky(camera, x, y)};
    return (hit){point.z, shade(field_at(point), point, (vector){0, 1, 0})};
}
