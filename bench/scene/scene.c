/* scene.c - pictures to filter, on standard output: scene KIND [WIDTH HEIGHT].
 *
 * A picture is a PPM of 8 bits in sRGB, a map a PFM. KIND is one of the kinds below. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cast.h"
#include "texture.h"

#define SAMPLES 4 /* rays a pixel and side */

/* One pixel: red, green and blue of the light, or one number of a map. */
typedef void draw_pixel(const scene_camera *camera, size_t x, size_t y, double *pixel);

static void draw_picture(const scene_camera *camera, size_t x, size_t y, double *pixel)
{
    vector all = {0, 0, 0};
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        double dx = (i % SAMPLES + 0.5) / SAMPLES, dy = (i / SAMPLES + 0.5) / SAMPLES;
        vector light = cast(camera, (double)x + dx, (double)y + dy).light;
        all = (vector){all.x + light.x, all.y + light.y, all.z + light.z};
    }
    pixel[0] = all.x / (SAMPLES * SAMPLES);
    pixel[1] = all.y / (SAMPLES * SAMPLES);
    pixel[2] = all.z / (SAMPLES * SAMPLES);
}

static void draw_depth(const scene_camera *camera, size_t x, size_t y, double *pixel)
{
    pixel[0] = cast(camera, (double)x + 0.5, (double)y + 0.5).depth;
}

/* Radii that grow to the right: 0 to a 16th of the width. */
static void draw_ramp(const scene_camera *camera, size_t x, size_t y, double *pixel)
{
    (void)y;
    pixel[0] = camera->width > 1 ? (double)x / (double)(camera->width - 1) * (double)camera->width / 16 : 0;
}

typedef struct scene_kind {
    const char *name, *description;
    draw_pixel *draw; /* NULL: sampled from a texture */
    unsigned channels;
    scankit_sampling sampling;
} scene_kind;

static const scene_kind kinds[] = {
    {"picture", "spheres on a checkered plane", draw_picture, 3, SCANKIT_SAMPLE_NEAREST},
    {"depth", "its distances, a map", draw_depth, 1, SCANKIT_SAMPLE_NEAREST},
    {"ramp", "radii that grow to the right, a map", draw_ramp, 1, SCANKIT_SAMPLE_NEAREST},
    {"plane-nearest", "the plane, sampled at the nearest pixel of a texture", NULL, 3, SCANKIT_SAMPLE_NEAREST},
    {"plane-trilinear", "the plane, sampled from the texture's pyramid", NULL, 3, SCANKIT_SAMPLE_TRILINEAR},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static void print_help(void)
{
    printf("Usage: scene KIND [WIDTH HEIGHT]\n"
           "Writes a picture (PPM, sRGB) or a map (PFM) to standard output, by default of 960 x 540 pixels.\n\n"
           "KIND is one of\n\n");
    for (size_t i = 0; i < KINDS; i++)
        printf("  %-16s %s\n", kinds[i].name, kinds[i].description);
}

static void draw_all(const scene_kind *kind, const scene_camera *camera, double *pixels)
{
    if (kind->draw == NULL) {
        texture_draw(camera, kind->sampling, pixels);
        return;
    }
#pragma omp parallel for schedule(dynamic)
    for (size_t y = 0; y < camera->height; y++)
        for (size_t x = 0; x < camera->width; x++)
            kind->draw(camera, x, y, pixels + (y * camera->width + x) * kind->channels);
}

/* sRGB, as IEC 61966-2-1 has it. */
static int encoded(double light)
{
    double component = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    return (int)(255 * fmin(1, fmax(0, component)) + 0.5);
}

static void write_picture(const scene_camera *camera, const double *pixels)
{
    printf("P6\n%zu %zu\n255\n", camera->width, camera->height);
    for (size_t i = 0; i < 3 * camera->width * camera->height; i++)
        putchar(encoded(pixels[i]));
}

/* Rows from the last to the first, little endian. */
static void write_map(const scene_camera *camera, const double *pixels)
{
    printf("Pf\n%zu %zu\n-1\n", camera->width, camera->height);
    for (size_t y = camera->height; y-- > 0;)
        for (size_t x = 0; x < camera->width; x++) {
            float value = (float)pixels[y * camera->width + x];
            fwrite(&value, sizeof value, 1, stdout);
        }
}

static size_t parse_side(const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    return end == text || *end != '\0' || value < 1 || value > 65536 ? 0 : value;
}

int main(int argc, char **argv)
{
    scene_camera camera = {960, 540};
    const scene_kind *kind = kinds;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        print_help();
        return 0;
    }
    while (argc > 1 && kind < kinds + KINDS && strcmp(kind->name, argv[1]) != 0)
        kind++;
    if (argc == 4)
        camera = (scene_camera){parse_side(argv[2]), parse_side(argv[3])};
    if ((argc != 2 && argc != 4) || kind == kinds + KINDS || camera.width == 0 || camera.height == 0) {
        fprintf(stderr, "Try 'scene --help'.\n");
        return 2;
    }
    double *pixels = malloc(camera.width * camera.height * kind->channels * sizeof *pixels);
    if (pixels == NULL) {
        fprintf(stderr, "scene: out of memory\n");
        return 2;
    }
    draw_all(kind, &camera, pixels);
    if (kind->channels == 3)
        write_picture(&camera, pixels);
    else
        write_map(&camera, pixels);
    free(pixels);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "scene: cannot write\n");
        return 2;
    }
    return 0;
}
