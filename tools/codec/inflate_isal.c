/* inflate_isal.c - inflate.h by ISA-L. */
#include <isa-l/igzip_lib.h>
#include <stdlib.h>

#include "common/cli.h"
#include "inflate.h"
#include "little.h"

struct inflater {
    struct inflate_state state;
};

struct inflater *inflater_create(void)
{
    return get_memory(sizeof(struct inflater));
}

void inflater_destroy(struct inflater *inflater)
{
    free(inflater);
}

void inflater_start(struct inflater *inflater)
{
    isal_inflate_init(&inflater->state);
    inflater->state.crc_flag = ISAL_GZIP_NO_HDR_VER;
}

/* trailer: of a member whose check failed. */
static const char *reason(int result, uint32_t crc, const unsigned char *trailer)
{
    switch (result) {
    case ISAL_INCORRECT_CHECKSUM: return little_u32(trailer) != crc ? INFLATE_WRONG_CRC : INFLATE_WRONG_LENGTH;
    case ISAL_INVALID_BLOCK: return "invalid block";
    case ISAL_INVALID_SYMBOL: return "invalid code";
    case ISAL_INVALID_LOOKBACK: return "invalid distance";
    default: return "not readable";
    }
}

const char *inflater_run(struct inflater *inflater, struct inflate_span *span, bool *ended)
{
    struct inflate_state *state = &inflater->state;
    state->next_in = (unsigned char *)span->in; /* ISA-L does not write there */
    state->avail_in = (uint32_t)span->in_bytes;
    state->next_out = span->out;
    state->avail_out = (uint32_t)span->out_bytes;
    int result = isal_inflate(state);
    *span = (struct inflate_span){state->next_in, state->avail_in, state->next_out, state->avail_out};
    *ended = result == ISAL_DECOMP_OK && state->block_state == ISAL_BLOCK_FINISH;
    return result < 0 ? reason(result, state->crc, span->in - TRAILER_BYTES) : NULL;
}

const char *inflater_member(struct inflater *inflater, const unsigned char *in, size_t in_bytes, unsigned char *out,
                            size_t *bytes)
{
    struct inflate_state *state = &inflater->state;
    isal_inflate_init(state);
    state->crc_flag = ISAL_GZIP_NO_HDR;
    state->next_in = (unsigned char *)in;
    state->avail_in = (uint32_t)(in_bytes - TRAILER_BYTES);
    state->next_out = out;
    state->avail_out = (uint32_t)*bytes;
    int result = isal_inflate_stateless(state);
    const unsigned char *trailer = in + in_bytes - TRAILER_BYTES;
    *bytes = state->total_out;
    if (result < 0)
        return reason(result, state->crc, trailer);
    if (result == ISAL_OUT_OVERFLOW)
        return INFLATE_WRONG_LENGTH;
    if (result != ISAL_DECOMP_OK || state->avail_in != 0)
        return INFLATE_WRONG_END;
    if (little_u32(trailer) != state->crc)
        return INFLATE_WRONG_CRC;
    return little_u32(trailer + 4) == (uint32_t)*bytes ? NULL : INFLATE_WRONG_LENGTH;
}
