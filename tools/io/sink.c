/* sink.c - see sink.h. */
#include "sink.h"

#include <stdlib.h>

#include "common/memory.h"
#include "npy.h"

void sink_open(struct sink *sink, const char *path, enum codec codec, const struct common *common)
{
    *sink = (struct sink){.header = NULL};
    output_open(&sink->output, path, codec, common);
}

void sink_open_in_place(struct sink *sink, const struct input *input, const struct common *common)
{
    sink_open(sink, input->name, codec_wanted(common, input->codec), common);
    output_write(&sink->output, input->prefix, input->skip);
}

void sink_npy_counted(struct sink *sink, const char *descr, int version, uint64_t count)
{
    size_t bytes;
    char *header = npy_make_header(descr, version, count, &bytes);
    output_write(&sink->output, header, bytes);
    free(header);
}

void sink_npy(struct sink *sink, const char *descr, int version, uint64_t most)
{
    sink->header = npy_make_header(descr, version, most, &sink->header_bytes);
    sink->holds = !output_is_seekable(&sink->output);
    if (!sink->holds)
        output_write_head(&sink->output, sink->header, sink->header_bytes);
}

unsigned sinks_holding(struct sink *const sinks[2])
{
    return (unsigned)(sinks[0] != NULL && sinks[0]->holds) + (unsigned)(sinks[1] != NULL && sinks[1]->holds);
}

void sinks_start(struct sink *const sinks[2], const size_t block_bytes[2], const struct common *common, uint64_t used)
{
    unsigned holding = sinks_holding(sinks);
    uint64_t limit = holding > 0 ? host_limit(common) : 0;
    for (int i = 0; i < 2; i++) {
        struct sink *sink = sinks[i];
        if (sink != NULL && sink->holds) {
            sink->hold = hold_open(limit > used ? (limit - used) / holding : 0, HOLD_FOR_NPY);
            sink->writer = writer_start(hold_add, sink->hold, block_bytes[i]);
        } else if (sink != NULL) {
            sink->writer = writer_start_output(&sink->output, block_bytes[i], NULL, common);
        }
    }
}

void sinks_pin(struct sink *const sinks[2], scankit_context *context)
{
    for (int i = 0; i < 2; i++)
        if (sinks[i] != NULL && sinks[i]->writer != NULL)
            writer_pin(sinks[i]->writer, context);
}

char *sink_room(struct sink *sink)
{
    return sink == NULL ? NULL : writer_claim(sink->writer);
}

void sink_add(struct sink *sink, size_t bytes)
{
    if (sink != NULL)
        writer_publish(sink->writer, bytes);
}

static void complete(struct sink *sink, uint64_t count)
{
    if (sink == NULL)
        return;
    writer_finish(sink->writer);
    if (sink->header != NULL)
        npy_set_count(sink->output.name, sink->header, sink->header_bytes, count);
    if (sink->holds) {
        output_write(&sink->output, sink->header, sink->header_bytes);
        hold_pass(sink->hold, output_write, &sink->output);
    } else if (sink->header != NULL) {
        output_rewrite_head(&sink->output, sink->header, sink->header_bytes);
    }
    free(sink->header);
    hold_close(sink->hold);
    output_complete(&sink->output);
}

uint64_t sinks_finish(struct sink *const sinks[2], const uint64_t elements[2])
{
    struct output *outputs[2];
    size_t count = 0;
    for (int i = 0; i < 2; i++)
        complete(sinks[i], elements[i]);
    for (int i = 0; i < 2; i++)
        if (sinks[i] != NULL)
            outputs[count++] = &sinks[i]->output;
    return outputs_replace(outputs, count);
}
