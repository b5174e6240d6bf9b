/* oracle-float.c - floats of all sizes as doubles, and back: see oracle.h. Halves are taken apart by arithmetic. */
#include <math.h>
#include <string.h>

#include "oracle.h"

#define HALF_FRACTION 10
#define HALF_BIAS 15

unsigned oracle_fraction(scankit_type type)
{
    return oracle_size(type) == 2 ? HALF_FRACTION : oracle_size(type) == 4 ? 23 : 52;
}

static double half_to_double(uint64_t bits)
{
    int exponent = (int)(bits >> HALF_FRACTION & 31), fraction = (int)(bits & 0x3ff);
    double magnitude;
    if (exponent == 31)
        magnitude = fraction != 0 ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        magnitude = ldexp(fraction, 1 - HALF_BIAS - HALF_FRACTION);
    else
        magnitude = ldexp(1024 + fraction, exponent - HALF_BIAS - HALF_FRACTION);
    return bits >> 15 ? -magnitude : magnitude;
}

/* Units of the last place below 65536 and no smaller than 2^-24; rint() rounds ties to even. */
static uint64_t half_from_double(double value)
{
    uint64_t sign = signbit(value) ? 0x8000 : 0;
    double magnitude = fabs(value);
    int exponent;
    if (isnan(value))
        return sign | 0x7e00;
    if (isinf(value))
        return sign | 0x7c00;
    frexp(magnitude, &exponent);
    if (exponent < 2 - HALF_BIAS || magnitude == 0)
        exponent = 2 - HALF_BIAS;
    double units = rint(ldexp(magnitude, HALF_FRACTION + 1 - exponent));
    if (units < 1024)
        return sign | (uint64_t)units;
    uint64_t bits = ((uint64_t)(exponent + HALF_BIAS - 2) << HALF_FRACTION) + (uint64_t)units;
    return sign | (bits < 0x7c00 ? bits : 0x7c00);
}

double oracle_double(scankit_type type, uint64_t bits)
{
    double wide;
    float narrow;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &bits, sizeof narrow);
    return oracle_size(type) == 2 ? half_to_double(bits) : oracle_size(type) == 8 ? wide : (double)narrow;
}

uint64_t oracle_float_bits(scankit_type type, double value)
{
    float narrow = (float)value;
    uint32_t bits32;
    uint64_t bits64;
    memcpy(&bits32, &narrow, sizeof bits32);
    memcpy(&bits64, &value, sizeof bits64);
    return oracle_size(type) == 2 ? half_from_double(value) : oracle_size(type) == 4 ? bits32 : bits64;
}
