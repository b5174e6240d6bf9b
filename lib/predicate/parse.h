/* parse.h - the grammar: from the tokens of a whole text to its value. */
#ifndef SK_PREDICATE_PARSE_H
#define SK_PREDICATE_PARSE_H

#include "names.h"
#include "tokens.h"
#include "value.h"

/* `reader` is before the first token. */
sk_value sk_parse(sk_reader *reader, sk_graph *graph, const sk_scope *scope);

#endif
