/* rank_segments.h - where segments begin and end in the elements of a rank. A segment may go on from rank to rank. */
#ifndef RANK_SEGMENTS_H
#define RANK_SEGMENTS_H

#include "mpi/rank_files.h"
#include "io/segments.h"

struct rank_segments {
    struct segments segments;
    uint8_t *heads, *tails; /* memory of the device: not 0 where a segment begins, or ends; NULL: not found */
};

/* Opens what --segments names; with --shards each rank a file of its own. */
void rank_segments_open(struct rank_segments *found, const char *text, const struct rank_files *files);

/* Finds the segments in this rank's elements, in memory of the device. tails: these too. Collective. */
void rank_segments_find(struct rank_segments *found, const struct rank_files *files, const char *elements, bool tails);
void rank_segments_close(struct rank_segments *found, const struct rank_files *files);

#endif
