/* top_first.c - top-k in one go is for a GPU: lib/sort/top_k.c waits between its steps, which costs a CPU nothing. */
#include "cpu/cpu.h"

scankit_error sk_cpu_top_first(sk_device *device, const sk_top_first *what, sk_top_end *end)
{
    (void)device;
    (void)what;
    *end = (sk_top_end){.done = false};
    return SCANKIT_OK;
}
