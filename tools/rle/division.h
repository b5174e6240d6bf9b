/* division.h - the parts of containers, headers and blocks, and which of them each rank decodes. */
#ifndef DIVISION_H
#define DIVISION_H

#include <stddef.h>
#include <stdint.h>

#include "rank_rle.h"

struct container_part {
    uint64_t offset; /* in the input */
    uint64_t stored; /* bytes there, about */
    uint64_t bytes;  /* that it decodes to */
    uint64_t elements;
    uint32_t input, header; /* header: 1; a block: 0 */
    uint64_t element;       /* bytes of one */
};

struct division {
    struct container_part *parts;
    size_t count, room;
    size_t begin, end; /* of this rank */
    bool npy;          /* the output is a .npy file */
};

/* Finds the parts of all inputs, by their heads. Fails if containers are damaged there, or cannot follow each other. */
void division_find(struct division *division, char *const *paths, size_t count, const struct common *common);

/* Shares the first rank's parts with all, and divides them. Collective. */
void division_share(struct division *division);
void division_free(struct division *division);

#endif
