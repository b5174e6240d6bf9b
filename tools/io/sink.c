/* sink.c - see sink.h. */
#include "sink.h"

#include <stdlib.h>
#include <string.h>

#include "common/device.h"
#include "npy.h"

#define FIRST_BYTES ((size_t)1 << 20) /* of held elements, at first */

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

static void hold(void *state, const void *memory, size_t bytes)
{
    struct sink *sink = state;
    if (bytes > sink->held_most - sink->held_bytes)
        fail(sink->output.name,
             "is not a file in which a .npy header can be completed, and the elements do not fit into the memory, %s, "
             "that may hold them until their count is known: use --output=FILE or --raw",
             bytes_text(sink->held_most));
    if (bytes > sink->held_room - sink->held_bytes) {
        size_t room = 2 * sink->held_room + bytes + FIRST_BYTES;
        char *grown = realloc(sink->held, room);
        if (grown == NULL)
            fail(NULL, "out of memory: cannot allocate %s; --raw needs less", bytes_text(room));
        sink->held = grown;
        sink->held_room = room;
    }
    memcpy(sink->held + sink->held_bytes, memory, bytes);
    sink->held_bytes += bytes;
}

unsigned sinks_holding(struct sink *const sinks[2])
{
    return (unsigned)(sinks[0] != NULL && sinks[0]->holds) + (unsigned)(sinks[1] != NULL && sinks[1]->holds);
}

static void sink_start(struct sink *sink, size_t block_bytes, uint64_t held_most)
{
    if (sink == NULL)
        return;
    sink->held_most = held_most;
    sink->writer =
        sink->holds ? writer_start(hold, sink, block_bytes) : writer_start(output_write, &sink->output, block_bytes);
}

void sinks_start(struct sink *const sinks[2], const size_t block_bytes[2], const struct common *common, uint64_t used)
{
    unsigned holding = sinks_holding(sinks);
    uint64_t held = holding > 0 ? host_limit(common) : 0;
    held = held > used ? (held - used) / holding : 0;
    for (int i = 0; i < 2; i++)
        sink_start(sinks[i], block_bytes[i], held);
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
        output_write(&sink->output, sink->held, sink->held_bytes);
    } else if (sink->header != NULL) {
        output_rewrite_head(&sink->output, sink->header, sink->header_bytes);
    }
    free(sink->header);
    free(sink->held);
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
