/* where.h - the predicate of --where, and what is wrong with its text. */
#ifndef WHERE_H
#define WHERE_H

#include "common/schema.h"

/* Compiles the text for elements of the schema; on an error shows the place in it, and fails. */
scankit_predicate *where_compile(const char *text, const struct schema *schema);

#endif
