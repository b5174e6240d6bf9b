/* devices.h - lists of devices: see scankit_group_open(). */
#ifndef SK_GROUP_DEVICES_H
#define SK_GROUP_DEVICES_H

#include "internal.h"

/* The number of devices that the text lists; 0 for all GPUs where there are none. */
size_t sk_count_devices(const char *text);

/* Opens all `count` of them, or none. */
scankit_error sk_open_devices(const char *text, scankit_context **contexts, size_t count);

void sk_close_devices(scankit_context **contexts, size_t count);

#endif
