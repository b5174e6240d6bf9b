/* histogram.h - bins as the caller gives them, and as backends take them. */
#ifndef SK_HISTOGRAM_H
#define SK_HISTOGRAM_H

#include "internal.h"

/* Why these are not bins of keys of this type, or NULL. */
const char *sk_wrong_bins(scankit_type type, const scankit_bins *bins);

/* Edges go to the workspace. */
scankit_error sk_prepare_bins(scankit_context *context, scankit_type type, const scankit_bins *bins, sk_bins *to);

#endif
