/* isal.h - what ISA-L does faster than zlib: isal.c, or noisal.c in a build without it. */
#ifndef ISAL_H
#define ISAL_H

#include <stddef.h>
#include <stdint.h>

struct isal_deflater;

/* Returns NULL if ISA-L has no such level, or is not part of this build. Otherwise as in deflate.h. */
struct isal_deflater *isal_deflater_create(int level);
size_t isal_deflater_run(struct isal_deflater *deflater, const void *from, size_t bytes, void *to, size_t room);
void isal_deflater_destroy(struct isal_deflater *deflater);

/* The CRC of gzip, continued from `crc`, which is 0 at the start. */
uint32_t gzip_crc(uint32_t crc, const void *memory, size_t bytes);

#endif
