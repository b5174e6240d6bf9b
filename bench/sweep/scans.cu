// scans.cu - scans and reductions of whole arrays.
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include "row.cuh"

namespace
{

template <class T, class Op>
void scan(const char *variant, scankit_operator op, Op cub_op, const T *in, T *out, size_t n)
{
    measure(
        {"scan", variant, type_of<T>::name, n},
        [=] { return scankit_scan(sweep.context, type_of<T>::value, op, SCANKIT_INCLUSIVE, nullptr, in, out, n); },
        [=](void *room, size_t &bytes) {
            return cub::DeviceScan::InclusiveScan(room, bytes, in, out, cub_op, n, sweep.stream);
        });
}

template <class T, class Op>
void reduce(const char *variant, scankit_operator op, Op cub_op, const T *in, T *out, size_t n)
{
    measure(
        {"reduce", variant, type_of<T>::name, n},
        [=] { return scankit_reduce_to(sweep.context, type_of<T>::value, op, in, out, n); },
        [=](void *room, size_t &bytes) {
            return cub::DeviceReduce::Reduce(room, bytes, in, out, n, cub_op, T(0), sweep.stream);
        });
}

template <class T> void rows()
{
    T *in = array<T>(sweep.a), *out = array<T>(sweep.b);
    for (size_t n : sweep_sizes()) {
        fill(in, n + 1);
        scan("sum", SCANKIT_SUM, add(), in, out, n);
        scan("max", SCANKIT_MAX, larger(), in, out, n);
        scan("sum in place", SCANKIT_SUM, add(), out, out, n);
        scan("sum, odd addresses", SCANKIT_SUM, add(), in + 1, out + 3, n);
        reduce("sum", SCANKIT_SUM, add(), in, out, n);
        reduce("max", SCANKIT_MAX, larger(), in, out, n);
        reduce("sum, odd address", SCANKIT_SUM, add(), in + 1, out, n);
    }
}

} // namespace

void sweep_scans()
{
    rows<uint8_t>();
    rows<uint16_t>();
    rows<uint32_t>();
    rows<int32_t>();
    rows<uint64_t>();
    rows<__half>();
    rows<float>();
    rows<double>();
}
