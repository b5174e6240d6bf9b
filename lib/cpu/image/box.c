/* box.c - box filters: the way for each. */
#include "box.h"

scankit_error sk_cpu_box(sk_device *device, const scankit_image *in, const scankit_image *out, const sk_box *box)
{
    return sk_box_runs(in, box) ? sk_box_by_running(device, in, out, box) : sk_box_by_table(device, in, out, box);
}
