/* packed.c - see packed.h. */
#include "packed.h"

#include <stdlib.h>

#include "codec/decoder.h"

struct packed {
    struct messages *messages;
    struct decoder *decoder;
    uint64_t left; /* bytes of the frame that were not read */
};

static size_t read_frame(void *state, void *memory, size_t bytes)
{
    struct packed *packed = state;
    if (bytes > packed->left)
        bytes = (size_t)packed->left;
    if (bytes > 0)
        messages_read(packed->messages, memory, bytes);
    packed->left -= bytes;
    return bytes;
}

struct packed *packed_open(struct messages *messages, uint64_t bytes)
{
    unsigned char head[CODEC_HEAD_BYTES];
    struct packed *packed = get_memory(sizeof *packed);
    *packed = (struct packed){.messages = messages, .left = bytes};
    size_t got = read_frame(packed, head, sizeof head);
    if (codec_of_head(head, got) != CODEC_ZSTD)
        fail(messages->source.name, "damaged Arrow data: a compressed buffer is no zstd frame");
    packed->decoder = decoder_open(CODEC_ZSTD, messages->source.name, read_frame, NULL, packed, head, got, 1);
    return packed;
}

size_t packed_read(struct packed *packed, void *memory, size_t bytes)
{
    return decoder_read(packed->decoder, memory, bytes);
}

uint64_t packed_close(struct packed *packed)
{
    uint64_t left = packed->left;
    decoder_close(packed->decoder);
    free(packed);
    return left;
}
