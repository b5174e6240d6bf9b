/* rivals_cuda.cu - the GPU's rivals: CUB and Thrust as shipped with CUDA, with counts of 64 bits. */
#include <algorithm>
#include <new>

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_merge.cuh>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include "dispatch.hh"

namespace
{

/* CUB's workspace. Grows when a job needs more, and is kept for the next job. */
struct Scratch {
    void *memory = nullptr;
    size_t bytes = 0;

    bool reserve(size_t need)
    {
        if (need <= bytes)
            return true;
        cudaFree(memory);
        memory = nullptr;
        bytes = 0;
        if (cudaMalloc(&memory, need) != cudaSuccess)
            return false;
        bytes = need;
        return true;
    }
};
Scratch scratch;

/* ---- the clock that times the library: events on a stream of its own ---- */

cudaStream_t timed;
cudaEvent_t started, stopped;

void *timed_stream(void)
{
    bool made = timed != nullptr || (cudaStreamCreateWithFlags(&timed, cudaStreamNonBlocking) == cudaSuccess &&
                                     cudaEventCreate(&started) == cudaSuccess && cudaEventCreate(&stopped) == cudaSuccess);
    return made ? timed : nullptr;
}

void start_clock(void)
{
    cudaEventRecord(started, timed);
}

double stop_clock(void)
{
    float milliseconds = 0;
    cudaEventRecord(stopped, timed);
    cudaError_t error = cudaEventSynchronize(stopped);
    return error == cudaSuccess && cudaEventElapsedTime(&milliseconds, started, stopped) == cudaSuccess
               ? milliseconds / 1000.0
               : -1;
}

const rivals_clock device_clock = {timed_stream, start_clock, stop_clock};

bool pin(void *memory, size_t bytes)
{
    bool locked = cudaHostRegister(memory, bytes, cudaHostRegisterDefault) == cudaSuccess;
    if (!locked)
        (void)cudaGetLastError(); // clears the error
    return locked;
}

void unpin(void *memory)
{
    cudaHostUnregister(memory);
}

const rivals_pinning pinning = {pin, unpin};

/* Seconds per call of work() by the device's clock. All calls are queued in a row. */
template <typename Work> double seconds_of(unsigned calls, Work work)
{
    cudaEvent_t begin, end;
    float milliseconds = 0;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    for (unsigned i = 0; i < calls; i++)
        work();
    cudaEventRecord(end);
    cudaError_t error = cudaEventSynchronize(end);
    cudaEventElapsedTime(&milliseconds, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return error == cudaSuccess && cudaGetLastError() == cudaSuccess ? milliseconds / 1000.0 / calls : -1;
}

/* The same with prepare() before each call. prepare() is not counted. */
template <typename Prepare, typename Work> double seconds_of(unsigned calls, Prepare prepare, Work work)
{
    double total = 0;
    for (unsigned i = 0; i < calls; i++) {
        prepare();
        double seconds = seconds_of(1, work);
        if (seconds < 0)
            return -1;
        total += seconds;
    }
    return total / calls;
}

/* call(memory, bytes) is a function of CUB: with memory NULL it only computes the bytes of its workspace. */
template <typename Call> bool reserve_for(Call call, size_t &bytes)
{
    return call(nullptr, bytes) == cudaSuccess && scratch.reserve(bytes);
}

/* Seconds per call of a function of CUB. */
template <typename Call> double seconds_of_cub(unsigned calls, Call call)
{
    size_t bytes = 0;
    return reserve_for(call, bytes) ? seconds_of(calls, [&] { call(scratch.memory, bytes); }) : -1;
}

template <typename Prepare, typename Call> double seconds_of_cub(unsigned calls, Prepare prepare, Call call)
{
    size_t bytes = 0;
    return reserve_for(call, bytes) ? seconds_of(calls, prepare, [&] { call(scratch.memory, bytes); }) : -1;
}

double run_copy(const bench_job *job, unsigned calls)
{
    size_t bytes = job->na * scankit_type_size(job->type);
    return seconds_of(calls, [&] { cudaMemcpyAsync(job->out, job->in, bytes, cudaMemcpyDeviceToDevice); });
}

double run_scan(const bench_job *job, unsigned calls)
{
    return with_number(job->type, [&](auto *type) {
        auto *in = static_cast<decltype(type)>(const_cast<void *>(job->in));
        auto *out = static_cast<decltype(type)>(job->out);
        return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
            return job->kind == SCANKIT_INCLUSIVE ? cub::DeviceScan::InclusiveSum(memory, bytes, in, out, job->n)
                                                  : cub::DeviceScan::ExclusiveSum(memory, bytes, in, out, job->n);
        });
    });
}

