/* oracle.h - the expected results, computed one element after the other in the simplest way, from the text of scankit.h
 * alone. Values travel as bit patterns, zero-extended to 64 bits. */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scankit.h"

/* The lengths of the lists in scankit.h. */
#define ORACLE_ONE(...) +1
enum {
    ORACLE_TYPES = 0 SCANKIT_TYPES(ORACLE_ONE),
    ORACLE_OPERATORS = 0 SCANKIT_OPERATORS(ORACLE_ONE),
    ORACLE_ALGORITHMS = 0 SCANKIT_ALGORITHMS(ORACLE_ONE)
};

typedef enum oracle_type_kind { ORACLE_UNSIGNED, ORACLE_SIGNED, ORACLE_FLOAT } oracle_type_kind;

static inline size_t oracle_size(scankit_type type)
{
    static const unsigned char sizes[] = {
#define X(enumerator, name, ctype, kind) sizeof(ctype),
        SCANKIT_TYPES(X)
#undef X
    };
    return sizes[type];
}

static inline unsigned oracle_bits(scankit_type type)
{
    return (unsigned)(8 * oracle_size(type));
}

static inline oracle_type_kind oracle_kind(scankit_type type)
{
    static const unsigned char kinds[] = {
#define ORACLE_KIND_unsigned ORACLE_UNSIGNED
#define ORACLE_KIND_signed ORACLE_SIGNED
#define ORACLE_KIND_half ORACLE_FLOAT
#define ORACLE_KIND_float ORACLE_FLOAT
#define X(enumerator, name, ctype, kind) ORACLE_KIND_##kind,
        SCANKIT_TYPES(X)
#undef X
    };
    return (oracle_type_kind)kinds[type];
}

uint64_t oracle_load(scankit_type type, const void *array, size_t index);
void oracle_store(scankit_type type, void *array, size_t index, uint64_t bits);

/* ---- floats: see oracle-float.c ---- */

/* Bits of the fraction. */
unsigned oracle_fraction(scankit_type type);

/* The value of a float's bits, and the bits of the nearest float, ties to even. */
double oracle_double(scankit_type type, uint64_t bits);
uint64_t oracle_float_bits(scankit_type type, double value);

/* ---- scan and reduce ---- */

bool oracle_applies(scankit_operator op, scankit_type type);
uint64_t oracle_identity(scankit_operator op, scankit_type type);
uint64_t oracle_combine(scankit_operator op, scankit_type type, uint64_t a, uint64_t b);
void oracle_scan(scankit_type type, scankit_operator op, scankit_scan_kind kind, const void *initial, const void *in,
                 void *out, size_t n);
uint64_t oracle_reduce(scankit_type type, scankit_operator op, const void *in, size_t n);

/* ---- order ---- */

/* Negative, 0 or positive; options as scankit_sort() takes them, or NULL. */
int oracle_compare(scankit_type type, const scankit_sort_options *options, uint64_t a, uint64_t b);
int oracle_compare_records(const scankit_key *keys, size_t key_count, const void *a, const void *b);

/* Sorts positions, stably. They come in as 0 to n - 1. */
typedef int oracle_comparison(const void *context, size_t a, size_t b);
void oracle_sort_positions(oracle_comparison *compare, const void *context, uint64_t *positions, size_t n);

void oracle_argsort(scankit_type type, const scankit_sort_options *options, const void *in, uint64_t *positions,
                    size_t n);
void oracle_argsort_records(const scankit_key *keys, size_t key_count, size_t record_size, const void *in,
                            uint64_t *positions, size_t n);
size_t oracle_first_descent(scankit_type type, const scankit_sort_options *options, const void *in, size_t n);

/* The origins of the elements of a stable merge: i for element i of a, na + i for element i of b. */
void oracle_merge(scankit_type type, const scankit_sort_options *options, const void *a, size_t na, const void *b,
                  size_t nb, uint64_t *positions);

/* ---- runs ---- */

/* Returns the number of runs. begins[] has room for n + 1: it gets the start of each run, then n. Without keys, all
 * bytes are compared. */
size_t oracle_runs(size_t element_size, const void *in, size_t n, const scankit_key *keys, size_t key_count,
                   uint64_t *begins);

/* ---- split ---- */

/* Positions in the order of the digit; offsets has 2^bits + 1 places. */
void oracle_split(scankit_type type, const void *in, size_t n, unsigned bit, unsigned bits, uint64_t *positions,
                  size_t *offsets);

/* out[i] = in[positions[i]] */
void oracle_gather(size_t size, const void *in, const uint64_t *positions, void *out, size_t n);

#endif
