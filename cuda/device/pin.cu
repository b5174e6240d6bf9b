// pin.cu - host memory pinned by callers: one table for all devices of the process.
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <unistd.h>

#include "device/pin.cuh"

struct pinned_area {
    uintptr_t begin, end;
    const cuda_device *owner; // which pinned it, and unpins it when it is closed
    bool read_only;
    bool ready; // false while the driver pins or unpins the area, which the lock does not cover
    pinned_area *next;
};

static std::mutex lock;
static pinned_area *areas;

static bool overlap(const pinned_area *area, uintptr_t begin, uintptr_t end)
{
    return area->begin < end && begin < area->end;
}

// The link to the area that begins at this address, or nullptr.
static pinned_area **find_area(uintptr_t begin)
{
    for (pinned_area **link = &areas; *link != nullptr; link = &(*link)->next)
        if ((*link)->begin == begin && (*link)->ready)
            return link;
    return nullptr;
}

// Puts the area into the table unless it overlaps another one.
static bool claim(pinned_area *area)
{
    std::lock_guard<std::mutex> hold(lock);
    for (const pinned_area *other = areas; other != nullptr; other = other->next)
        if (overlap(other, area->begin, area->end))
            return false;
    area->next = areas;
    areas = area;
    return true;
}

// Takes it out again.
static void give_up(pinned_area *area)
{
    std::lock_guard<std::mutex> hold(lock);
    for (pinned_area **link = &areas; *link != nullptr; link = &(*link)->next)
        if (*link == area) {
            *link = area->next;
            break;
        }
    std::free(area);
}

// A failure of the driver, for a caller that may not write to the device.
static scankit_error failed(cudaError_t error, char *detail)
{
    (void)cudaGetLastError();
    std::snprintf(detail, SK_DETAIL, "%s (%s)", cudaGetErrorString(error), cudaGetErrorName(error));
    return error == cudaErrorMemoryAllocation              ? SCANKIT_E_MEMORY
           : error == cudaErrorHostMemoryAlreadyRegistered ? SCANKIT_E_ARGUMENT
                                                           : SCANKIT_E_DEVICE;
}

static cudaError_t register_area(const cuda_device *gpu, const pinned_area *area)
{
    unsigned flags = cudaHostRegisterPortable | (area->read_only ? cudaHostRegisterReadOnly : 0);
    cudaError_t error = cudaSetDevice(gpu->ordinal);
    return error != cudaSuccess
               ? error
               : cudaHostRegister(reinterpret_cast<void *>(area->begin), area->end - area->begin, flags);
}

scankit_error cuda_pin(sk_device *device, const void *memory, size_t bytes, bool read_only, char *detail)
{
    uintptr_t begin = reinterpret_cast<uintptr_t>(memory);
    if (bytes > UINTPTR_MAX - begin) {
        std::snprintf(detail, SK_DETAIL, "more memory than there are addresses");
        return SCANKIT_E_ARGUMENT;
    }
    auto *area = static_cast<pinned_area *>(std::calloc(1, sizeof(pinned_area)));
    if (area == nullptr)
        return SCANKIT_E_MEMORY;
    *area = {begin, begin + bytes, as_cuda(device), read_only, false, nullptr};
    if (!claim(area)) {
        std::free(area);
        std::snprintf(detail, SK_DETAIL, "the memory is pinned already, in part or in whole");
        return SCANKIT_E_ARGUMENT;
    }
    cudaError_t error = register_area(as_cuda(device), area);
    if (error != cudaSuccess) {
        give_up(area);
        return failed(error, detail);
    }
    std::lock_guard<std::mutex> hold(lock);
    area->ready = true;
    return SCANKIT_OK;
}

static cudaError_t unregister_area(const cuda_device *gpu, pinned_area *area)
{
    cudaError_t error = cudaSetDevice(gpu->ordinal);
    if (error == cudaSuccess)
        error = cudaHostUnregister(reinterpret_cast<void *>(area->begin));
    give_up(area);
    return error;
}

scankit_error cuda_unpin(sk_device *device, const void *memory, char *detail)
{
    pinned_area *area = nullptr;
    {
        std::lock_guard<std::mutex> hold(lock);
        if (pinned_area **link = find_area(reinterpret_cast<uintptr_t>(memory))) {
            area = *link;
            area->ready = false;
        }
    }
    if (area == nullptr) {
        std::snprintf(detail, SK_DETAIL, "no pinned memory begins at this address");
        return SCANKIT_E_ARGUMENT;
    }
    cudaError_t error = unregister_area(as_cuda(device), area);
    return error == cudaSuccess ? SCANKIT_OK : failed(error, detail);
}

void unpin_all(const cuda_device *gpu)
{
    for (;;) {
        pinned_area *area;
        {
            std::lock_guard<std::mutex> hold(lock);
            for (area = areas; area != nullptr && area->owner != gpu; area = area->next)
                ;
            if (area != nullptr)
                area->ready = false;
        }
        if (area == nullptr)
            return;
        if (unregister_area(gpu, area) != cudaSuccess)
            (void)cudaGetLastError();
    }
}

// The driver pins whole pages and refuses transfers that begin in pinned pages and end outside.
host_part next_part(const void *host, size_t bytes)
{
    uintptr_t begin = reinterpret_cast<uintptr_t>(host), end = begin + bytes, page = uintptr_t(sysconf(_SC_PAGESIZE));
    bool near_pinned = false;
    std::lock_guard<std::mutex> hold(lock);
    for (const pinned_area *area = areas; area != nullptr; area = area->next)
        if (area->ready && area->begin <= begin && begin < area->end)
            return {(end < area->end ? end : area->end) - begin, HOST_PINNED, area->read_only};
    for (const pinned_area *area = areas; area != nullptr; area = area->next) {
        near_pinned = near_pinned || (area->begin / page * page < end && begin < (area->end + page - 1) / page * page);
        if (area->ready && begin < area->begin && area->begin < end)
            end = area->begin;
    }
    return {end - begin, near_pinned ? HOST_STAGED : HOST_UNKNOWN, false};
}