/* Gives Thrust the kept workspace, which it would otherwise allocate in each call. */
struct KeptMemory {
    using value_type = char;

    char *allocate(std::ptrdiff_t bytes)
    {
        if (!scratch.reserve(static_cast<size_t>(bytes)))
            throw std::bad_alloc();
        return static_cast<char *>(scratch.memory);
    }

    void deallocate(char *, size_t)
    {
    }
};

double run_scan_thrust(const bench_job *job, unsigned calls)
{
    KeptMemory memory;
    return with_number(job->type, [&](auto *type) {
        using T = std::remove_pointer_t<decltype(type)>;
        auto *in = static_cast<const T *>(job->in);
        auto *out = static_cast<T *>(job->out);
        auto scan = [&] {
            auto queued = thrust::cuda::par_nosync(memory); // does not wait at the end
            if (job->kind == SCANKIT_INCLUSIVE)
                thrust::inclusive_scan(queued, in, in + job->n, out);
            else
                thrust::exclusive_scan(queued, in, in + job->n, out);
        };
        return seconds_of(calls, scan);
    });
}

double run_reduce(const bench_job *job, unsigned calls)
{
    return with_number(job->type, [&](auto *type) {
        auto *in = static_cast<decltype(type)>(const_cast<void *>(job->in));
        auto *out = static_cast<decltype(type)>(job->out);
        return seconds_of_cub(
            calls, [&](void *memory, size_t &bytes) { return cub::DeviceReduce::Sum(memory, bytes, in, out, job->n); });
    });
}

double sort_by_bits(const bench_job *job, unsigned calls, int begin_bit, int end_bit)
{
    return with_key(job->type, [&](auto *type) {
        auto *in = static_cast<decltype(type)>(const_cast<void *>(job->in));
        auto *out = static_cast<decltype(type)>(job->out);
        return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
            return cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, job->n, begin_bit, end_bit);
        });
    });
}

/* Memory for the count that CUB returns. */
int64_t *count_on_device()
{
    static int64_t *count = nullptr;
    if (count == nullptr && cudaMalloc(&count, sizeof *count) != cudaSuccess)
        count = nullptr;
    return count;
}

double run_compact(const bench_job *job, unsigned calls)
{
    int64_t *count = count_on_device();
    auto n = static_cast<int64_t>(job->n);
    return with_predicate(job->predicate, [&](auto *type, auto matches) {
        auto *in = static_cast<decltype(type)>(const_cast<void *>(job->in));
        auto *out = static_cast<decltype(type)>(job->out);
        auto to_other = [&](void *memory, size_t &bytes) {
            return cub::DeviceSelect::If(memory, bytes, in, out, count, n, matches);
        };
        auto in_place = [&](void *memory, size_t &bytes) {
            return cub::DeviceSelect::If(memory, bytes, out, count, n, matches);
        };
        auto restore = [&] { cudaMemcpyAsync(out, in, job->n * sizeof *in, cudaMemcpyDeviceToDevice); };
        return job->in_place ? seconds_of_cub(calls, restore, in_place) : seconds_of_cub(calls, to_other);
    });
}

double run_compact_flags(const bench_job *job, unsigned calls)
{
    int64_t *count = count_on_device();
    auto *flags = static_cast<const uint8_t *>(job->values_in);
    return with_type(job->type, [&](auto *type) {
        auto *in = static_cast<decltype(type)>(const_cast<void *>(job->in));
        auto *out = static_cast<decltype(type)>(job->out);
        return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
            return cub::DeviceSelect::Flagged(memory, bytes, in, flags, out, count, static_cast<int64_t>(job->n));
        });
    });
}

/* Selects from the positions 0, 1, 2, ... by the elements as flags. */
double run_positions(const bench_job *job, unsigned calls)
{
    int64_t *count = count_on_device();
    auto *out = static_cast<uint64_t *>(job->out);
    return with_predicate(job->predicate, [&](auto *type, auto matches) {
        auto *in = static_cast<decltype(type)>(const_cast<void *>(job->in));
        return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
            return cub::DeviceSelect::FlaggedIf(memory, bytes, thrust::counting_iterator<uint64_t>(0), in, out, count,
                                                static_cast<int64_t>(job->n), matches);
        });
    });
}

/* CUB writes both parts to one array, the second in reverse order. */
double run_split_predicate(const bench_job *job, unsigned calls)
{
    int64_t *count = count_on_device();
    return with_predicate(job->predicate, [&](auto *type, auto matches) {
        auto *in = static_cast<decltype(type)>(const_cast<void *>(job->in));
        auto *out = static_cast<decltype(type)>(job->out);
        return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
            return cub::DevicePartition::If(memory, bytes, in, out, count, static_cast<int64_t>(job->n), matches);
        });
    });
}

