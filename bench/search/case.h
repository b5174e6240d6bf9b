/* case.h - a case of the search: the words of a grammar of data, a size and a seed.
 *
 *     case    TYPE:N:SEED:FORM:part            data of one kind
 *             TYPE:N:SEED:FORM:part:MIX.LEVEL:part   a mixture of two
 *     part    ORDER.LEVEL:DISTRIBUTION.LEVEL:BITS.LEVEL
 *
 * Element i has a rank in [0, 1), which the order gives. The distribution's quantile function makes it a number, and
 * the bits of that number are transformed. A level is the word's parameter, mostly a power of two. Each element is a
 * function of its position, so threads make parts of the data by themselves. */
#ifndef BENCH_CASE_H
#define BENCH_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scankit.h"

/* X(name, most, meaning): levels are 0 to most. L is the level. */
#define SEARCH_ORDERS(X)                                                 \
    X(random, 0, "ranks are independent and uniform")                    \
    X(rising, 0, "ascending")                                            \
    X(falling, 0, "descending")                                          \
    X(parts, 20, "2^L ascending parts, one behind the other")            \
    X(turns, 12, "2^L ascending sequences, which take turns")            \
    X(jitter, 24, "ascending, but off by up to 2^L places")              \
    X(blocks, 16, "ascending blocks of 2^L elements, in random order")   \
    X(runs, 16, "runs of 2^L equal ranks")                               \
    X(strays, 12, "ascending, but one element of 2^L has a random rank") \
    X(even, 6, "a low-discrepancy sequence: multiples of an irrational") \
    X(pipe, 0, "ascending, then descending")

#define SEARCH_DISTRIBUTIONS(X)                                                        \
    X(uniform, 0, "every number as likely as any other")                               \
    X(power, 6, "the power 2^L of a uniform number: dense near 0")                     \
    X(root, 6, "the root 2^L of a uniform number: dense near the top")                 \
    X(logarithmic, 5, "as likely between any two powers of two, over 2^(L+1) of them") \
    X(normal, 6, "a bell of the width 2^-L")                                           \
    X(set, 24, "2^L distinct numbers, equally likely")                                 \
    X(popular, 24, "2^L distinct numbers, the k-th with frequency 1/k")                \
    X(clusters, 12, "2^L narrow clusters")                                             \
    X(cantor, 5, "clusters of clusters, 2^L deep")                                     \
    X(spike, 10, "one number, but one element of 2^L is uniform")

#define SEARCH_BITS(X)                                                \
    X(plain, 0, "as they are")                                        \
    X(low, 63, "shifted down, so that L bits of the word are left")   \
    X(offset, 63, "the same, added to a random base")                 \
    X(high, 63, "the L lowest bits of the word are zero")             \
    X(rotated, 63, "rotated by L bits")                               \
    X(mirrored, 0, "first bit last")                                  \
    X(scrambled, 0, "multiplied by an odd number")                    \
    X(spread, 0, "every other bit is zero, as in half a Morton code") \
    X(under, 40, "below L random bits")                               \
    X(gray, 0, "in Gray code")

/* How two parts share the elements. */
#define SEARCH_MIXES(X)                                               \
    X(one, 0, "one part alone")                                       \
    X(among, 12, "the second part has one element of 2^L, at random") \
    X(behind, 12, "the second part has the last of 2^L pieces")       \
    X(between, 16, "blocks of 2^L elements, of either part by turns")

/* How a word becomes a float. Integers take it as it is. */
#define SEARCH_FORMS(X)                      \
    X(unit, 0, "a number in [0, 1)")         \
    X(centred, 0, "a number in [-0.5, 0.5)") \
    X(whole, 0, "a whole number")            \
    X(word, 0, "the bits of the float")

#define SEARCH_WORD(name, most, meaning) SEARCH_##name,
enum { SEARCH_ORDERS(SEARCH_WORD) SEARCH_ORDER_COUNT };
enum { SEARCH_DISTRIBUTIONS(SEARCH_WORD) SEARCH_DISTRIBUTION_COUNT };
enum { SEARCH_BITS(SEARCH_WORD) SEARCH_BITS_COUNT };
enum { SEARCH_MIXES(SEARCH_WORD) SEARCH_MIX_COUNT };
enum { SEARCH_FORMS(SEARCH_WORD) SEARCH_FORM_COUNT };

/* A word of the grammar, with its level. */
typedef struct search_gene {
    unsigned word, level;
} search_gene;

typedef struct search_part {
    search_gene order, distribution, bits;
} search_part;

typedef struct search_case {
    scankit_type type;
    size_t n;
    uint64_t seed;
    search_gene form, mix;
    search_part part[2];
} search_case;

/* What the search may draw. */
typedef struct search_space {
    const scankit_type *types;
    unsigned type_count;
    double min_log2, max_log2; /* of n */
} search_space;

#define SEARCH_TEXT 256

/* Draws any case. *random: the state of the draws. */
search_case search_draw(const search_space *space, uint64_t *random);

/* Draws a case that differs in one or two words, or in its size, and in its seed. */
search_case search_mutate(const search_space *space, const search_case *from, uint64_t *random);

/* Writes a case as text, and reads it again. Parsing returns false for text that is no case. */
void search_print(const search_case *from, char text[SEARCH_TEXT]);
bool search_parse(const char *text, search_case *to);

/* Prints the grammar. */
void search_print_grammar(void);

/* Writes the elements of the case, by all threads. */
void search_fill(const search_case *from, void *out);

#endif
