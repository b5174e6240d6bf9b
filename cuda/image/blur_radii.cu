// blur_radii.cu - the radius of the blur of each depth.
#include <cmath>

#include "device/check.cuh"
#include "image/picture.cuh"

struct blur_depths {
    picture<float> depth, radii;
    float focus, aperture, radius_max;
    __device__ void operator()(size_t x, size_t y) const
    {
        radii.row(y)[x] = sk_blur_radius(depth.row(y)[x], focus, aperture, radius_max);
    }
};

scankit_error cuda_blur_radii(sk_device *device, const scankit_image *depth, float *radii, const scankit_lens *lens)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    END_REHEARSAL(gpu);
    blur_depths blur = {picture_of<float>(depth), dense_picture<float>(radii, depth->width, depth->height, 1),
                        float(lens->focus), float(lens->aperture),
                        lens->radius_max > 0 ? float(lens->radius_max) : HUGE_VALF};
    places_kernel<<<places_grid(depth->width, depth->height), PLACE_BLOCK, 0, gpu->stream>>>(depth->width,
                                                                                             depth->height, blur);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}
