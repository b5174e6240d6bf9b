/* levels.h - the pyramid over a picture. */
#ifndef LEVELS_H
#define LEVELS_H

#include "session.h"

#define LEVELS_MOST 64

/* levels[0] is the picture, and the others are computed; all have its type. */
struct levels {
    struct picture level[LEVELS_MOST];
    unsigned count;
};

/* Computes the levels up to `last`. Takes the picture over. */
void levels_compute(struct levels *levels, struct session *session, struct picture *picture, unsigned last);

void levels_free(struct levels *levels);

#endif
