/* session.c - see session.h. */
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"

void session_start(struct session *session, char *const *paths, size_t count)
{
    const struct image_request *request = session->request;
    const char *out = request->common.output;
    if (count == 0 || count > 2)
        fail_usage(count == 0 ? "no picture is named" : "too many operands: IN and OUT are taken");
    if (count == 2 && out != NULL)
        fail_usage("the output is named twice, by --output and by OUT");
    session->in = paths[0];
    session->out = count == 2 ? paths[1] : out;
    bool file = session->out != NULL && strcmp(session->out, "-") != 0;
    session->format = request->to != NULL ? format_by_name(request->to)
                      : file              ? format_by_suffix(session->out)
                                          : session->default_format;
    if (file && session->format == NULL)
        fail_usage("%s: its suffix names no format; say which with --to", session->out);
}

void session_open_output(struct session *session)
{
    const struct common *common = &session->request->common;
    output_open(&session->output, session->out, codec_wanted(common, CODEC_NONE), common);
}

static void check_memory(const struct common *common, const struct picture *picture, const char *name)
{
    if (common->buffer_size > 0 && picture_bytes(picture) > host_limit(common))
        fail(name, "the picture takes %s, more than --buffer-size", bytes_text(picture_bytes(picture)));
}

const struct format *session_read_file(struct session *session, const char *path, struct picture *picture)
{
    char *paths[1] = {copy_text(path)};
    struct input *input = inputs_open_bytes(paths, 1, &session->request->common);
    stats_phase(&session->job->stats, PHASE_read, inputs_size(input, 1));
    const struct format *format = format_read(input, picture);
    check_memory(&session->request->common, picture, input->name);
    session->job->stats.bytes_in += input->taken;
    inputs_close(input, 1);
    stats_end(&session->job->stats);
    free(paths[0]);
    return format;
}

static void begin_device(struct session *session, uint64_t bytes)
{
    device_begin(&session->job->device, &session->request->common, bytes, WORK_image);
}

/* If the device is given, it starts while the picture is read. */
void session_read(struct session *session, struct picture *picture)
{
    struct job *job = session->job;
    if (device_wanted(&session->request->common) != DEVICE_AUTO)
        begin_device(session, 0);
    const struct format *format = session_read_file(session, session->in, picture);
    if (!elements_are_pixels(picture->type))
        fail(session->in, "holds %s; u8, u16, f16 or f32 are needed", scankit_type_name(picture->type));
    if (session->format == NULL)
        session->format = format;
    begin_device(session, picture_bytes(picture));
    session->context = device_end(&job->device);
    job->stats.elements = picture_elements(picture);
    snprintf(job->stats.before, sizeof job->stats.before, "%zu x %zu pixels, ", picture->width, picture->height);
}

void session_read_map(struct session *session, const char *path, const struct picture *like, struct picture *map)
{
    struct picture read;
    session_read_file(session, path, &read);
    if (read.channels != 1 || !elements_are_pixels(read.type))
        fail(path, "holds %s; one channel of u8, u16, f16 or f32 is needed", picture_text(&read));
    if (read.width != like->width || read.height != like->height)
        fail(path, "is %zu x %zu, but the picture is %zu x %zu", read.width, read.height, like->width, like->height);
    *map = picture_new(SCANKIT_F32, 1, read.width, read.height);
    double scale = 1;
    if (read.maxval > 0)
        scale = read.maxval / elements_full(read.type);
    for (size_t i = 0, n = picture_elements(map); i < n; i++) {
        double value = element_load(&read, i);
        element_store(map, i, read.maxval > 0 ? (double)(long)(value * scale + 0.5) : value);
    }
    picture_free(&read);
}

void session_worked(struct session *session)
{
    stats_device(&session->job->stats, &session->job->device);
    stats_end(&session->job->stats);
}

void session_write(struct session *session, const struct picture *picture)
{
    struct stats *stats = &session->job->stats;
    format_check(session->format, picture, session->output.name);
    stats_phase(stats, PHASE_write, picture_bytes(picture));
    session->format->write(picture, &session->output);
    stats->bytes_out += output_finish(&session->output);
    stats_end(stats);
}
