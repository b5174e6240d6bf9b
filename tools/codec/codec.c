/* codec.c - see codec.h. */
#include "codec.h"

#include "gzip.h"
#include "little.h"

#define ZSTD_MAGIC 0xfd2fb528
#define SKIPPABLE_MAGIC 0x184d2a50 /* the lowest four bits are free */

/* RFC 8878, sections 3.1.1 and 3.1.2. */
static bool zstd_magic(const unsigned char *head, size_t bytes)
{
    return bytes >= 4 && (little_u32(head) == ZSTD_MAGIC || (little_u32(head) & ~15U) == SKIPPABLE_MAGIC);
}

enum codec codec_of_head(const unsigned char *head, size_t bytes)
{
    if (gzip_magic(head, bytes))
        return CODEC_GZIP;
    return zstd_magic(head, bytes) ? CODEC_ZSTD : CODEC_NONE;
}

enum codec codec_wanted(const struct common *common, enum codec otherwise)
{
    if (common->gzip)
        return CODEC_GZIP;
    return common->zstd ? CODEC_ZSTD : otherwise;
}
