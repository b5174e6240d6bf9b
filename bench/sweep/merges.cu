// merges.cu - merges of two arrays, keys and pairs.
#include <cub/device/device_merge.cuh>

#include "row.cuh"

namespace
{

template <class T> void rows()
{
    T *unsorted = array<T>(sweep.c), *in = array<T>(sweep.a), *out = array<T>(sweep.b);
    const uint32_t *values = array<uint32_t>(sweep.c);
    uint32_t *values_out = array<uint32_t>(sweep.d);
    constexpr scankit_type type = type_of<T>::value;
    for (size_t n : sweep_sizes())
        for (size_t part : {2, 100}) {
            size_t na = n / part, nb = n - na;
            T *b = in + na;
            fill(unsorted, n);
            scankit_sort(sweep.context, type, unsorted, in, na, nullptr);
            scankit_sort(sweep.context, type, unsorted + na, b, nb, nullptr);
            std::string variant = "1/" + std::to_string(part) + " in a";
            measure(
                {"merge", variant, type_of<T>::name, n},
                [=] { return scankit_merge(sweep.context, type, in, na, b, nb, out, nullptr); },
                [=](void *room, size_t &bytes) {
                    return cub::DeviceMerge::MergeKeys(room, bytes, in, int64_t(na), b, int64_t(nb), out,
                                                       cuda::std::less<>(), sweep.stream);
                });
            measure(
                {"merge pairs", variant, type_of<T>::name, n},
                [=] {
                    return scankit_merge_pairs(sweep.context, type, in, values, na, b, values + na, nb, out,
                                               sizeof *values, values_out, nullptr);
                },
                [=](void *room, size_t &bytes) {
                    return cub::DeviceMerge::MergePairs(room, bytes, in, values, int64_t(na), b, values + na,
                                                        int64_t(nb), out, values_out, cuda::std::less<>(),
                                                        sweep.stream);
                });
        }
}

} // namespace

void sweep_merges()
{
    rows<uint8_t>();
    rows<uint16_t>();
    rows<uint32_t>();
    rows<uint64_t>();
    rows<float>();
    rows<double>();
}
