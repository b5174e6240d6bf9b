// result.cu - small results that the host waits for. They pass through pinned memory, at the end of the pinned buffers.
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

// After this many looks at a word that has not arrived, some 50 microseconds, the host waits for the stream instead: the
// kernel is a long one, or it has failed.
constexpr int LOOKS = 20000;

static unsigned long long *word_of(cuda_device *gpu)
{
    return reinterpret_cast<unsigned long long *>(gpu->pinned + STAGES * STAGE_BYTES + RESULT_BYTES);
}

host_word cuda_next_word(cuda_device *gpu)
{
    unsigned long long *word = word_of(gpu);
    return {word, word + 1, ++gpu->words};
}

scankit_error cuda_wait_word(cuda_device *gpu, void *host, size_t bytes)
{
    if (gives_none(gpu))
        return give_none(gpu, host, bytes);
    const unsigned long long *word = word_of(gpu);
    int looks = 0;
    while (looks < LOOKS && __atomic_load_n(word + 1, __ATOMIC_ACQUIRE) != gpu->words)
        looks++;
    if (looks == LOOKS)
        CHECK(cudaStreamSynchronize(gpu->stream));
    std::memcpy(host, word, bytes);
    return SCANKIT_OK;
}
