/* request.h - gpusort's options, and its parts. */
#ifndef REQUEST_H
#define REQUEST_H

#include "common/job.h"
#include "io/input.h"

#define FOLDERS_MAX 64

struct sort_request {
    struct common common;
    const char *keys[KEYS_MAX]; /* the texts of -k */
    size_t key_count;
    const char *by[KEYS_MAX]; /* the texts of --by: the columns of a table */
    size_t by_count;
    bool nulls_given, nulls_first;
    bool reverse, unique, merge, argsort, in_place;
    bool list;
    bool check, check_quietly;          /* check_quietly implies check */
    uint64_t top;                       /* UINT64_MAX: all */
    const char *algorithm_name;         /* NULL: not given */
    scankit_algorithm algorithm;        /* production's, unless there is a row */
    const scankit_gallery_row *gallery; /* the row of a textbook sort; or NULL */
    char *folders[FOLDERS_MAX];         /* for temporaries; if there are none, the run store chooses */
    size_t folder_count;
    bool compress_temporaries;
    const char *devices;   /* a list of several; common.device is the first of them. NULL: one device */
    const char *workspace; /* NULL: the sort cannot be resumed */
    const char *manifest;  /* the folder of a job array, or NULL */
    const char *segments;  /* NULL: all elements are sorted together */
    bool partition, merge_range;
    uint64_t parts, part; /* of the job array; part 0: all */
};

/* Opens all files. Sets the schema with its keys. */
struct input *open_sorted(const struct sort_request *request, char *const *paths, size_t count, struct schema *schema);

/* Sorts or merges the inputs into one output, or in place of the only input. */
void sort_files(const struct sort_request *request, char *const *paths, size_t count, struct job *job);

/* As ranks of MPI: sorts more than their memories hold, from inputs that ranks divide, and writes the first output.
 * Collective. */
struct rank_files;
void sort_in_runs_of_ranks(const struct sort_request *request, struct rank_files *files);

/* Checks whether the inputs, in order, are sorted: STATUS_DONE or STATUS_NO. */
int check_files(const struct sort_request *request, char *const *paths, size_t count, struct job *job);

#endif
