/* primitives.c - see primitives.h. */
#include "primitives.h"

const primitive primitives[] = {
#define X(name, by_name) {#name, bench_##name, by_name},
    PRIMITIVES(X)
#undef X
        {NULL, NULL, false},
};
