/* names.h - lists of names in options: NAME,NAME,... */
#ifndef BENCH_NAMES_H
#define BENCH_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* True if the list has the name, or is NULL. */
bool is_listed(const char *list, const char *name);

/* Exits with the message `what` unless every name of the list is known. A name ends at its length, not at a NUL. */
void check_names(const char *list, bool (*is_known)(const char *name, size_t length), const char *what);

/* True if the name is a type's. */
bool is_type_name(const char *name, size_t length);

#endif
