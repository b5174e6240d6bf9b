/* sat.c - gpuimg sat: summed-area tables. */
#include <stdio.h>
#include <string.h>

#include "elements.h"
#include "placed.h"
#include "session.h"
#include "table.h"

static bool is_integer(scankit_type type)
{
    return type == SCANKIT_U8 || type == SCANKIT_U16;
}

/* The narrowest type that holds the sum of all pixels at their largest. Sums of floats are f64. */
static scankit_type narrowest(const struct picture *picture)
{
    uint64_t pixels = (uint64_t)picture->width * picture->height, sum;
    if (!is_integer(picture->type))
        return SCANKIT_F64;
    if (__builtin_mul_overflow(pixels, (uint64_t)elements_full(picture->type), &sum))
        return SCANKIT_F64;
    return sum <= UINT32_MAX ? SCANKIT_U32 : SCANKIT_U64;
}

static scankit_type type_named(const char *name)
{
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_F64};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(scankit_type_name(types[i]), name) == 0)
            return types[i];
    fail_usage("--type=%s: sums are u32, u64, f32 or f64", name);
}

static scankit_type table_type(const struct image_request *request, const struct picture *picture)
{
    scankit_type type = request->type != NULL    ? type_named(request->type)
                        : request->means != NULL ? SCANKIT_F64
                                                 : narrowest(picture);
    bool whole = type == SCANKIT_U32 || type == SCANKIT_U64;
    if (whole && !is_integer(picture->type))
        fail_usage("--type=%s: the picture holds floats", scankit_type_name(type));
    if (type == SCANKIT_U32 && narrowest(picture) != SCANKIT_U32)
        fail_usage("--type=u32: %zu x %zu pixels of %s may have larger sums", picture->width, picture->height,
                   scankit_type_name(picture->type));
    return type;
}

static void check_options(const struct image_request *request)
{
    scankit_type type = request->type == NULL ? SCANKIT_F64 : type_named(request->type);
    if (request->means != NULL && (type == SCANKIT_U32 || type == SCANKIT_U64))
        fail_usage("--subtract-mean is for sums that are f32 or f64");
}

static struct picture compute(struct session *session, const struct picture *picture, double *mean)
{
    const struct image_request *request = session->request;
    scankit_context *context = session->context;
    struct picture table =
        picture_new(table_type(request, picture), picture->channels, picture->width, picture->height);
    const scankit_table_options options = {.method = request->method, .mean = mean};
    stats_phase(&session->job->stats, PHASE_scan, picture_bytes(picture));
    struct placed in = placed_from(context, picture), out = placed_room(context, &table);
    check_call(context, scankit_summed_area_table(context, &in.image, &out.image, &options));
    placed_fetch(&out, context, &table);
    placed_free(&in);
    session_worked(session);
    return table;
}

/* A mean a line, with digits that read back the same. */
static void write_means(struct output *output, const double *mean, unsigned channels)
{
    char line[64];
    for (unsigned c = 0; c < channels; c++)
        output_write(output, line, (size_t)snprintf(line, sizeof line, "%.17g\n", mean[c]));
}

/* Both files are replaced, or none. */
static void write_both(struct session *session, struct output *means, const struct picture *table, const double *mean)
{
    struct output *const outputs[] = {&session->output, means};
    format_check(session->format, table, session->output.name);
    stats_phase(&session->job->stats, PHASE_write, picture_bytes(table));
    session->format->write(table, &session->output);
    write_means(means, mean, table->channels);
    output_complete(&session->output);
    output_complete(means);
    session->job->stats.bytes_out += outputs_replace(outputs, 2);
    stats_end(&session->job->stats);
}

int run_sat(const struct image_request *request, char *const *paths, size_t count, struct job *job)
{
    struct session session = {.request = request, .job = job, .default_format = &format_npy};
    struct output means;
    struct picture picture;
    double mean[CHANNELS_MOST];
    check_options(request);
    session_start(&session, paths, count);
    if (request->means != NULL && outputs_collide(session.out, request->means))
        fail_usage("--subtract-mean and the output are the same file");
    session_open_output(&session);
    if (request->means != NULL)
        output_open(&means, request->means, CODEC_NONE, &request->common);
    session_read(&session, &picture);
    struct picture table = compute(&session, &picture, request->means != NULL ? mean : NULL);
    if (request->check && !table_is_right(&table, &picture, request->means != NULL ? mean : NULL)) {
        say(session.in, "the table is wrong; it is not written");
        return STATUS_NO;
    }
    if (request->means != NULL)
        write_both(&session, &means, &table, mean);
    else
        session_write(&session, &table);
    picture_free(&table);
    picture_free(&picture);
    return STATUS_DONE;
}
