/* element.h - facts about element types, from SCANKIT_TYPES, and floats of every type as doubles. */
#ifndef BENCH_ELEMENT_H
#define BENCH_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "scankit.h"

typedef enum element_kind { ELEMENT_unsigned, ELEMENT_signed, ELEMENT_half, ELEMENT_float } element_kind;

size_t element_size(scankit_type type);
element_kind element_kind_of(scankit_type type);
bool element_is_float(scankit_type type);

/* Bits of the integers from 0 up that the type holds exactly: of floats, the fraction and the leading 1. */
unsigned element_bits(scankit_type type);

/* Writes the nearest float of the type, and reads one. */
void element_store(scankit_type type, double value, void *element);
double element_load(scankit_type type, const void *element);

#endif
