/* dof.c - gpuimg dof: depth of field. */
#include "filtering.h"

static scankit_error refocus(scankit_context *context, const struct image_request *request, const scankit_image *in,
                             const scankit_image *depth, const scankit_image *out)
{
    const scankit_lens lens = {
        .focus = request->focus, .aperture = request->aperture, .radius_max = request->radius_max};
    return scankit_depth_of_field(context, in, depth, out, &lens);
}

int run_dof(const struct image_request *request, char *const *paths, size_t count, struct job *job)
{
    return filter_file(request, paths, count, job, request->depth, refocus);
}
