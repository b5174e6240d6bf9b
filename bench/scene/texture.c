/* texture.c - the checkered plane, sampled from a pyramid at the level that fits a pixel's footprint. */
#include "texture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE ((size_t)256)                    /* pixels of the texture */
#define FIELD ((size_t)32)                    /* pixels of a field, which is 1 m wide */
#define METRES ((double)SIDE / (double)FIELD) /* of the plane that the texture covers */
#define LEVELS 9
#define CHANNELS 3

static void try_call(scankit_error error, const char *what)
{
    if (error == SCANKIT_OK)
        return;
    fprintf(stderr, "scene: %s: %s\n", what, scankit_error_string(error));
    exit(2);
}

static void *get_memory(size_t bytes)
{
    void *memory = malloc(bytes);
    if (memory == NULL)
        try_call(SCANKIT_E_MEMORY, "memory");
    return memory;
}

static void draw_fields(uint8_t *texture)
{
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        bool light = (i % SIDE / FIELD + i / SIDE / FIELD) % 2 == 0;
        texture[CHANNELS * i] = light ? 230 : 60;
        texture[CHANNELS * i + 1] = light ? 226 : 64;
        texture[CHANNELS * i + 2] = light ? 220 : 72;
    }
}

/* Where the ray hits the texture, in its widths. False for the sky. */
static bool place_at(const scene_camera *camera, double x, double y, double *u, double *v)
{
    vector point;
    if (!cast_plane(camera, x, y, &point))
        return false;
    *u = point.x / METRES;
    *v = point.z / METRES;
    return true;
}

/* A pixel covers 2^level pixels of the texture, along the longer of its sides (Williams 1983). */
static bool find_place(const scene_camera *camera, size_t x, size_t y, scankit_place *place)
{
    double u, v, right_u, right_v, down_u, down_v, at_x = (double)x + 0.5, at_y = (double)y + 0.5;
    if (!place_at(camera, at_x, at_y, &u, &v))
        return false;
    if (!place_at(camera, at_x + 1, at_y, &right_u, &right_v) || !place_at(camera, at_x, at_y + 1, &down_u, &down_v))
        return false;
    double side = fmax(hypot(right_u - u, right_v - v), hypot(down_u - u, down_v - v));
    *place = (scankit_place){(float)(u - floor(u)), (float)(v - floor(v)), (float)log2(side * (double)SIDE)};
    return true;
}

static void make_pyramid(scankit_context *context, scankit_image *levels)
{
    for (unsigned i = 0; i < LEVELS; i++) {
        size_t side = scankit_mipmap_extent(SIDE, i);
        levels[i] = (scankit_image){SCANKIT_U8, CHANNELS, side, side, 0, get_memory(CHANNELS * side * side)};
    }
    draw_fields(levels[0].data);
    try_call(scankit_mipmap(context, levels, levels + 1, LEVELS - 1, 0), "pyramid");
}

void texture_draw(const scene_camera *camera, scankit_sampling sampling, double *pixels)
{
    size_t n = camera->width * camera->height;
    scankit_place *places = get_memory(n * sizeof *places);
    float *samples = get_memory(n * CHANNELS * sizeof *samples);
    bool *on_plane = get_memory(n * sizeof *on_plane);
    scankit_image levels[LEVELS];
    scankit_context *context;
    try_call(scankit_open(&context, "cpu"), "device");
    make_pyramid(context, levels);
    for (size_t i = 0; i < n; i++) {
        places[i] = (scankit_place){0, 0, 0};
        on_plane[i] = find_place(camera, i % camera->width, i / camera->width, &places[i]);
        if (sampling == SCANKIT_SAMPLE_NEAREST)
            places[i].level = 0;
    }
    try_call(scankit_sample(context, levels, LEVELS, sampling, 0, places, samples, n), "samples");
    for (size_t i = 0; i < n; i++) {
        vector sky = cast_sky(camera, (double)(i % camera->width), (double)(i / camera->width));
        pixels[CHANNELS * i] = on_plane[i] ? (double)samples[CHANNELS * i] : sky.x;
        pixels[CHANNELS * i + 1] = on_plane[i] ? (double)samples[CHANNELS * i + 1] : sky.y;
        pixels[CHANNELS * i + 2] = on_plane[i] ? (double)samples[CHANNELS * i + 2] : sky.z;
    }
    for (unsigned i = 0; i < LEVELS; i++)
        free(levels[i].data);
    scankit_close(context);
    free(places);
    free(samples);
    free(on_plane);
}
