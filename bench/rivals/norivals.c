/* norivals.c - replaces rivals.cc in a build without a C++ compiler. */
#include "rivals.h"

const rivals *rivals_cpu(void)
{
    return NULL;
}
