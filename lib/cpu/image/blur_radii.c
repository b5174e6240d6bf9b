/* blur_radii.c - a radius for each depth. */
#include <math.h>

#include "pixels.h"

typedef struct radii_job {
    const scankit_image *depth;
    float *radii;
    float focus, aperture, radius_max;
} radii_job;

static void blur_rows(const void *state, sk_range rows)
{
    const radii_job *job = state;
    size_t width = job->depth->width;
    for (size_t y = rows.begin; y < rows.end; y++) {
        const float *depth = (const float *)sk_row_of(job->depth, y);
        for (size_t x = 0; x < width; x++)
            job->radii[y * width + x] = sk_blur_radius(depth[x], job->focus, job->aperture, job->radius_max);
    }
}

scankit_error sk_cpu_blur_radii(sk_device *device, const scankit_image *depth, float *radii, const scankit_lens *lens)
{
    radii_job job = {depth, radii, (float)lens->focus, (float)lens->aperture, INFINITY};
    if (lens->radius_max > 0)
        job.radius_max = (float)lens->radius_max;
    sk_cpu_slices(device, depth->width * depth->height * 2 * sizeof *radii, depth->height, blur_rows, &job);
    return SCANKIT_OK;
}
