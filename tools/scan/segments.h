/* segments.h - where segments begin: where fields of a record change, or keys of a file, or where its flags say. */
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include "io/stream.h"

struct segments {
    scankit_key keys[KEYS_MAX]; /* what is looked at for changes; none where a file holds the flags themselves */
    size_t key_count, element;  /* bytes of what the keys lie in, of an input's or the file's */
    uint8_t *heads;             /* of a block, where they are made here */
    char *last;                 /* the element before the block, once there was one */
    bool begun;
    char *path;
    struct input *input; /* the file, or NULL */
    struct schema schema;
    struct reader *reader;
    uint64_t done;
};

/* What --segments' text names: fields of the schema's records, or else a file, of keys where it is a .npy file of
 * another type than u8. elements: how many there will be, or SIZE_UNKNOWN. */
void segments_open(struct segments *segments, const char *text, const struct schema *schema,
                   const struct common *common, uint64_t elements);

/* Bytes of memory for each element of a block, and bytes that will be read. */
size_t segments_each(const struct segments *segments);
uint64_t segments_size(const struct segments *segments);

/* Flags for the n elements of the next block: not 0 where a segment begins. All blocks but the last have the same n,
 * that of the start. */
void segments_start(struct segments *segments, size_t block);
const uint8_t *segments_next(struct segments *segments, const char *block, size_t n);

/* No elements are left: fails where something of the file is. */
void segments_end(struct segments *segments);
void segments_close(struct segments *segments);

#endif
