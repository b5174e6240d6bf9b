/* norivals.c - stands in for rivals.cc where there is no C++ compiler. */
#include "rivals.h"

const rivals *rivals_cpu(void)
{
    return NULL;
}
