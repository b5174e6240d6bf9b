/* isal.c - see isal.h. */
#include "isal.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli.h"

/* ISA-L's level for each level of gzip, and the bytes of its tables. Level 1 of ISA-L 2.30 is not used: on x86 the same
 * data give other matches, about once in 10,000 members, depending on the addresses of memory. Level 2 is as fast. */
static const struct {
    uint32_t level, bytes;
} levels[] = {{0, 0}, {2, ISAL_DEF_LVL2_DEFAULT}, {2, ISAL_DEF_LVL2_DEFAULT}, {3, ISAL_DEF_LVL3_DEFAULT}};

#define LEVELS ((int)(sizeof levels / sizeof levels[0]))

struct isal_deflater {
    struct isal_zstream stream;
    uint32_t level, bytes;
    unsigned char *memory; /* the tables of the level */
};

/* ISA-L's level 0 is not offered: level 0 of gzip is stored data. */
struct isal_deflater *isal_deflater_create(int level)
{
    if (level < 1 || level >= LEVELS)
        return NULL;
    struct isal_deflater *deflater = calloc(1, sizeof *deflater);
    unsigned char *memory = calloc(1, levels[level].bytes);
    if (deflater == NULL || memory == NULL)
        fail(NULL, "out of memory");
    deflater->level = levels[level].level;
    deflater->bytes = levels[level].bytes;
    deflater->memory = memory;
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
    stream->level_buf_size = deflater->bytes;
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
