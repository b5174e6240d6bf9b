// segments.cu - scans, reductions and sorts of segments.
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include "row.cuh"

namespace
{

// Segments of random lengths: the number of each element's, heads, and offsets.
struct segments {
    uint32_t *number;
    uint8_t *heads;
    uint64_t *offsets;
    size_t count;
};

struct place_segments {
    const uint64_t *ids;
    segments to;
    size_t n;
    __device__ void operator()(size_t i) const
    {
        bool begins = i == 0 || ids[i] != ids[i - 1];
        to.number[i] = uint32_t(ids[i]);
        to.heads[i] = begins;
        if (begins)
            to.offsets[ids[i]] = i;
        if (i == n - 1)
            to.offsets[ids[i] + 1] = n;
    }
};

segments make_segments(size_t n, size_t length)
{
    uint64_t *ids = array<uint64_t>(sweep.b), last = 0;
    segments made = {array<uint32_t>(sweep.c), array<uint8_t>(sweep.c + 4 * n), array<uint64_t>(sweep.d), 0};
    number_runs(ids, n, length);
    for_places(n, place_segments{ids, made, n});
    cudaMemcpyAsync(&last, ids + n - 1, sizeof last, cudaMemcpyDeviceToHost, sweep.stream);
    cudaStreamSynchronize(sweep.stream);
    made.count = last + 1;
    return made;
}

template <class T, class Op>
void reduce(const std::string &variant, scankit_operator op, Op cub_op, const T *in, T *out, const segments &of,
            size_t n)
{
    const uint64_t *offsets = of.offsets;
    size_t count = of.count;
    measure(
        {"seg reduce", variant, type_of<T>::name, n},
        [=] { return scankit_segmented_reduce(sweep.context, type_of<T>::value, op, in, offsets, out, count); },
        [=](void *room, size_t &bytes) {
            return cub::DeviceSegmentedReduce::Reduce(room, bytes, in, out, int64_t(count), offsets, offsets + 1,
                                                      cub_op, T(0), sweep.stream);
        });
}

template <class T> void scan(const std::string &variant, const T *in, T *out, const segments &of, size_t n)
{
    measure(
        {"seg scan", variant, type_of<T>::name, n},
        [=] {
            return scankit_segmented_scan(sweep.context, type_of<T>::value, SCANKIT_SUM, SCANKIT_INCLUSIVE, nullptr, in,
                                          of.heads, out, n);
        },
        [=](void *room, size_t &bytes) {
            return cub::DeviceScan::InclusiveScanByKey(room, bytes, of.number, in, out, add(), int64_t(n),
                                                       cuda::std::equal_to<>(), sweep.stream);
        });
}

template <class T> void sort(const std::string &variant, const T *in, T *out, const segments &of, size_t n)
{
    const uint64_t *offsets = of.offsets;
    const int64_t count = int64_t(of.count);
    measure(
        {"seg sort", variant, type_of<T>::name, n},
        [=] {
            return scankit_segmented_sort(sweep.context, type_of<T>::value, in, out, n, offsets, of.count, nullptr);
        },
        [=](void *room, size_t &bytes) {
            return cub::DeviceSegmentedSort::StableSortKeys(room, bytes, in, out, int64_t(n), count, offsets,
                                                            offsets + 1, sweep.stream);
        });
    const uint32_t *values = of.number;
    uint32_t *values_out = array<uint32_t>(sweep.d + 8 * (of.count + 1));
    measure(
        {"seg pairs", variant, type_of<T>::name, n},
        [=] {
            return scankit_segmented_sort_pairs(sweep.context, type_of<T>::value, in, out, sizeof *values, values,
                                                values_out, n, offsets, of.count, nullptr);
        },
        [=](void *room, size_t &bytes) {
            return cub::DeviceSegmentedSort::StableSortPairs(room, bytes, in, out, values, values_out, int64_t(n),
                                                             count, offsets, offsets + 1, sweep.stream);
        });
}

template <class T> void rows()
{
    T *in = array<T>(sweep.a), *out = array<T>(sweep.b);
    for (size_t n : sweep_sizes(size_t(1) << 24))
        for (size_t length : {3, 30, 300, 3000, 100000}) {
            if (4 * length > n)
                continue;
            std::string of = "of " + std::to_string(length);
            fill(in, n);
            segments made = make_segments(n, length);
            reduce(of + ", sum", SCANKIT_SUM, add(), in, out, made, n);
            reduce(of + ", max", SCANKIT_MAX, larger(), in, out, made, n);
            scan(of, in, out, made, n);
            sort(of, in, out, made, n);
        }
}

} // namespace

void sweep_segments()
{
    rows<uint8_t>();
    rows<uint16_t>();
    rows<uint32_t>();
    rows<uint64_t>();
    rows<float>();
    rows<double>();
}
