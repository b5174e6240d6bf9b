/* isal.c - see isal.h. */
#include "isal.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli.h"

/* On x86, levels 1 and 2 of ISA-L 2.30 (.write_first_byte in igzip_icf_body_h1_gr_bt.asm) put position 2 under the hash
 * of a register that holds an address. So about one member of 10,000 has other matches in another run. Its content is
 * right.
 */
static const uint32_t level_bytes[] = {0, ISAL_DEF_LVL1_DEFAULT, ISAL_DEF_LVL2_DEFAULT, ISAL_DEF_LVL3_DEFAULT};

#define LEVELS ((int)(sizeof level_bytes / sizeof level_bytes[0]))

struct isal_deflater {
    struct isal_zstream stream;
    uint32_t level;
    unsigned char *memory; /* for the tables of the level */
};

/* ISA-L's level 0 is not offered: level 0 of gzip is stored data. */
struct isal_deflater *isal_deflater_create(int level)
{
    if (level < 1 || level >= LEVELS)
        return NULL;
    struct isal_deflater *deflater = get_memory(sizeof *deflater);
    deflater->level = (uint32_t)level;
    deflater->memory = get_memory(level_bytes[level]);
    return deflater;
}

/* isal_deflate_stateless_init() of ISA-L 2.30 leaves fields as they are, the size of the window among them. */
size_t isal_deflater_run(struct isal_deflater *deflater, const void *from, size_t bytes, void *to, size_t room)
{
    struct isal_zstream *stream = &deflater->stream;
    memset(stream, 0, offsetof(struct isal_zstream, internal_state.buffer));
    isal_deflate_stateless_init(stream);
    stream->level = deflater->level;
    stream->level_buf = deflater->memory;
    stream->level_buf_size = level_bytes[deflater->level];
    stream->end_of_stream = 1;
    stream->next_in = (unsigned char *)from; /* ISA-L does not write there */
    stream->avail_in = (uint32_t)bytes;
    stream->next_out = to;
    stream->avail_out = (uint32_t)room;
    return isal_deflate_stateless(stream) == COMP_OK ? room - stream->avail_out : 0;
}

void isal_deflater_destroy(struct isal_deflater *deflater)
{
    if (deflater == NULL)
        return;
    free(deflater->memory);
    free(deflater);
}

uint32_t gzip_crc(uint32_t crc, const void *memory, size_t bytes)
{
    return crc32_gzip_refl(crc, memory, bytes);
}
