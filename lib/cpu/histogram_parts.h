/* histogram_parts.h - histograms of more bins than the caches hold, by parts of bins. */
#ifndef SK_HISTOGRAM_PARTS_H
#define SK_HISTOGRAM_PARTS_H

#include "cpu.h"

/* As the backend's, without weights. */
scankit_error sk_histogram_by_parts(sk_device *device, const sk_histogram *what, uint64_t *counts);

#endif
