// box.cu - box filters: with one radius, two passes over rows that transpose; with a map of radii, box_map.cu.
#include "device/arena.cuh"
#include "device/check.cuh"
#include "image/box_map.cuh"
#include "image/box_ring.cuh"
#include "image/box_streams.cuh"
#include "image/choose_box.h"

// A pass over the rows of `in`, to the columns of a matrix with rows of out_pitch bytes.
static box_pass make_pass(const sk_box *box, const scankit_image *in, void *out, size_t out_pitch)
{
    box_pass pass = {};
    pass.in = static_cast<const unsigned char *>(in->data);
    pass.in_pitch = in->pitch;
    pass.out = static_cast<unsigned char *>(out);
    pass.out_pitch = out_pitch;
    pass.length = in->width;
    pass.sequences = in->height * in->channels;
    pass.channels = in->channels;
    pass.across = in->height;
    pass.radius = box->radius;
    pass.edge = box->edge;
    pass.shift = box->shift;
    return pass;
}

template <class E, class A, class Store> static scankit_error run_pass(cuda_device *gpu, const box_pass &pass)
{
    END_REHEARSAL(gpu);
    unsigned blocks = unsigned((pass.sequences - 1) / BOX_SEQUENCES + 1);
    if constexpr (sizeof(E) == 4) {
        size_t room = box_ring_bytes(pass.radius);
        if (pass.length > pass.radius >> SK_BOX_SHIFT && box_ring_pays(room, gpu->shared_most)) {
            auto kernel = box_by_ring<E, A, Store>;
            CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(room)));
            kernel<<<blocks, BOX_RING_THREADS, room, gpu->stream>>>(pass);
            CHECK_LAUNCH();
            return SCANKIT_OK;
        }
    }
    box_by_streams<E, A, Store><<<blocks, BOX_STREAM_THREADS<E>, 0, gpu->stream>>>(pass);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// What lies between the passes: the sums or means of rows, of type M, transposed.
template <class M>
static scankit_error take_between(workspace &scratch, const scankit_image *in, scankit_image *between)
{
    M *sums;
    if (!scratch.take(&sums, in->width * in->height * in->channels))
        return SCANKIT_E_MEMORY;
    *between = *in;
    between->data = sums;
    between->width = in->height;
    between->height = in->width;
    between->pitch = in->height * in->channels * sizeof(M);
    return SCANKIT_OK;
}

// E, T: elements of the input and of the output.
template <class E, class T>
static scankit_error box_floats(cuda_device *gpu, const scankit_image *in, const scankit_image *out, const sk_box *box)
{
    workspace scratch(gpu);
    scankit_image between;
    TRY(take_between<float>(scratch, in, &between));
    TRY((run_pass<E, double, store_row_mean<float>>(gpu, make_pass(box, in, between.data, between.pitch))));
    return run_pass<float, double, store_row_mean<T>>(gpu, make_pass(box, &between, out->data, out->pitch));
}

// M: sums of rows, in units.
template <class E, class M, class T>
static scankit_error box_integers(cuda_device *gpu, const scankit_image *in, const scankit_image *out,
                                  const sk_box *box)
{
    workspace scratch(gpu);
    scankit_image between;
    TRY(take_between<M>(scratch, in, &between));
    TRY((run_pass<E, uint32_t, store_row_sum<M>>(gpu, make_pass(box, in, between.data, between.pitch))));
    return run_pass<M, uint64_t, store_square_mean<T>>(gpu, make_pass(box, &between, out->data, out->pitch));
}

template <class E, class T>
static scankit_error box_by_radius(cuda_device *gpu, const scankit_image *in, const scankit_image *out,
                                   const sk_box *box)
{
    if constexpr (std::is_integral_v<E> != std::is_integral_v<T>) {
        return SCANKIT_E_ARGUMENT;
    } else if constexpr (std::is_integral_v<E>) {
        if (row_sums_fit(most_of(in->type), box->radius))
            return box_integers<E, uint32_t, T>(gpu, in, out, box);
        if constexpr (sizeof(E) > 1)
            return box_integers<E, uint64_t, T>(gpu, in, out, box);
        return SCANKIT_E_ARGUMENT; // sums of u8 fit with any radius
    } else {
        return box_floats<E, T>(gpu, in, out, box);
    }
}

scankit_error cuda_box(sk_device *device, const scankit_image *in, const scankit_image *out, const sk_box *box)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    if (box->radii != nullptr)
        return box_by_map(gpu, in, out, box);
    return dispatch_picture(in->type, [&](auto from) {
        return dispatch_picture(
            out->type, [&](auto to) { return box_by_radius<decltype(from), decltype(to)>(gpu, in, out, box); });
    });
}
