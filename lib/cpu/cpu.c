/* cpu.c - the CPU as a device: its threads, its memory, and the table of what it can do. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "cpu.h"

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

/* The kernels of the best instruction set that this machine has. */
static const sk_kernels *choose_kernels(void)
{
#ifdef HAVE_X86_SIMD
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return &sk_kernels_avx512;
    if (avx2)
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

scankit_error sk_cpu_copy(sk_device *device, void *to, const void *from, size_t bytes)
{
    if (to == from || bytes == 0)
        return SCANKIT_OK;
#pragma omp parallel num_threads(sk_cpu_team(device, bytes / 2))
    {
        sk_range mine = sk_my_slice(bytes);
        memcpy((char *)to + mine.begin, (const char *)from + mine.begin, mine.end - mine.begin);
    }
    return SCANKIT_OK;
}

static scankit_error cpu_synchronize(sk_device *device)
{
    (void)device;
    return SCANKIT_OK;
}

/* What the kernel thinks can be had without swapping; where it does not say, what is free. */
static scankit_error cpu_available(sk_device *device, size_t *bytes)
{
    (void)device;
    *bytes = (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/proc/meminfo", "re");
    if (file == NULL)
        return SCANKIT_OK;
    char line[128];
    size_t kib;
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %zu", &kib) == 1)
            *bytes = kib << 10;
    (void)fclose(file);
    return SCANKIT_OK;
}

bool sk_take_columns(sk_device *device, sk_shape shape, size_t n, sk_columns *columns)
{
    *columns = (sk_columns){NULL, NULL};
    if (n > SIZE_MAX / 32)
        return false;
    columns->keys = sk_arena_take(&device->workspace, n * shape.key_size);
    if (shape.value_size > 0)
        columns->values = sk_arena_take(&device->workspace, n * shape.value_size);
    return columns->keys != NULL && (shape.value_size == 0 || columns->values != NULL);
}

void sk_copy_columns(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, size_t n)
{
    (void)sk_cpu_copy(device, out.keys, in.keys, n * shape.key_size);
    (void)sk_cpu_copy(device, out.values, in.values, n * shape.value_size);
}

const sk_backend sk_cpu_backend = {
    .prefix = "cpu",
    .count = cpu_count,
    .open = cpu_open,
    .close = cpu_close,
    .is_host = true,
    .allocate = cpu_allocate,
    .release = cpu_release,
    .upload = sk_cpu_copy,
    .download = sk_cpu_copy,
    .copy = sk_cpu_copy,
    .synchronize = cpu_synchronize,
    .available = cpu_available,
    .set_stream = NULL,
    .scan = sk_cpu_scan,
    .reduce = sk_cpu_reduce,
    .segmented_scan = sk_cpu_segmented_scan,
    .segmented_reduce = sk_cpu_segmented_reduce,
    .split = sk_cpu_split,
    .split_flags = sk_cpu_split_flags,
    .compact = sk_cpu_compact,
    .encode_runs = sk_cpu_encode_runs,
    .decode_runs = sk_cpu_decode_runs,
    .sort = sk_cpu_sort,
    .merge = sk_cpu_merge,
    .merge_values = sk_cpu_merge_values,
    .encode = sk_cpu_encode,
    .decode = sk_cpu_decode,
    .gather = sk_cpu_gather,
    .iota = sk_cpu_iota,
    .first_descent = sk_cpu_first_descent,
    .gallery_scan = sk_cpu_gallery_scan,
    .gallery_reduce = sk_cpu_gallery_reduce,
    .gallery_compact = sk_cpu_gallery_compact,
};
