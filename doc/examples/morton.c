/* morton.c - puts a Morton code in front of every point: morton <points >coded
 *
 * SPDX-License-Identifier: MIT
 *
 * A point is 16 bytes: x:f32,y:f32,z:f32,intensity:u16,class:u8,echo:u8, in metres from a corner of the survey. Its
 * code is a u64: the bits of the three coordinates by turns, in 64ths of a metre (Morton 1966). Points with equal
 * leading bits lie in the same cube, so in the order of the codes a cube is one range. Coordinates are at least 0 and
 * below 32 km. */
#include <stdint.h>
#include <stdio.h>

#define CELLS_PER_METRE 64

typedef struct point {
    float x, y, z;
    uint16_t intensity;
    uint8_t class, echo;
} point;

/* The low 21 bits, each with two zeros above it. */
static uint64_t spread(uint64_t bits)
{
    bits = (bits | bits << 32) & UINT64_C(0x1f00000000ffff);
    bits = (bits | bits << 16) & UINT64_C(0x1f0000ff0000ff);
    bits = (bits | bits << 8) & UINT64_C(0x100f00f00f00f00f);
    bits = (bits | bits << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (bits | bits << 2) & UINT64_C(0x1249249249249249);
}

static uint64_t code_of(const point *p)
{
    uint64_t x = (uint64_t)(p->x * CELLS_PER_METRE), y = (uint64_t)(p->y * CELLS_PER_METRE);
    uint64_t z = (uint64_t)(p->z * CELLS_PER_METRE);
    return spread(x) | spread(y) << 1 | spread(z) << 2;
}

int main(void)
{
    point p;
    while (fread(&p, sizeof p, 1, stdin) == 1) {
        uint64_t code = code_of(&p);
        fwrite(&code, sizeof code, 1, stdout);
        fwrite(&p, sizeof p, 1, stdout);
    }
    return ferror(stdin) || ferror(stdout) || fclose(stdout) != 0 ? 2 : 0;
}
