// sorts.cu - sorts of keys and of pairs, by whole keys and by some bits, and splits by a digit. The search has more
// kinds of data; here are types that it does not have.
#include <cub/device/device_radix_sort.cuh>

#include "row.cuh"

namespace
{

struct wide_value {
    uint64_t half[2];
};

template <class T> void keys(bool descending)
{
    const T *in = array<T>(sweep.a);
    T *out = array<T>(sweep.b);
    constexpr int BITS = 8 * sizeof(T);
    scankit_sort_options options = {};
    options.descending = descending;
    for (size_t n : sweep_sizes()) {
        fill(array<T>(sweep.a), n);
        measure(
            {"sort", descending ? "descending" : "ascending", type_of<T>::name, n},
            [=] { return scankit_sort(sweep.context, type_of<T>::value, in, out, n, &options); },
            [=](void *room, size_t &bytes) {
                return descending
                           ? cub::DeviceRadixSort::SortKeysDescending(room, bytes, in, out, n, 0, BITS, sweep.stream)
                           : cub::DeviceRadixSort::SortKeys(room, bytes, in, out, n, 0, BITS, sweep.stream);
            });
    }
}

template <class T, class V>
void sort_pairs(const std::string &variant, const scankit_sort_options &options, int begin, int end, size_t n)
{
    const T *in = array<T>(sweep.a);
    T *out = array<T>(sweep.b);
    const V *values = array<V>(sweep.c);
    V *values_out = array<V>(sweep.d);
    measure(
        {"pairs", variant, type_of<T>::name, n},
        [=] {
            return scankit_sort_pairs(sweep.context, type_of<T>::value, in, out, sizeof(V), values, values_out, n,
                                      &options);
        },
        [=](void *room, size_t &bytes) {
            return cub::DeviceRadixSort::SortPairs(room, bytes, in, out, values, values_out, n, begin, end,
                                                   sweep.stream);
        });
}

template <class T, class V> void pairs()
{
    for (size_t n : sweep_sizes()) {
        fill(array<T>(sweep.a), n);
        sort_pairs<T, V>("values of " + std::to_string(sizeof(V)), {}, 0, 8 * sizeof(T), n);
    }
}

template <class T> void some_bits(unsigned begin, unsigned end)
{
    const T *in = array<T>(sweep.a);
    T *out = array<T>(sweep.b);
    scankit_sort_options options = {};
    options.begin_bit = begin;
    options.end_bit = end;
    std::string variant = "bits " + std::to_string(begin) + " to " + std::to_string(end);
    for (size_t n : sweep_sizes()) {
        fill(array<T>(sweep.a), n);
        measure(
            {"sort", variant, type_of<T>::name, n},
            [=] { return scankit_sort(sweep.context, type_of<T>::value, in, out, n, &options); },
            [=](void *room, size_t &bytes) {
                return cub::DeviceRadixSort::SortKeys(room, bytes, in, out, n, begin, end, sweep.stream);
            });
        sort_pairs<T, uint32_t>(variant, options, begin, end, n);
    }
}

// CUB has no split; a sort by the digit does the same.
template <class T> void splits()
{
    const T *in = array<T>(sweep.a);
    T *out = array<T>(sweep.b);
    for (size_t n : sweep_sizes()) {
        fill(array<T>(sweep.a), n);
        for (unsigned bits : {1, 4, 8})
            measure(
                {"split", std::to_string(bits) + " bits", type_of<T>::name, n},
                [=] { return scankit_split(sweep.context, type_of<T>::value, in, out, n, 0, bits, nullptr); },
                [=](void *room, size_t &bytes) {
                    return cub::DeviceRadixSort::SortKeys(room, bytes, in, out, n, 0, bits, sweep.stream);
                });
    }
}

} // namespace

void sweep_sorts()
{
    keys<uint8_t>(false);
    keys<int8_t>(true);
    keys<uint16_t>(false);
    keys<int16_t>(true);
    keys<__half>(false);
    keys<uint32_t>(true);
    keys<int32_t>(false);
    keys<int64_t>(false);
    keys<float>(true);
    keys<double>(true);
    pairs<uint8_t, uint32_t>();
    pairs<uint16_t, uint16_t>();
    pairs<uint16_t, uint64_t>();
    pairs<uint32_t, uint8_t>();
    pairs<uint32_t, uint64_t>();
    pairs<uint32_t, wide_value>();
    pairs<float, uint64_t>();
    pairs<int64_t, uint16_t>();
    pairs<uint64_t, uint32_t>();
    pairs<uint64_t, uint64_t>();
    some_bits<uint32_t>(0, 8);
    some_bits<uint32_t>(4, 20);
    some_bits<uint64_t>(0, 20);
    some_bits<uint64_t>(10, 50);
    splits<uint8_t>();
    splits<uint16_t>();
    splits<uint32_t>();
    splits<uint64_t>();
}
