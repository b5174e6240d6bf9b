/* primitives.c - see primitives.h. */
#include "primitives.h"

const primitive primitives[] = {
#define X(function, name, by_name) {name, bench_##function, by_name},
    PRIMITIVES(X)
#undef X
        {NULL, NULL, false},
};
