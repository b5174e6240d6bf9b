/* blur_radii.c - the circles of confusion of a depth map. */
#include <math.h>

#include "cpu/cpu.h"

typedef struct radii_job {
    const scankit_image *depth;
    const scankit_lens *lens;
    float *radii;
} radii_job;

static void measure_rows(const void *state, sk_range rows)
{
    const radii_job *job = state;
    const float most = job->lens->radius_max > 0 ? (float)job->lens->radius_max : INFINITY;
    for (size_t y = rows.begin; y < rows.end; y++) {
        const float *depth = (const float *)(const void *)((const char *)job->depth->data + y * job->depth->pitch);
        float *radii = job->radii + y * job->depth->width;
        for (size_t x = 0; x < job->depth->width; x++)
            radii[x] = sk_blur_radius(depth[x], (float)job->lens->focus, (float)job->lens->aperture, most);
    }
}

scankit_error sk_cpu_blur_radii(sk_device *device, const scankit_image *depth, float *radii, const scankit_lens *lens)
{
    const radii_job job = {depth, lens, radii};
    if (sk_rehearses(device))
        return SCANKIT_OK;
    sk_cpu_slices(device, depth->width * depth->height * sizeof *radii, depth->height, measure_rows, &job);
    return SCANKIT_OK;
}
