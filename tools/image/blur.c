/* blur.c - gpuimg blur: box filters. */
#include "filtering.h"

static scankit_error blur(scankit_context *context, const struct image_request *request, const scankit_image *in,
                          const scankit_image *radii, const scankit_image *out)
{
    const scankit_box_options options = {
        .radius = request->radius, .radii = radii, .edge = request->edge, .passes = request->passes};
    return scankit_box_filter(context, in, out, &options);
}

int run_blur(const struct image_request *request, char *const *paths, size_t count, struct job *job)
{
    return filter_file(request, paths, count, job, request->radius_map, blur);
}
