/* mipmap.c - pyramids (Williams 1983): each level from the light of the one before it, which is kept as floats. */
#include "light_codec.h"

/* A level as light. data: rows of width * channels floats. */
typedef struct light_image {
    size_t width, height, pitch; /* pitch in bytes */
    const char *data;
    const scankit_image *coded; /* instead of data: an image that is yet to be decoded */
} light_image;

typedef struct level_job {
    const sk_light_codec *codec;
    light_image from;
    const scankit_image *to; /* the level */
    char *light;             /* its light, rows without gaps; may be the level's own data; NULL: no level follows */
    size_t light_pitch;
    unsigned channels;
    float *scratch; /* of each thread: three rows, and one of means */
    size_t each;    /* floats */
} level_job;

static const float *light_row(const level_job *job, size_t y, float *room)
{
    const light_image *from = &job->from;
    if (from->coded == NULL)
        return (const float *)(const void *)(from->data + y * from->pitch);
    sk_decode_row(job->codec, (const char *)from->coded->data + y * from->coded->pitch, from->width, room);
    return room;
}

/* Means along rows of n elements of what are rows already: a, b, and c if three count. */
static void mean_of_rows(const sk_light_kernels *kernels, const sk_mip_taps *taps, const float *a, const float *b,
                         const float *c, float *to, size_t n)
{
    if (taps->count == 2) {
        kernels->mean(a, b, to, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        to[i] = sk_mip_mean(taps, a[i], b[i], c[i]);
}

/* The means of neighbours of a row. */
static void halve_row(const sk_light_kernels *kernels, const float *row, size_t length, unsigned channels, float *to,
                      size_t width)
{
    if (length % 2 == 0) {
        kernels->halve[channels - 1](row, to, width);
        return;
    }
    for (size_t x = 0; x < width; x++) {
        const sk_mip_taps taps = sk_mip_taps_at(x, length);
        const float *at = row + taps.first * channels;
        const size_t second = taps.count > 1 ? channels : 0, third = taps.count > 2 ? 2 * channels : 0;
        for (unsigned c = 0; c < channels; c++)
            to[x * channels + c] = sk_mip_mean(&taps, at[c], at[second + c], at[third + c]);
    }
}

static void make_row(const level_job *job, size_t y, float *scratch)
{
    const sk_mip_taps taps = sk_mip_taps_at(y, job->from.height);
    const size_t row = job->to->width * job->channels, room = job->each / 4;
    const float *rows[3] = {scratch, scratch, scratch};
    const sk_light_kernels *kernels = job->codec->kernels;
    for (unsigned r = 0; r < taps.count; r++) {
        float *halved = scratch + r * room;
        halve_row(kernels, light_row(job, taps.first + r, scratch + 3 * room), job->from.width, job->channels, halved,
                  job->to->width);
        rows[r] = halved;
    }
    float *light = job->light != NULL ? (float *)(void *)(job->light + y * job->light_pitch) : scratch + 3 * room;
    mean_of_rows(kernels, &taps, rows[0], rows[1], rows[2], light, row);
    if ((char *)light != (char *)job->to->data + y * job->to->pitch)
        sk_encode_row(job->codec, light, job->to->width, (char *)job->to->data + y * job->to->pitch);
}

static void make_rows(void *state, int thread, int team)
{
    const level_job *job = state;
    sk_range rows = sk_slice(job->to->height, thread, team);
    for (size_t y = rows.begin; y < rows.end; y++)
        make_row(job, y, job->scratch + (size_t)thread * job->each);
}

/* Light of levels 1 and 2 in turn, unless levels are their own light or no level follows. */
static bool take_light(sk_device *device, const scankit_image *levels, unsigned count, char *light[2])
{
    light[0] = light[1] = NULL;
    for (unsigned i = 0; i < 2 && i + 1 < count && levels->type != SCANKIT_F32; i++) {
        size_t floats = levels[i].width * levels[i].height * levels->channels;
        light[i] = sk_arena_take(&device->workspace, floats * sizeof(float));
        if (light[i] == NULL)
            return false;
    }
    return true;
}

static int team_for(const sk_device *device, const light_image *from, const scankit_image *to)
{
    int team = sk_cpu_team(device, from->width * from->height * to->channels * sizeof(float));
    return (size_t)team > to->height ? (int)to->height : team;
}

static scankit_error make_levels(sk_device *device, const scankit_image *in, const scankit_image *levels,
                                 unsigned count, const sk_light_codec *codec)
{
    level_job job = {.codec = codec, .channels = in->channels};
    char *light[2];
    job.from = (light_image){in->width, in->height, in->pitch, in->data, in->type == SCANKIT_F32 ? NULL : in};
    int most = team_for(device, &job.from, levels);
    job.each = 4 * ((in->width * in->channels + 15) / 16 * 16);
    job.scratch = sk_arena_take(&device->workspace, (size_t)most * job.each * sizeof(float));
    if (job.scratch == NULL || !take_light(device, levels, count, light))
        return SCANKIT_E_MEMORY;
    for (unsigned i = 0; i < count && !sk_rehearses(device); i++) {
        job.to = &levels[i];
        const bool own = levels->type == SCANKIT_F32;
        job.light = own ? levels[i].data : i + 1 < count ? light[i % 2] : NULL;
        job.light_pitch = own ? levels[i].pitch : levels[i].width * job.channels * sizeof(float);
        int team = team_for(device, &job.from, job.to);
        sk_cpu_together(team < most ? team : most, make_rows, &job);
        job.from = (light_image){job.to->width, job.to->height, job.light_pitch, job.light, NULL};
    }
    return SCANKIT_OK;
}

scankit_error sk_cpu_mipmap(sk_device *device, const scankit_image *in, const scankit_image *levels, unsigned count,
                            const sk_light *light)
{
    size_t mark = sk_arena_mark(&device->workspace);
    sk_light_codec *codec = sk_arena_take(&device->workspace, sizeof *codec);
    scankit_error error = SCANKIT_E_MEMORY;
    if (codec != NULL) {
        if (!sk_rehearses(device))
            sk_light_codec_open(codec, sk_kernels_of(device)->light, in->type, in->channels, light);
        error = make_levels(device, in, levels, count, codec);
    }
    sk_arena_reset(&device->workspace, mark);
    return error;
}
