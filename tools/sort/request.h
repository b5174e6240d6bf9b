/* request.h - what gpusort is asked to do, and the parts that do it. */
#ifndef REQUEST_H
#define REQUEST_H

#include "common/job.h"
#include "io/input.h"

struct sort_request {
    struct common common;
    const char *keys[KEYS_MAX]; /* the texts of -k */
    size_t key_count;
    bool reverse, unique, merge, argsort, in_place;
    bool check, check_quietly; /* the second with the first */
    uint64_t top;              /* UINT64_MAX: all */
    bool algorithm_given;
    scankit_algorithm algorithm;
};

/* Opens all files and finds out what they hold and what orders it. */
struct input *open_sorted(const struct sort_request *request, char *const *paths, size_t count, struct schema *schema);

/* Sorts or merges the inputs into one output: what --output says, or in place of the only input. */
void sort_files(const struct sort_request *request, char *const *paths, size_t count, struct job *job);

/* Whether the inputs, one behind the other, are sorted: STATUS_DONE or STATUS_NO. */
int check_files(const struct sort_request *request, char *const *paths, size_t count, struct job *job);

#endif
