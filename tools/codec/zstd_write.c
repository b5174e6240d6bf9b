/* zstd_write.c - writing zstd. libzstd's own threads compress. */
#include <stdlib.h>
#include <zstd.h>

#include "little.h"
#include "zstd_codec.h"

#define SKIPPABLE_MAGIC 0x184d2a50
#define SKIPPABLE_BYTES 8 /* in front of a skippable frame's content: magic and length */

struct zstd_writer {
    ZSTD_CCtx *context;
    write_function *write;
    void *sink;
    bool in_frame, any; /* a frame has been begun but not ended; one has been written */
    unsigned char *out;
    size_t room;
};

static size_t checked(size_t result)
{
    if (ZSTD_isError(result))
        fail(NULL, "cannot compress: %s", ZSTD_getErrorName(result));
    return result;
}

static ZSTD_CCtx *create(int level)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (context == NULL)
        fail(NULL, "out of memory");
    checked(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level));
    checked(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1));
    return context;
}

/* With workers, even one, libzstd cuts the data into jobs whose size does not depend on their number. A libzstd without
 * threads, and a system that starts none, refuse workers. */
struct zstd_writer *zstd_writer_open(int level, unsigned threads, write_function *write, void *sink)
{
    struct zstd_writer *writer = get_memory(sizeof *writer);
    *writer = (struct zstd_writer){.context = create(level), .write = write, .sink = sink};
    ZSTD_bounds workers = ZSTD_cParam_getBounds(ZSTD_c_nbWorkers);
    int most = ZSTD_isError(workers.error) ? 0 : workers.upperBound;
    ZSTD_CCtx_setParameter(writer->context, ZSTD_c_nbWorkers, (int)threads < most ? (int)threads : most);
    writer->room = ZSTD_CStreamOutSize();
    writer->out = get_memory(writer->room);
    return writer;
}

/* Compresses until the input is used up and, to end the frame, all has been written. */
static void compress(struct zstd_writer *writer, const void *memory, size_t bytes, ZSTD_EndDirective directive)
{
    ZSTD_inBuffer in = {memory, bytes, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {writer->out, writer->room, 0};
        left = checked(ZSTD_compressStream2(writer->context, &out, &in, directive));
        if (out.pos > 0)
            writer->write(writer->sink, writer->out, out.pos);
    } while (directive == ZSTD_e_end ? left > 0 : in.pos < in.size);
}

void zstd_writer_write(struct zstd_writer *writer, const void *memory, size_t bytes)
{
    if (bytes == 0)
        return;
    writer->in_frame = writer->any = true;
    compress(writer, memory, bytes, ZSTD_e_continue);
}

void zstd_writer_flush(struct zstd_writer *writer)
{
    if (writer->in_frame)
        compress(writer, NULL, 0, ZSTD_e_end);
    writer->in_frame = false;
}

/* A frame, which may be shorter for other data, and a skippable frame that fills the rest of the room. */
void zstd_store(const void *memory, size_t bytes, write_function *write, void *sink)
{
    size_t most = ZSTD_compressBound(bytes), room = most + SKIPPABLE_BYTES;
    unsigned char *frames = calloc(1, room);
    if (frames == NULL)
        fail(NULL, "out of memory");
    ZSTD_CCtx *context = create(1);
    size_t used = checked(ZSTD_compress2(context, frames, most, memory, bytes));
    ZSTD_freeCCtx(context);
    little_put(frames + used, SKIPPABLE_MAGIC, 4);
    little_put(frames + used + 4, (uint32_t)(room - used - SKIPPABLE_BYTES), 4);
    write(sink, frames, room);
    free(frames);
}

void zstd_writer_close(struct zstd_writer *writer)
{
    if (!writer->any)
        writer->in_frame = true;
    zstd_writer_flush(writer);
    ZSTD_freeCCtx(writer->context);
    free(writer->out);
    free(writer);
}
