/* shortest.h - the shortest decimal number that is read back as the same float. */
#ifndef SHORTEST_H
#define SHORTEST_H

#include "float_format.h"

/* digits * 10^exponent; digits do not end in 0, except for 0 itself. */
struct decimal {
    uint64_t digits;
    int exponent;
};

/* Of the shortest ones, the nearest to the float. bits: of a finite float; the sign is not looked at. */
struct decimal shortest_decimal(const struct float_format *format, uint64_t bits);

#endif
