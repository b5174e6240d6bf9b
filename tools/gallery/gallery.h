/* gallery.h - the library's textbook algorithms for --algorithm and --list-algorithms: the row that a name means, and
 * the table. */
#ifndef GALLERY_H
#define GALLERY_H

#include "common/options.h"

/* A set of kinds: bits. */
#define GALLERY_KIND(kind) (1U << SCANKIT_##kind)
#define GALLERY_SCANS (GALLERY_KIND(BLOCK_SCAN) | GALLERY_KIND(GRID_SCAN))

/* The columns of the table, in this order. */
enum gallery_column {
    GALLERY_NAME,
    GALLERY_KIND_NAME,
    GALLERY_DEVICE,
    GALLERY_STABLE,
    GALLERY_WORK,
    GALLERY_STEPS,
    GALLERY_PASSES,
    GALLERY_LIMITS,
    GALLERY_SOURCE,
    GALLERY_COLUMNS
};

/* Prints the rows of these kinds, after one more unless it is NULL. A column is left out. */
void gallery_list(unsigned kinds, enum gallery_column left_out, const scankit_gallery_row *first);

/* The row of these kinds that --algorithm=name means on the device of the options. --device=auto becomes the row's
 * device: of two rows with that name, a GPU's if there is a GPU. Fails if there is no such row; `wanted` names the
 * kinds in the message. */
const scankit_gallery_row *gallery_choose(const char *name, unsigned kinds, const char *wanted, struct common *common);

#endif
