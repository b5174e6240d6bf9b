/* rivals_cuda.cu - the GPU's rival: CUB, which comes with CUDA, with counts of 64 bits. */
#include "rivals.h"

#include <cstdint>
#include <cub/device/device_merge.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

namespace {

/* CUB's workspace: asked for once a job, kept from job to job. */
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

/* Seconds of one of `calls` queued calls of work(), by the device's own clock. */
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

/* The same for a function of CUB, called as call(workspace, bytes). */
template <typename Call> double seconds_of_cub(unsigned calls, Call call)
{
    size_t bytes = 0;
    if (call(nullptr, bytes) != cudaSuccess || !scratch.reserve(bytes))
        return -1;
    return seconds_of(calls, [&] { call(scratch.memory, bytes); });
}

template <typename F> double with_type(scankit_type type, F f)
{
    switch (type) {
    case SCANKIT_U32: return f(static_cast<uint32_t *>(nullptr));
    case SCANKIT_U64: return f(static_cast<uint64_t *>(nullptr));
    case SCANKIT_F32: return f(static_cast<float *>(nullptr));
    default: return -1;
    }
}

double run_copy(const bench_job *job, unsigned calls)
{
    size_t bytes = job->n * scankit_type_size(job->type);
    return seconds_of(calls, [&] { cudaMemcpyAsync(job->out, job->in, bytes, cudaMemcpyDeviceToDevice); });
}

double run_scan(const bench_job *job, unsigned calls)
{
    return with_type(job->type, [&](auto *type) {
        auto *in = static_cast<decltype(type)>(const_cast<void *>(job->in));
        auto *out = static_cast<decltype(type)>(job->out);
        return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
            return job->kind == SCANKIT_INCLUSIVE ? cub::DeviceScan::InclusiveSum(memory, bytes, in, out, job->n)
                                                  : cub::DeviceScan::ExclusiveSum(memory, bytes, in, out, job->n);
        });
    });
}

double run_reduce(const bench_job *job, unsigned calls)
{
    return with_type(job->type, [&](auto *type) {
        auto *in = static_cast<decltype(type)>(const_cast<void *>(job->in));
        auto *out = static_cast<decltype(type)>(job->out);
        return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
            return cub::DeviceReduce::Sum(memory, bytes, in, out, job->n);
        });
    });
}

double sort_by_bits(const bench_job *job, unsigned calls, int begin_bit, int end_bit)
{
    return with_type(job->type, [&](auto *type) {
        auto *in = static_cast<decltype(type)>(const_cast<void *>(job->in));
        auto *out = static_cast<decltype(type)>(job->out);
        return seconds_of_cub(calls, [&](void *memory, size_t &bytes) {
            return cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, job->n, begin_bit, end_bit);
        });
    });
}

/* A split by a digit is a radix sort by that digit alone. */
double run_split(const bench_job *job, unsigned calls)
{
    return sort_by_bits(job, calls, RIVALS_SPLIT_BIT, RIVALS_SPLIT_BIT + RIVALS_SPLIT_BITS);
}

double run_sort(const bench_job *job, unsigned calls)
{
    return sort_by_bits(job, calls, 0, 8 * (int)scankit_type_size(job->type));
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
    static const rivals table = {"CUB", run_copy, run_scan, run_reduce, run_split, run_sort, run_pairs, run_merge};
    return &table;
}
