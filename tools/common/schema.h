/* schema.h - what the elements of a stream are: fields, the keys that order them, and the .npy text that says so. */
#ifndef SCHEMA_H
#define SCHEMA_H

#include "options.h"
#include "scankit.h"

#define KEYS_MAX 64

/* The name of the only field of a scalar. */
#define SCALAR_NAME "x"

struct schema {
    scankit_layout *layout; /* NULL: not known */
    size_t size;            /* bytes of an element */
    char *descr;            /* the descr text of a .npy header, or NULL */
    int npy_version;
    scankit_key keys[KEYS_MAX];
    size_t key_count;
};

/* The schema that --type or --format gives; none (layout NULL) without them. */
void schema_from_options(struct schema *schema, const struct common *common);

/* True where elements are single numbers, or opaque bytes, without a field's name. */
bool schema_is_scalar(const struct schema *schema);

/* Appends the keys of an option's text to keys[*count], at most `room` in all; fails naming the option. */
void schema_parse_keys(const struct schema *schema, const char *option, const char *text, bool big_endian,
                       scankit_key *keys, size_t room, size_t *count);

/* Sets the keys: from the texts of -k, or without any all named fields in order; reversed turns each around. */
void schema_set_keys(struct schema *schema, const char *const *texts, size_t count, bool big_endian, bool reversed);

/* True where elements of both are made alike; field names count only with `names`. */
bool schema_equal(const struct schema *a, const struct schema *b, bool names);

/* "u32", "f64 big-endian", "records of 24 bytes in 3 fields"; get_memory()'d. */
char *schema_text(const struct schema *schema);

/* The same for a program to read: "u32", or "t:u64,v:>f32,id:bytes8", where > means big endian. Bytes of names that
 * --format does not take are written as %HH. get_memory()'d. */
char *schema_description(const struct schema *schema);

/* The size of an element that such a text describes; 0 where it is none. */
uint64_t schema_described_size(const char *text, size_t bytes);

void schema_copy(struct schema *to, const struct schema *from);
void schema_free(struct schema *schema);

#endif
