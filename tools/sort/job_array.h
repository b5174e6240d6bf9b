/* job_array.h - a sort in separate steps, for job arrays. The folder of a job holds:
 *
 *     scankit-job      the description, which the first task writes and no task changes
 *     part-I           a workspace with the sorted runs of part I of the input, which only task I writes
 */
#ifndef JOB_ARRAY_H
#define JOB_ARRAY_H

#include "io/run_store.h"
#include "request.h"

#define ARRAY_PARTS_MAX 1000000

struct array_job {
    const char *folder;
    uint64_t parts, elements;
    int unique, argsort;
    struct schema schema; /* its size and keys, no more, if it was read */
    char *text;
};

/* The description of this job. The folder is made, and gets the description if it has none; `task` keeps the names of
 * temporaries apart. Fails if it has another. */
void array_job_begin(struct array_job *array, const struct sort_request *request, const struct input *inputs,
                     size_t count, const struct schema *schema, uint64_t task);

/* Reads the description from the folder. Fails if there is none, or it is for another number of parts. */
void array_job_read(struct array_job *array, const struct sort_request *request);

void array_job_free(struct array_job *array);

/* Where part i of n elements begins, i from 1 to `parts` + 1. */
uint64_t array_place(uint64_t n, uint64_t i, uint64_t parts);

/* Opens the run store of a part. remedy: see run_store.h; NULL to write the part. *path gets the folder's name, with
 * free() left to the caller after the store is closed. */
struct run_store *array_open_part(const struct array_job *array, uint64_t part, const struct run_store_options *options,
                                  char **path);

/* ---- the tasks ---- */

/* Sorts the part, or all parts, that the request names. What is done already stays. */
void partition_files(const struct sort_request *request, char *const *paths, size_t count, struct job *job);

/* Writes the range of the result that the request names. */
void merge_range_of_files(const struct sort_request *request, char *const *paths, size_t count, struct job *job);

#endif
