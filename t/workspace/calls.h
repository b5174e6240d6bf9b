/* calls.h - calls of all functions that take workspace, on arrays that they share. */
#ifndef WORKSPACE_CALLS_H
#define WORKSPACE_CALLS_H

#include <stdbool.h>

#include "place.h"

/* Lists of calls end with an empty one. */
typedef struct workspace_call {
    const char *name;
    scankit_error (*run)(place *p);
    bool answers; /* has a result in host memory, or the host reads lengths: it cannot be captured */
    bool varies;  /* needs far less for most data: for other lengths of segments, for samples that do not mislead */
} workspace_call;

extern const workspace_call array_calls[], sort_calls[], merge_calls[], image_calls[];

#endif
