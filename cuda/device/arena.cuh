// arena.cuh - workspace for one call, taken from the device's arena and given back at the end of the scope.
#ifndef SK_CUDA_ARENA_CUH
#define SK_CUDA_ARENA_CUH

#include "device/device.cuh"

class workspace
{
  public:
    explicit workspace(cuda_device *device) : arena(&device->base.workspace), mark(sk_arena_mark(arena))
    {
    }
    ~workspace()
    {
        give_back();
    }
    workspace(const workspace &) = delete;
    workspace &operator=(const workspace &) = delete;

    // Takes memory for n elements; returns false if memory is short.
    template <class T> bool take(T **memory, size_t n)
    {
        return take_bytes((void **)memory, n, sizeof(T));
    }

    bool take_bytes(void **memory, size_t n, size_t size)
    {
        size_t bytes;
        *memory = __builtin_mul_overflow(n, size, &bytes) ? nullptr : sk_arena_take(arena, bytes);
        return *memory != nullptr;
    }

    // Gives back all memory taken so far. Queued launches may still use it: those that take it next run after them.
    void give_back()
    {
        sk_arena_reset(arena, mark);
    }

  private:
    sk_arena *arena;
    size_t mark;
};

#endif
