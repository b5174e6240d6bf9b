/* sieve.h - which elements match, and what they are, moved together, a block at a time. */
#ifndef SK_SIEVE_H
#define SK_SIEVE_H

#include "cpu.h"

typedef struct sk_sieve {
    const sk_selection *what;
    const sk_kernels *kernels;
    size_t block; /* elements that are evaluated together at most */
    sk_evaluator evaluator;
    sk_pick_function *pick; /* or NULL */
    sk_range_test test;     /* where `pick` is the last step */
} sk_sieve;

/* Where outputs go, each with SK_COMPRESS_SLACK bytes behind it; NULL where not wanted. */
typedef struct sk_sieved {
    char *matching, *others, *positions;
} sk_sieved;

/* Memory that a sieve for up to n elements needs. */
size_t sk_sieve_bytes(const sk_selection *what, size_t n);
void sk_sieve_open(sk_sieve *sieve, const sk_kernels *kernels, const sk_selection *what, size_t n, void *memory);

/* Moves what matches of n elements from in[begin] on; returns how many do. */
size_t sk_sieve_elements(sk_sieve *sieve, size_t begin, size_t n, sk_sieved to);

#endif
