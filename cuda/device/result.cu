// result.cu - small results that the host waits for. They pass through pinned memory, at the end of the pinned buffers.
#include <chrono>
#include <cstring>

#include "device/check.cuh"
#include "device/host_word.cuh"

static bool gives_none(const cuda_device *gpu)
{
    return gpu->captures || sk_rehearses(&gpu->base);
}

static scankit_error give_none(cuda_device *gpu, void *host, size_t bytes)
{
    if (gpu->captures)
        return cuda_refuse_capture(gpu, "a result in host memory");
    if (bytes > 0)
        std::memset(host, 0, bytes);
    return SCANKIT_OK;
}

void *cuda_result(cuda_device *gpu)
{
    return gpu->pinned + STAGES * STAGE_BYTES; // pinned memory has the same address on the host and on the GPU
}

scankit_error cuda_wait_result(cuda_device *gpu, void *host, size_t bytes)
{
    if (gives_none(gpu))
        return give_none(gpu, host, bytes);
    CHECK(cudaStreamSynchronize(gpu->stream));
    std::memcpy(host, cuda_result(gpu), bytes);
    return SCANKIT_OK;
}

scankit_error cuda_fetch(cuda_device *gpu, void *host, const void *from, size_t bytes)
{
    if (gives_none(gpu))
        return give_none(gpu, host, bytes);
    CHECK(cudaMemcpyAsync(cuda_result(gpu), from, bytes, cudaMemcpyDeviceToHost, gpu->stream));
    return cuda_wait_result(gpu, host, bytes);
}

scankit_error cuda_ask(cuda_device *gpu, const void *from, size_t bytes)
{
    if (gives_none(gpu))
        return give_none(gpu, nullptr, 0);
    CHECK(cudaMemcpyAsync(cuda_result(gpu), from, bytes, cudaMemcpyDeviceToHost, gpu->stream));
    CHECK(cudaEventRecord(gpu->asked, gpu->stream));
    return SCANKIT_OK;
}

scankit_error cuda_answer(cuda_device *gpu, void *host, size_t bytes)
{
    if (gives_none(gpu))
        return give_none(gpu, host, bytes);
    CHECK(cudaEventSynchronize(gpu->asked));
    std::memcpy(host, cuda_result(gpu), bytes);
    return SCANKIT_OK;
}

// ---- words ----

// If a word has not arrived after that long, the host waits for the stream instead: the kernel is a long one, or it has
// failed. That wait is also for launches behind the kernel. Looks between two looks at the clock.
constexpr std::chrono::microseconds LOOKS_END(200);
constexpr int LOOKS = 64;

static unsigned long long *word_of(cuda_device *gpu)
{
    return reinterpret_cast<unsigned long long *>(gpu->pinned + STAGES * STAGE_BYTES + RESULT_BYTES);
}

host_word cuda_next_word(cuda_device *gpu)
{
    unsigned long long *word = word_of(gpu);
    return {word, word + 1, ++gpu->words};
}

static bool has_arrived(const unsigned long long *arrived, unsigned long long number)
{
    using clock = std::chrono::steady_clock;
    clock::time_point end = clock::now() + LOOKS_END;
    do {
        for (int i = 0; i < LOOKS; i++)
            if (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) == number)
                return true;
    } while (clock::now() < end);
    return false;
}

scankit_error cuda_wait_word(cuda_device *gpu, void *host, size_t bytes)
{
    if (gives_none(gpu))
        return give_none(gpu, host, bytes);
    const unsigned long long *word = word_of(gpu);
    if (!has_arrived(word + 1, gpu->words))
        CHECK(cudaStreamSynchronize(gpu->stream));
    std::memcpy(host, word, bytes);
    return SCANKIT_OK;
}
