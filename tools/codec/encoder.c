/* encoder.c - see encoder.h. */
#include "encoder.h"

#include <stdlib.h>

#include "bgzf.h"
#include "common/device.h"
#include "zstd_codec.h"

/* One of the two is not NULL. */
struct encoder {
    struct bgzf *bgzf;
    struct zstd_writer *zstd;
    uint64_t taken; /* of the host's memory */
};

/* Memory of a thread that deflates, about: of its batches and tables. libzstd's is not counted. */
#define THREAD_BYTES ((uint64_t)2 << 20)

struct encoder *encoder_open(enum codec codec, const struct common *common, write_function *write, void *sink)
{
    struct encoder *encoder = get_memory(sizeof *encoder);
    size_t processors = device_processors(common);
    unsigned threads = processors < CODEC_THREADS_MOST ? (unsigned)processors : CODEC_THREADS_MOST;
    *encoder = (struct encoder){.bgzf = NULL};
    if (codec != CODEC_ZSTD) {
        threads = host_threads(common, threads, THREAD_BYTES);
        encoder->taken = (threads + 1) * THREAD_BYTES;
        host_take(encoder->taken);
    }
    if (codec == CODEC_ZSTD)
        encoder->zstd = zstd_writer_open(common->zstd_level, threads, write, sink);
    else
        encoder->bgzf = bgzf_open(common->gzip_level, threads, write, sink);
    return encoder;
}

void encoder_write(struct encoder *encoder, const void *memory, size_t bytes)
{
    if (encoder->zstd != NULL)
        zstd_writer_write(encoder->zstd, memory, bytes);
    else
        bgzf_write(encoder->bgzf, memory, bytes);
}

void encoder_flush(struct encoder *encoder)
{
    if (encoder->zstd != NULL)
        zstd_writer_flush(encoder->zstd);
    else
        bgzf_flush(encoder->bgzf);
}

void encoder_store(enum codec codec, const void *memory, size_t bytes, write_function *write, void *sink)
{
    if (codec == CODEC_ZSTD)
        zstd_store(memory, bytes, write, sink);
    else
        bgzf_store(memory, bytes, write, sink);
}

void encoder_close(struct encoder *encoder)
{
    if (encoder->zstd != NULL)
        zstd_writer_close(encoder->zstd);
    else
        bgzf_close(encoder->bgzf);
    host_give_back(encoder->taken);
    free(encoder);
}
