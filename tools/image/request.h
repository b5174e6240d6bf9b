/* request.h - gpuimg's options, and its commands. */
#ifndef IMAGE_REQUEST_H
#define IMAGE_REQUEST_H

#include "common/job.h"

struct image_request {
    struct common common;
    uint32_t given; /* a bit for each of gpuimg's own options, in the order of the table */
    const char *to; /* NULL: not given */
    double radius, focus, aperture, radius_max;
    unsigned passes, level;
    const char *radius_map, *depth, *means; /* files; NULL: not given */
    scankit_edge edge;
    bool all, atlas, linear, check;
    scankit_table_method method;
    const char *type; /* NULL: not given */
};

/* Each takes the operands behind the command, and returns the exit status. */
int run_sat(const struct image_request *request, char *const *paths, size_t count, struct job *job);
int run_blur(const struct image_request *request, char *const *paths, size_t count, struct job *job);
int run_dof(const struct image_request *request, char *const *paths, size_t count, struct job *job);
int run_mipmap(const struct image_request *request, char *const *paths, size_t count, struct job *job);
int run_info(const struct image_request *request, char *const *paths, size_t count, struct job *job);

#endif
