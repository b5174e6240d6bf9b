/* filtering.h - filters that make a picture of the same size: blur and dof. */
#ifndef FILTERING_H
#define FILTERING_H

#include "session.h"

/* A filter's call of the library. map: NULL if there is none. */
typedef scankit_error filter_call(scankit_context *context, const struct image_request *request,
                                  const scankit_image *in, const scankit_image *map, const scankit_image *out);

/* Reads, filters and writes. map_path: the file of the map, or NULL. */
int filter_file(const struct image_request *request, char *const *paths, size_t count, struct job *job,
                const char *map_path, filter_call *call);

#endif
