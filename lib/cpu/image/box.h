/* box.h - the ways of a box filter. */
#ifndef SK_CPU_BOX_H
#define SK_CPU_BOX_H

#include "cpu/cpu.h"

/* box_map.c: any radii, also one for all that is larger than the image. */
scankit_error sk_box_by_table(sk_device *device, const scankit_image *in, const scankit_image *out, const sk_box *box);

/* box_running.c: one radius for all that is smaller than the image. */
bool sk_box_runs(const scankit_image *in, const sk_box *box);
scankit_error sk_box_by_running(sk_device *device, const scankit_image *in, const scankit_image *out,
                                const sk_box *box);

#endif
