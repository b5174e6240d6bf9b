/* registers.h - from nodes to a program: the steps that one node needs, in order, with registers. */
#ifndef SK_PREDICATE_REGISTERS_H
#define SK_PREDICATE_REGISTERS_H

#include "graph/node.h"
#include "predicate.h"

/* The program that computes the B8 node `result`; NULL after an error. Its id is 0. One free() releases it. */
scankit_predicate *sk_assemble(sk_graph *g, unsigned result, size_t element_size);

#endif
