/* inflate.h - inflating members of gzip files behind their headers: inflate_isal.c, or inflate_zlib.c in a build
 * without ISA-L. Both check the trailer, which holds the CRC and the length of the content. */
#ifndef INFLATE_H
#define INFLATE_H

#include <stdbool.h>
#include <stddef.h>

#define TRAILER_BYTES 8
#define INFLATE_WRONG_CRC "incorrect data check"
#define INFLATE_WRONG_LENGTH "incorrect length check"
#define INFLATE_WRONG_END "the deflate stream does not end where its header says"

struct inflater;

/* What is left of the input and of the room for output. */
struct inflate_span {
    const unsigned char *in;
    size_t in_bytes;
    unsigned char *out;
    size_t out_bytes;
};

struct inflater *inflater_create(void);
void inflater_destroy(struct inflater *inflater);

/* Begins a member. */
void inflater_start(struct inflater *inflater);

/* Goes on with the member until the input or the room is used up, or *ended. Returns NULL, or what is wrong. The last
 * TRAILER_BYTES of the input are still readable in front of span->in when the trailer is checked. */
const char *inflater_run(struct inflater *inflater, struct inflate_span *span, bool *ended);

/* Inflates a whole member of in_bytes bytes, trailer included. *bytes: room, and then what the member holds. */
const char *inflater_member(struct inflater *inflater, const unsigned char *in, size_t in_bytes, unsigned char *out,
                            size_t *bytes);

#endif
