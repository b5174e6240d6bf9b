/* mipmap.c - pyramids. Each level is made of the unrounded light of the one before it. */
#include "pixels.h"

typedef struct mip_job {
    const scankit_image *from, *light_to, *to; /* light_to: f32; may be to */
    const sk_light *from_light, *light;        /* from_light: of the first level alone; else from is f32 */
} mip_job;

/* The mean along the row. */
static float mean_of_row(const mip_job *job, const char *row, const sk_mip_taps *taps, unsigned c)
{
    const scankit_image *from = job->from;
    bool alpha = sk_is_alpha(c, from->channels);
    float light[3] = {0};
    for (unsigned t = 0; t < taps->count; t++)
        light[t] = sk_light_at(from->type, job->from_light, alpha, row, (taps->first + t) * from->channels + c);
    return sk_mip_mean(taps, light[0], light[1], light[2]);
}

static void store_light(const mip_job *job, size_t y, size_t i, unsigned c, float light)
{
    const scankit_image *to = job->to;
    uint32_t most = sk_most_of(to->type);
    char *row = sk_row_of(to, y);
    ((float *)sk_row_of(job->light_to, y))[i] = light;
    if (to == job->light_to)
        return;
    if (most == 0)
        sk_put_float(to->type, row, i, light);
    else if (job->light->bounds != NULL && !sk_is_alpha(c, to->channels))
        sk_put_integer(to->type, row, i, sk_bounds_encode(job->light->bounds, light, most));
    else
        sk_put_integer(to->type, row, i, sk_linear_encode(light, most));
}

static void mip_row(const mip_job *job, size_t y)
{
    const sk_mip_taps down = sk_mip_taps_at(y, job->from->height);
    unsigned channels = job->to->channels;
    for (size_t x = 0; x < job->to->width; x++) {
        const sk_mip_taps across = sk_mip_taps_at(x, job->from->width);
        for (unsigned c = 0; c < channels; c++) {
            float means[3] = {0};
            for (unsigned t = 0; t < down.count; t++)
                means[t] = mean_of_row(job, sk_row_of(job->from, down.first + t), &across, c);
            store_light(job, y, x * channels + c, c, sk_mip_mean(&down, means[0], means[1], means[2]));
        }
    }
}

static void mip_rows(const void *state, sk_range rows)
{
    for (size_t y = rows.begin; y < rows.end; y++)
        mip_row(state, y);
}

/* An f32 image of the workspace like this one. */
static bool take_light(sk_device *device, const scankit_image *like, scankit_image *light)
{
    *light = *like;
    light->type = SCANKIT_F32;
    light->pitch = sk_row_elements(like) * sizeof(float);
    light->data = sk_arena_take(&device->workspace, light->height * light->pitch);
    return light->data != NULL;
}

static bool take_chain(sk_device *device, const scankit_image *levels, unsigned count, scankit_image spare[2])
{
    for (unsigned k = 0; k < 2 && k < count; k++)
        if (!take_light(device, &levels[k], &spare[k]))
            return false;
    return true;
}

scankit_error sk_cpu_mipmap(sk_device *device, const scankit_image *in, const scankit_image *levels, unsigned count,
                            const sk_light *light)
{
    bool chained = in->type != SCANKIT_F32;
    scankit_image spare[2], chain[2];
    if (chained && !take_chain(device, levels, count, spare))
        return SCANKIT_E_MEMORY;
    const scankit_image *from = in;
    for (unsigned k = 0; k < count; k++) {
        scankit_image *of_level = &chain[k % 2];
        *of_level = levels[k];
        if (chained) {
            of_level->type = SCANKIT_F32;
            of_level->data = spare[k % 2].data;
            of_level->pitch = sk_row_elements(of_level) * sizeof(float);
        }
        const mip_job job = {from, chained ? of_level : &levels[k], &levels[k], light, light};
        sk_cpu_slices(device, from->height * sk_row_elements(from) * 8, levels[k].height, mip_rows, &job);
        from = job.light_to;
    }
    return SCANKIT_OK;
}
