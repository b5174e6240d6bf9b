// bulk.cuh - asynchronous bulk copies between global and shared memory, which one thread starts, and the barriers that
// tell when they have arrived (PTX ISA, cp.async.bulk and mbarrier). For sm_90 and later.
#ifndef SK_CUDA_BULK_CUH
#define SK_CUDA_BULK_CUH

#include <cstdint>

__device__ __forceinline__ uint32_t shared_address(const void *memory)
{
    return uint32_t(__cvta_generic_to_shared(memory));
}

// A phase of a barrier is over after `arrivals` arrivals. A slot's k-th use is phase k, with parity k & 1.
struct phase_barrier {
    uint64_t state;

    __device__ __forceinline__ void open(int arrivals)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(this)), "r"(arrivals));
    }
    __device__ __forceinline__ void arrive()
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(this)) : "memory");
    }
    // Arrives. The phase is not over before `bytes` bytes have been copied.
    __device__ __forceinline__ void expect(uint32_t bytes)
    {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(this)), "r"(bytes)
                     : "memory");
    }
    __device__ __forceinline__ void wait(unsigned parity)
    {
        asm volatile("{ .reg .pred over;\n"
                     "again: mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n"
                     "@!over bra again; }" ::"r"(shared_address(this)),
                     "r"(parity)
                     : "memory");
    }
};

// Both addresses are multiples of 16 bytes. Completes on `arrived`.
__device__ __forceinline__ void bulk_load(void *shared, const void *global, uint32_t bytes, phase_barrier *arrived)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(shared)),
                 "l"(global), "r"(bytes), "r"(shared_address(arrived))
                 : "memory");
}

// Each store is a group of its own.
__device__ __forceinline__ void bulk_store(void *global, const void *shared, uint32_t bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
                 "cp.async.bulk.commit_group;" ::"l"(global),
                 "r"(shared_address(shared)), "r"(bytes)
                 : "memory");
}

// Waits until all stores but the last GROUPS have read shared memory.
template <int GROUPS> __device__ __forceinline__ void bulk_wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(GROUPS) : "memory");
}

// Orders this thread's accesses to shared memory before later bulk copies from and to it.
__device__ __forceinline__ void bulk_fence()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

#endif
