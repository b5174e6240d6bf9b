/* where.h - compiling --where. */
#ifndef WHERE_H
#define WHERE_H

#include "common/schema.h"

/* Compiles the text for elements of the schema. Fails on an error, and shows its place. */
scankit_predicate *where_compile(const char *text, const struct schema *schema);

#endif
