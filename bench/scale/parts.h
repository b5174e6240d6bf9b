/* parts.h - arrays over the members of a group: the data, and a copy that restores them before each run. */
#ifndef BENCH_SCALE_PARTS_H
#define BENCH_SCALE_PARTS_H

#include "data/shapes.h"
#include "scankit_group.h"

#define SCALE_MEMBERS 16

typedef struct scale_parts {
    scankit_group *group;
    size_t members, size;
    size_t n[SCALE_MEMBERS];
    void *original[SCALE_MEMBERS], *in[SCALE_MEMBERS], *out[SCALE_MEMBERS];
    char *host, *host_out; /* pinned arrays of all elements, or NULL */
} scale_parts;

/* n elements of `size` bytes in host memory, of the type and shape, or, for SCANKIT_BYTES, of random bytes. free()
 * them. Ends the program if memory is short, as the next one does. */
void *scale_draw(scankit_type type, size_t size, shape_id shape, size_t n);

/* The n elements in even parts. */
void scale_open(scale_parts *parts, scankit_group *group, const void *elements, size_t size, size_t n);

/* in = the original data. */
void scale_restore(scale_parts *parts);

/* Pins the elements, which are in host memory, and an array for the result. */
void scale_pin(scale_parts *parts, void *elements);

/* All members at a time: in = the pinned elements; and the pinned result = out. */
void scale_load(const scale_parts *parts);
void scale_store(const scale_parts *parts);

void scale_close(scale_parts *parts);

/* Ends the program with a message unless the call succeeded. */
void scale_must(scankit_group *group, scankit_error error, const char *what);

#endif
