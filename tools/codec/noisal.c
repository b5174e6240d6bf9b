/* noisal.c - isal.h in a build without ISA-L. */
#include <zlib.h>

#include "isal.h"

struct isal_deflater *isal_deflater_create(int level)
{
    (void)level;
    return NULL;
}

size_t isal_deflater_run(struct isal_deflater *deflater, const void *from, size_t bytes, void *to, size_t room)
{
    (void)deflater, (void)from, (void)bytes, (void)to, (void)room;
    return 0;
}

void isal_deflater_destroy(struct isal_deflater *deflater)
{
    (void)deflater;
}

uint32_t gzip_crc(uint32_t crc, const void *memory, size_t bytes)
{
    return (uint32_t)crc32_z(crc, memory, bytes);
}
