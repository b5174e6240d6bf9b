// choices.cu - compaction and splits, by a predicate and by flags.
#include <cub/device/device_partition.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

#include "row.cuh"

namespace
{

template <class T> struct is_below {
    T limit;
    __host__ __device__ bool operator()(T value) const
    {
        return value < limit;
    }
};

struct random_flags {
    uint8_t *to;
    double share;
    __device__ void operator()(size_t i) const
    {
        to[i] = double(mixed(i) >> 11) * 0x1p-53 < share;
    }
};

// x < a limit that a share of the values are below.
template <class T> struct choice {
    is_below<T> rule;
    scankit_predicate *predicate;

    explicit choice(double share) : rule(), predicate()
    {
        bool is_float = std::is_floating_point_v<T>;
        rule.limit = T(is_float ? share : std::ldexp(share, 8 * sizeof(T)));
        std::string text = "x < " + (is_float ? std::to_string(share) : std::to_string(rule.limit) + "u");
        scankit_predicate_compile(&predicate, type_of<T>::value, text.c_str(), nullptr, nullptr);
    }
    ~choice()
    {
        scankit_predicate_destroy(predicate);
    }
};

template <class T> void by_predicate(const std::string &variant, const choice<T> &by, const T *in, T *out, size_t n)
{
    scankit_context *context = sweep.context;
    const scankit_predicate *predicate = by.predicate;
    is_below<T> rule = by.rule;
    size_t *count = array<size_t>(sweep.d);
    uint64_t *positions = array<uint64_t>(sweep.b);
    T *others = array<T>(sweep.c);
    measure(
        {"compact", variant, type_of<T>::name, n},
        [=] { return scankit_compact(context, predicate, in, out, n, nullptr, nullptr); },
        [=](void *room, size_t &bytes) {
            return cub::DeviceSelect::If(room, bytes, in, out, count, int64_t(n), rule, sweep.stream);
        });
    measure(
        {"positions", variant, type_of<T>::name, n},
        [=] { return scankit_compact_positions(context, predicate, in, positions, n, nullptr, nullptr); },
        [=](void *room, size_t &bytes) {
            return cub::DeviceSelect::FlaggedIf(room, bytes, thrust::counting_iterator<uint64_t>(0), in, positions,
                                                count, int64_t(n), rule, sweep.stream);
        });
    measure(
        {"split", variant, type_of<T>::name, n},
        [=] { return scankit_split_predicate(context, predicate, in, out, others, n, nullptr, nullptr); },
        [=](void *room, size_t &bytes) {
            return cub::DevicePartition::If(room, bytes, in, out, count, int64_t(n), rule, sweep.stream);
        });
}

// CUB puts the elements that are not chosen in reverse order.
template <class T> void by_flags(const std::string &variant, const uint8_t *flags, const T *in, T *out, size_t n)
{
    scankit_context *context = sweep.context;
    size_t *count = array<size_t>(sweep.d);
    measure(
        {"flags", variant, type_of<T>::name, n},
        [=] { return scankit_compact_flags(context, sizeof(T), in, flags, out, n, nullptr, nullptr); },
        [=](void *room, size_t &bytes) {
            return cub::DeviceSelect::Flagged(room, bytes, in, flags, out, count, int64_t(n), sweep.stream);
        });
    measure(
        {"split flags", variant, type_of<T>::name, n},
        [=] { return scankit_split_flags(context, sizeof(T), in, flags, out, n, nullptr); },
        [=](void *room, size_t &bytes) {
            return cub::DevicePartition::Flagged(room, bytes, in, flags, out, count, int64_t(n), sweep.stream);
        });
}

template <class T> void rows()
{
    T *in = array<T>(sweep.a), *out = array<T>(sweep.b);
    uint8_t *flags = array<uint8_t>(sweep.d + 256);
    for (double share : {0.01, 0.5, 0.99}) {
        choice<T> by(share);
        std::string variant = std::to_string(int(100 * share)) + "%";
        for (size_t n : sweep_sizes()) {
            fill(in, n);
            for_places(n, random_flags{flags, share});
            by_predicate(variant, by, in, out, n);
            by_flags(variant, flags, in, out, n);
        }
    }
}

} // namespace

void sweep_choices()
{
    rows<uint8_t>();
    rows<uint16_t>();
    rows<uint32_t>();
    rows<uint64_t>();
    rows<float>();
    rows<double>();
}