/* ---- runs ---- */

/* CUB takes the number of elements as an int here. */
template <typename Count> double encode_with_counts(const bench_job *job, unsigned calls, Count *counts)
{
    int64_t *runs = count_on_device();
    if (job->n > INT_MAX)
        return -1;
    return with_type(job->type, [&](auto *type) {
        auto *in = static_cast<decltype(type)>(const_cast<void *>(job->in));
        auto *out = static_cast<decltype(type)>(job->out);
        return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
            return cub::DeviceRunLengthEncode::Encode(memory, bytes, in, out, counts, runs, static_cast<int>(job->n));
        });
    });
}

double run_encode(const bench_job *job, unsigned calls)
{
    return job->narrow_counts ? encode_with_counts(job, calls, reinterpret_cast<uint32_t *>(job->counts))
                              : encode_with_counts(job, calls, job->counts);
}

/* Element i of the decoded runs. ends: the inclusive scan of their counts. */
template <typename T> struct element_of_runs {
    const uint64_t *ends;
    const T *values;
    size_t runs;

    __device__ T operator()(uint64_t i) const
    {
        return values[thrust::upper_bound(thrust::seq, ends, ends + runs, i) - ends];
    }
};

/* CUB decodes runs only within a thread block. For an array: a scan of the counts, and a binary search per element. */
double run_decode(const bench_job *job, unsigned calls)
{
    uint64_t *ends;
    if (cudaMalloc(&ends, job->runs * sizeof *ends) != cudaSuccess)
        return -1;
    double seconds = with_type(job->type, [&](auto *type) {
        using T = std::remove_pointer_t<decltype(type)>;
        thrust::counting_iterator<uint64_t> first(0);
        element_of_runs<T> element{ends, static_cast<const T *>(job->in), job->runs};
        return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
            cudaError_t error = cub::DeviceScan::InclusiveSum(memory, bytes, job->counts, ends, job->runs);
            if (memory != nullptr)
                thrust::transform(thrust::cuda::par_nosync, first, first + job->n, static_cast<T *>(job->out), element);
            return error;
        });
    });
    cudaFree(ends);
    return seconds;
}

double run_unique(const bench_job *job, unsigned calls)
{
    int64_t *count = count_on_device();
    if (job->in_place)
        return -1;
    return with_type(job->type, [&](auto *type) {
        auto *in = static_cast<decltype(type)>(const_cast<void *>(job->in));
        auto *out = static_cast<decltype(type)>(job->out);
        return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
            return cub::DeviceSelect::Unique(memory, bytes, in, out, count, static_cast<int64_t>(job->n));
        });
    });
}

double run_reduce_by_key(const bench_job *job, unsigned calls)
{
    int64_t *runs = count_on_device();
    auto *values_in = static_cast<const uint32_t *>(job->values_in);
    auto *values_out = static_cast<uint32_t *>(job->values_out);
    return with_type(job->type, [&](auto *type) {
        auto *in = static_cast<decltype(type)>(const_cast<void *>(job->in));
        auto *out = static_cast<decltype(type)>(job->out);
        return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
            return cub::DeviceReduce::ReduceByKey(memory, bytes, in, out, values_in, values_out, runs,
                                                  cuda::std::plus<uint32_t>(), static_cast<int64_t>(job->n));
        });
    });
}

/* A split by a digit is a radix sort by that digit. */
double run_split(const bench_job *job, unsigned calls)
{
    return sort_by_bits(job, calls, RIVALS_SPLIT_BIT, RIVALS_SPLIT_BIT + RIVALS_SPLIT_BITS);
}

double run_sort(const bench_job *job, unsigned calls)
{
    return sort_by_bits(job, calls, 0, 8 * (int)scankit_type_size(job->type));
}

/* In place. The copy before each call is not counted. */
double run_sort_thrust(const bench_job *job, unsigned calls)
{
    KeptMemory memory;
    return with_number(job->type, [&](auto *type) {
        auto *out = static_cast<decltype(type)>(job->out);
        auto copy = [&] { cudaMemcpyAsync(out, job->in, job->n * sizeof *out, cudaMemcpyDeviceToDevice); };
        auto sort = [&] { thrust::sort(thrust::cuda::par_nosync(memory), out, out + job->n); };
        return seconds_of(calls, copy, sort);
    });
}

double run_pairs(const bench_job *job, unsigned calls)
{
    auto *values_in = static_cast<const uint32_t *>(job->values_in);
    auto *values_out = static_cast<uint32_t *>(job->values_out);
    return with_type(job->type, [&](auto *type) {
        auto *in = static_cast<decltype(type)>(const_cast<void *>(job->in));
        auto *out = static_cast<decltype(type)>(job->out);
        return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
            return cub::DeviceRadixSort::SortPairs(memory, bytes, in, out, values_in, values_out, job->n);
        });
    });
}

