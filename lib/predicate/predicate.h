/* predicate.h - a compiled predicate, for the rest of the library: a program.
 *
 * lib/predicate/ compiles it from text. Each layer includes and calls only the layers above it in this list:
 *
 *     graph/                         the first error; the graph of steps: folded and simplified as it grows
 *     tokens     text to tokens      the words of the text
 *     value, convert                 values: a node, its kind and the range of its numbers
 *     integer, bytes                 arithmetic of integers; comparisons of opaque bytes
 *     number, compare                operators on any numbers; comparisons of any values
 *     set, names                     the sets of `in`; fields and functions
 *     parse      tokens to nodes     the grammar; each operator becomes steps as soon as its operands are read
 *     join/                          tests of one number become one step, for the backends that have it
 *     registers  nodes to a program  the needed steps, in registers
 *     predicate                      the public functions */
#ifndef SK_PREDICATE_H
#define SK_PREDICATE_H

#include "program.h"

struct scankit_predicate {
    sk_program program;
    struct scankit_predicate *joined; /* has the program of program.joined; or NULL */
};

#endif
