// histograms.cu - histograms by even bins, of random keys and of runs.
#include <cub/device/device_histogram.cuh>

#include "row.cuh"

namespace
{

template <class T> void rows()
{
    constexpr bool IS_FLOAT = std::is_floating_point_v<T>;
    using level = std::conditional_t<IS_FLOAT, T, long long>;
    T *in = array<T>(sweep.a);
    auto *counts = array<unsigned long long>(sweep.b);
    const double high = IS_FLOAT ? 1 : std::ldexp(1, int(std::min<size_t>(8 * sizeof(T), 31)));
    for (int count : {4, 100, 256, 4096, 1 << 16, 1 << 20})
        for (bool has_runs : {false, true})
            for (size_t n : sweep_sizes()) {
                if (!IS_FLOAT && count > high)
                    continue;
                if (has_runs)
                    fill_runs(in, array<uint64_t>(sweep.c), n, 50);
                else
                    fill(in, n);
                scankit_bins bins = {};
                bins.kind = SCANKIT_BINS_EVEN;
                bins.count = size_t(count);
                bins.high = high;
                measure(
                    {"histogram", std::to_string(count) + (has_runs ? " bins, runs" : " bins"), type_of<T>::name, n},
                    [=] {
                        return scankit_histogram(sweep.context, type_of<T>::value, in, n, &bins, SCANKIT_U8, nullptr,
                                                 counts);
                    },
                    [=](void *room, size_t &bytes) {
                        return cub::DeviceHistogram::HistogramEven(room, bytes, in, counts, count + 1, level(0),
                                                                   level(high), int64_t(n), sweep.stream);
                    });
            }
}

} // namespace

void sweep_histograms()
{
    rows<uint8_t>();
    rows<uint16_t>();
    rows<uint32_t>();
    rows<float>();
    rows<double>();
}