/* ---- segmented sort ---- */

/* The columns and segments of a job. */
template <typename T> struct Segments {
    const T *in;
    T *out;
    const uint32_t *values_in;
    uint32_t *values_out;
    int64_t n, count;
    const uint64_t *begin, *end;

    explicit Segments(const bench_job *job)
        : in(static_cast<const T *>(job->in)), out(static_cast<T *>(job->out)),
          values_in(static_cast<const uint32_t *>(job->values_in)), values_out(static_cast<uint32_t *>(job->values_out)),
          n(static_cast<int64_t>(job->n)), count(static_cast<int64_t>(job->runs)), begin(job->counts),
          end(job->counts + 1)
    {
    }
};

/* DeviceSegmentedSort, which treats segments by their length. */
template <typename T> double sort_segments(const bench_job *job, unsigned calls)
{
    Segments<T> s(job);
    return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
        return job->value_size == 0
                   ? cub::DeviceSegmentedSort::StableSortKeys(memory, bytes, s.in, s.out, s.n, s.count, s.begin, s.end)
                   : cub::DeviceSegmentedSort::StableSortPairs(memory, bytes, s.in, s.out, s.values_in, s.values_out, s.n,
                                                               s.count, s.begin, s.end);
    });
}

/* DeviceSegmentedRadixSort, with a block for each segment. */
template <typename T> double sort_segments_by_radix(const bench_job *job, unsigned calls)
{
    Segments<T> s(job);
    return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
        return job->value_size == 0
                   ? cub::DeviceSegmentedRadixSort::SortKeys(memory, bytes, s.in, s.out, s.n, s.count, s.begin, s.end)
                   : cub::DeviceSegmentedRadixSort::SortPairs(memory, bytes, s.in, s.out, s.values_in, s.values_out, s.n,
                                                              s.count, s.begin, s.end);
    });
}

/* The faster one of CUB's two. */
double run_segmented_sort(const bench_job *job, unsigned calls)
{
    auto faster = [&](auto key) {
        using T = decltype(key);
        double by_length = sort_segments<T>(job, calls), by_radix = sort_segments_by_radix<T>(job, calls);
        return by_length < 0 || by_radix < 0 ? std::max(by_length, by_radix) : std::min(by_length, by_radix);
    };
    if (job->value_size != 0 && job->value_size != sizeof(uint32_t))
        return -1;
    return job->type == SCANKIT_U32 ? faster(uint32_t{}) : job->type == SCANKIT_U64 ? faster(uint64_t{}) : -1;
}

/* Even bins over all of u32, or over the floats from 0 to 1. CUB's counts have 32 bits here. */
template <typename T, typename Level> double count_even(const bench_job *job, unsigned calls, Level high)
{
    auto *in = static_cast<T *>(const_cast<void *>(job->in));
    auto *counts = static_cast<unsigned *>(job->out);
    return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(memory, bytes, in, counts, static_cast<int>(job->na) + 1, Level(0), high,
                                                   static_cast<int64_t>(job->n));
    });
}

double run_histogram(const bench_job *job, unsigned calls)
{
    if (job->na > size_t(1) << 22) /* CUB of CUDA 13.0 ends with a segmentation fault for 2^24 */
        return -1;
    return job->type == SCANKIT_U32   ? count_even<uint32_t>(job, calls, uint64_t(1) << 32)
           : job->type == SCANKIT_F32 ? count_even<float>(job, calls, 1.0f)
                                      : -1;
}

double run_merge(const bench_job *job, unsigned calls)
{
    return with_type(job->type, [&](auto *type) {
        auto *a = static_cast<decltype(type)>(const_cast<void *>(job->in));
        auto *b = a + job->na;
        auto *out = static_cast<decltype(type)>(job->out);
        return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
            return cub::DeviceMerge::MergeKeys(memory, bytes, a, (int64_t)job->na, b, (int64_t)(job->n - job->na), out);
        });
    });
}

} // namespace

const rivals *rivals_cuda(void)
{
    static const rivals table = {"CUB",
                                 &device_clock,
                                 &pinning,
                                 run_copy,
                                 run_scan,
                                 run_scan_thrust,
                                 run_reduce,
                                 run_split,
                                 run_compact,
                                 run_compact_flags,
                                 run_positions,
                                 run_split_predicate,
                                 run_encode,
                                 run_decode,
                                 run_unique,
                                 run_reduce_by_key,
                                 run_sort,
                                 run_sort_thrust,
                                 run_pairs,
                                 run_segmented_sort,
                                 run_histogram,
                                 run_merge,
                                 nullptr};
    return &table;
}
