/* segments.h - where segments begin: where fields of records change, where keys in a file change, or where its flags
 * are set. */
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include "common/device.h"
#include "reader.h"

struct segments {
    scankit_key keys[KEYS_MAX]; /* compared with the element before; none if a file holds flags */
    size_t key_count, element;  /* element: bytes of an element that holds the keys */
    uint8_t *heads;             /* flags of a block, made from keys */
    char *last;                 /* the element before the block, if begun */
    bool begun;
    char *path;
    struct input *input; /* the file, or NULL */
    struct schema schema;
    struct reader *reader;
    char *stage; /* a block of a part's file */
    uint64_t done;
};

/* Opens what --segments names: fields of the records, or else a file. A .npy file of a type other than u8 holds keys.
 * elements: of the inputs, or SIZE_UNKNOWN. */
void segments_open(struct segments *segments, const char *text, const struct schema *schema,
                   const struct common *common, uint64_t elements);

/* Standard input cannot hold both flags and elements, and can be read only once. */
void segments_check_input(const char *text, char *const *paths, size_t count, bool in_place);

/* Bytes of memory per element of a block, and bytes to be read in all. */
size_t segments_each(const struct segments *segments);
uint64_t segments_size(const struct segments *segments);

/* Starts with the elements per block; then returns flags for the next n elements, not 0 where a segment begins. All
 * blocks but the last are full. */
void segments_start(struct segments *segments, size_t block);
const uint8_t *segments_next(struct segments *segments, const char *block, size_t n);

/* After the last element: fails if the file holds more. */
void segments_end(struct segments *segments);

/* ---- a part of the elements, from `first` on, instead of segments_start() and segments_next() ---- */

/* Starts with the most elements of a block. Passes over the file up to the part. */
void segments_start_part(struct segments *segments, size_t block, uint64_t first);

/* Flags for the next n elements, of a block in host memory. *key: what is compared, of the first of them; NULL if the
 * file holds flags. The first element of the part is compared with nothing. */
const uint8_t *segments_next_part(struct segments *segments, const char *block, size_t n, const char **key);

/* True if two such keys differ. */
bool segments_differ(const struct segments *segments, const char *a, const char *b);

/* Fails if the file holds more elements. */
void segments_end_part(struct segments *segments);
void segments_close(struct segments *segments);

#endif
