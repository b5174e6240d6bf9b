/* points.c - writes the points of a made-up aerial survey to standard output: points COUNT [SEED].
 *
 * A point is a record x:f32,y:f32,z:f32,intensity:u16,class:u8,echo:u8, in metres, in the order of flight: strips of a
 * scanner that swings from side to side over hills with trees. The classes are the ones of LAS files: 2 ground, 5 high
 * vegetation. All coordinates are whole 64ths of a metre, which f32 holds exactly. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

#define STRIP_POINTS 4096 /* of one pass over the field */
#define FIELD 256.0       /* metres of each side */
#define STRIP_WIDTH 64.0

typedef struct point {
    float x, y, z;
    uint16_t intensity;
    uint8_t class, echo;
} point;

static float whole_cells(double metres)
{
    return (float)(floor(metres * 64) / 64);
}

static double ground_at(double x, double y)
{
    return 20 + 8 * sin(x / 40) + 6 * cos(y / 55);
}

/* The i-th point: strips follow each other, and swing over their width. */
static point draw_point(random_state *random, uint64_t i)
{
    uint64_t strip = i / STRIP_POINTS;
    double along = FIELD * (double)(i % STRIP_POINTS) / STRIP_POINTS;
    double left = (FIELD - STRIP_WIDTH) * (double)random_mix(strip) * 0x1p-64;
    double x = left + STRIP_WIDTH * random_unit(random), y = strip % 2 == 0 ? along : FIELD - 1.0 / 64 - along;
    int is_tree = sin(x / 9) * cos(y / 13) > 0.4 && random_below(random, 4) > 0;
    double z = ground_at(x, y) + (is_tree ? 4 + 8 * random_unit(random) : 0);
    return (point){.x = whole_cells(x),
                   .y = whole_cells(y),
                   .z = whole_cells(z),
                   .intensity = (uint16_t)random_below(random, 4096),
                   .class = is_tree ? 5 : 2,
                   .echo = (uint8_t)(1 + is_tree)};
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "Usage: points COUNT [SEED]\n");
        return 2;
    }
    random_state random;
    random_seed(&random, argc == 3 ? strtoull(argv[2], NULL, 10) : 1);
    uint64_t count = strtoull(argv[1], NULL, 10);
    for (uint64_t i = 0; i < count && !ferror(stdout); i++) {
        point drawn = draw_point(&random, i);
        fwrite(&drawn, sizeof drawn, 1, stdout);
    }
    return ferror(stdout) || fclose(stdout) != 0 ? 2 : 0;
}
