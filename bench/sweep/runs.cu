// runs.cu - run-length encoding, unique, and reductions by key.
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>

#include "row.cuh"

namespace
{

template <class K, class V, class Op>
void by_key(const std::string &variant, scankit_operator op, Op cub_op, const K *keys, size_t n)
{
    const V *values = array<V>(sweep.c);
    K *keys_out = array<K>(sweep.b);
    V *sums = array<V>(sweep.d + 256);
    uint64_t *count = array<uint64_t>(sweep.d);
    measure(
        {"by key", variant + " " + type_of<V>::name, type_of<K>::name, n},
        [=] {
            return scankit_reduce_by_key(sweep.context, sizeof(K), keys, type_of<V>::value, op, values, keys_out, sums,
                                         n, nullptr, nullptr);
        },
        [=](void *room, size_t &bytes) {
            return cub::DeviceReduce::ReduceByKey(room, bytes, keys, keys_out, values, sums, count, cub_op, int64_t(n),
                                                  sweep.stream);
        });
}

template <class K, class V> void both_operators(const std::string &variant, const K *keys, size_t n)
{
    fill(array<V>(sweep.c), n);
    by_key<K, V>(variant + ", sum", SCANKIT_SUM, add(), keys, n);
    by_key<K, V>(variant + ", max", SCANKIT_MAX, larger(), keys, n);
}

template <class T> void encode(const std::string &variant, const T *in, size_t n)
{
    T *out = array<T>(sweep.b);
    uint64_t *count = array<uint64_t>(sweep.d), *lengths = array<uint64_t>(sweep.d + 256);
    measure(
        {"encode", variant, type_of<T>::name, n},
        [=] { return scankit_run_length_encode(sweep.context, sizeof(T), in, out, lengths, n, nullptr, nullptr); },
        [=](void *room, size_t &bytes) {
            return cub::DeviceRunLengthEncode::Encode(room, bytes, in, out, lengths, count, int64_t(n), sweep.stream);
        });
    measure(
        {"unique", variant, type_of<T>::name, n},
        [=] { return scankit_unique(sweep.context, sizeof(T), in, out, n, nullptr, nullptr); },
        [=](void *room, size_t &bytes) {
            return cub::DeviceSelect::Unique(room, bytes, in, out, count, int64_t(n), sweep.stream);
        });
}

template <class T> void rows()
{
    T *in = array<T>(sweep.a);
    for (size_t length : {1, 3, 10, 100, 10000})
        for (size_t n : sweep_sizes()) {
            std::string variant = "of " + std::to_string(length);
            fill_runs(in, array<uint64_t>(sweep.c), n, length);
            encode(variant, in, n);
            both_operators<T, uint32_t>(variant, in, n);
            if constexpr (sizeof(T) == 4) {
                both_operators<T, uint64_t>(variant, in, n);
                both_operators<T, float>(variant, in, n);
                both_operators<T, double>(variant, in, n);
            }
        }
}

} // namespace

void sweep_runs()
{
    rows<uint8_t>();
    rows<uint16_t>();
    rows<uint32_t>();
    rows<uint64_t>();
}
