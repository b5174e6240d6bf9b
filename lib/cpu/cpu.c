/* cpu.c - the CPU as a device: its threads, its memory, and its table of functions. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "cpu.h"
#include "host_memory.h"

#define THREADS_MAX 1024
#define HUGE_PAGE ((size_t)2 << 20)

static int cpu_count(void)
{
    return 1;
}

/* Large blocks lie on huge pages: sorting touches thousands of places at once, more than a TLB has small pages. */
static void *cpu_memory(size_t bytes)
{
    bool huge = bytes >= 2 * HUGE_PAGE;
    size_t alignment = huge ? HUGE_PAGE : SK_ARENA_ALIGNMENT;
    if (bytes > SIZE_MAX / 2)
        return NULL;
    size_t size = (bytes + alignment - 1) & ~(alignment - 1);
    void *memory = aligned_alloc(alignment, size > 0 ? size : alignment);
    if (memory != NULL && huge)
        (void)madvise(memory, size, MADV_HUGEPAGE);
    return memory;
}

#ifdef HAVE_X86_SIMD
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}
#endif

/* The kernels of the best instruction set that this machine has. SCANKIT_CPU_KERNELS=base or avx2 names a lesser one.
 */
static const sk_kernels *choose_kernels(void)
{
#ifdef HAVE_X86_SIMD
    const char *most = getenv("SCANKIT_CPU_KERNELS");
    bool base = most != NULL && strcmp(most, "base") == 0, avx2 = most != NULL && strcmp(most, "avx2") == 0;
    if (!base && !avx2 && has_avx512())
        return &sk_kernels_avx512;
    if (!base && has_avx2())
        return &sk_kernels_avx2;
#endif
    return &sk_kernels_base;
}

static void *arena_allocate(void *owner, size_t bytes)
{
    (void)owner;
    return cpu_memory(bytes);
}

static void arena_release(void *owner, void *memory)
{
    (void)owner;
    free(memory);
}

static scankit_error cpu_open(sk_device **device, int number)
{
    *device = NULL;
    if (number == 0 || number < -1 || number > THREADS_MAX)
        return SCANKIT_E_NO_DEVICE;
    sk_cpu *cpu = calloc(1, sizeof *cpu);
    if (cpu == NULL)
        return SCANKIT_E_MEMORY;
    int all = omp_get_num_procs();
    int threads = number > 0 ? number : all < 1 ? 1 : all < THREADS_MAX ? all : THREADS_MAX;
    cpu->threads = SK_HAS_THREADS ? threads : 1;
    cpu->kernels = choose_kernels();
    sk_open_bins(cpu->kernels);
    cpu->base.workspace.allocate = arena_allocate;
    cpu->base.workspace.release = arena_release;
    cpu->base.algorithm = "";
    snprintf(cpu->base.name, sizeof cpu->base.name, "cpu:%d", threads);
    *device = &cpu->base;
    return SCANKIT_OK;
}

static void cpu_close(sk_device *device)
{
    sk_arena_close(&device->workspace);
    free(device);
}

static scankit_error cpu_allocate(sk_device *device, void **memory, size_t bytes)
{
    (void)device;
    *memory = cpu_memory(bytes);
    return *memory != NULL ? SCANKIT_OK : SCANKIT_E_MEMORY;
}

static void cpu_release(sk_device *device, void *memory)
{
    (void)device;
    free(memory);
}

static scankit_error cpu_upload(sk_device *device, void *to, const void *from, size_t bytes)
{
    return sk_cpu_copy(device, to, from, bytes);
}

static scankit_error cpu_download(sk_device *device, void *to, const void *from, size_t bytes)
{
    return sk_cpu_copy(device, to, from, bytes);
}

static scankit_error cpu_copy(sk_device *device, void *to, const void *from, size_t bytes)
{
    return sk_cpu_copy(device, to, from, bytes);
}

static scankit_error cpu_copy_beside(sk_device *device, void *to, const void *from, size_t bytes)
{
    return cpu_copy(device, to, from, bytes);
}

/* Transfers are copies, which need no pin. */
static scankit_error cpu_pin(sk_device *device, const void *memory, size_t bytes, bool read_only, char *detail)
{
    (void)device, (void)memory, (void)bytes, (void)read_only, (void)detail;
    return SCANKIT_OK;
}

static scankit_error cpu_unpin(sk_device *device, const void *memory, char *detail)
{
    (void)device, (void)memory, (void)detail;
    return SCANKIT_OK;
}

static scankit_error no_streams(sk_device *device)
{
    snprintf(device->detail, sizeof device->detail, "this device has no streams");
    return SCANKIT_E_ARGUMENT;
}

static scankit_error cpu_set_stream(sk_device *device, void *stream)
{
    (void)stream;
    return no_streams(device);
}

static scankit_error cpu_wait_stream(sk_device *device, void *stream)
{
    (void)stream;
    return no_streams(device);
}

static scankit_error cpu_signal_stream(sk_device *device, void *stream)
{
    (void)stream;
    return no_streams(device);
}

/* Host memory is copied at once. */
static scankit_error cpu_wait_beside(sk_device *device)
{
    (void)device;
    return SCANKIT_OK;
}

static scankit_error cpu_reach(sk_device *device, const sk_device *other)
{
    (void)device;
    (void)other;
    return SCANKIT_OK;
}

static scankit_error cpu_synchronize(sk_device *device)
{
    (void)device;
    return SCANKIT_OK;
}

static bool cpu_captures(sk_device *device)
{
    (void)device;
    return false;
}

static size_t clamp(uint64_t bytes)
{
    return bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

static scankit_error cpu_available(sk_device *device, size_t *bytes)
{
    (void)device;
    *bytes = clamp(sk_host_memory_now().available);
    return SCANKIT_OK;
}

static scankit_error cpu_total(sk_device *device, size_t *bytes)
{
    (void)device;
    *bytes = clamp(sk_host_memory_now().total);
    return SCANKIT_OK;
}

/* clang-format off */
const sk_backend sk_cpu_backend = {
    .prefix = "cpu",
    .is_host = true,
#define X(result, name, parameters) .name = cpu_##name,
    SK_DEVICE_FUNCTIONS(X)
#undef X
#define X(name, parameters) .name = sk_cpu_##name,
    SK_PRIMITIVES(X)
#undef X
};
/* clang-format on */
