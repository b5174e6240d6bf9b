/* light.h - how integers hold light. */
#ifndef SK_LIGHT_H
#define SK_LIGHT_H

#include "internal.h"

/* For integers of that type; NULL tables if they are linear, or are no integers. Any thread may call it. */
sk_light sk_light_of(scankit_type type, int linear);

#endif
