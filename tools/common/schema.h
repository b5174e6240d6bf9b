/* schema.h - the layout of a stream's elements: fields, keys, and the .npy header's description. */
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

/* The schema of --type or --format; layout NULL without them. */
void schema_from_options(struct schema *schema, const struct common *common);

/* A layout of u64 numbers, for scankit_layout_destroy(). */
scankit_layout *schema_of_numbers(void);

/* Appends a u64 number to the fields. */
void schema_add_number(struct schema *schema, const char *name);

/* True if elements are single numbers, or opaque bytes, and no records. */
bool schema_is_scalar(const struct schema *schema);

/* True if the only key is a number, and is the whole element. */
bool schema_is_number(const struct schema *schema);

/* Parses an option's text and appends its keys at keys[*count]; at most `room` in all. Fails naming the option. */
void schema_parse_keys(const struct schema *schema, const char *option, const char *text, bool big_endian,
                       scankit_key *keys, size_t room, size_t *count);

/* Sets the keys from the texts of -k, or if there are none to all named fields. reversed reverses each. */
void schema_set_keys(struct schema *schema, const char *const *texts, size_t count, bool big_endian, bool reversed);

/* True if both have the same fields. Their names are compared only with `names`. */
bool schema_equal(const struct schema *a, const struct schema *b, bool names);

/* "u32", "f64 big-endian", "records of 24 bytes in 3 fields"; get_memory()'d. */
char *schema_text(const struct schema *schema);

/* The same for programs: "u32" or "t:u64,v:>f32,id:bytes8"; > means big endian. Bytes of names that --format does not
 * take become %HH. get_memory()'d. */
char *schema_description(const struct schema *schema);

/* The size of the elements that such a text describes; 0 if it is no such text. */
uint64_t schema_described_size(const char *text, size_t bytes);

/* The layout of the elements that such a text describes, for scankit_layout_destroy(). */
scankit_layout *schema_described_layout(const char *text, size_t bytes);

void schema_copy(struct schema *to, const struct schema *from);
void schema_free(struct schema *schema);

#endif
