/* pipeline.h - source, stage, sinks: threads read blocks of elements, the stage takes each to the device and fills
 * blocks of the sinks, threads write these. Memory is constant, whatever the input. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "common/job.h"
#include "input.h"
#include "sink.h"

struct pipeline {
    struct job *job;
    struct input *inputs; /* the source: read in order */
    size_t count;
    struct schema schema;
    size_t block;          /* elements in one, set before the run */
    uint64_t elements;     /* taken so far */
    struct sink *sinks[2]; /* NULL: not opened */
    const struct stage *stage;
};

/* What is done with the elements. */
struct stage {
    void (*begin)(void *state, scankit_context *context); /* before the first block, or NULL */
    void (*take)(void *state, char *block, size_t n); /* n >= 1 elements of the host; the next call reuses the room */
    const struct shared_stage *shared;                /* what several devices do instead, or NULL */
    void *state;
};

/* Devices of a list, the members, take blocks by turns. Each has a thread. */
struct shared_stage {
    void (*begin)(void *state, const struct device *device); /* before the first block */
    /* Brings n elements, from element `first` on, to a member's device, and does there what needs no other block. */
    void (*prepare)(void *state, size_t member, const char *block, size_t n, uint64_t first);
    void (*give)(void *state, size_t member, size_t n); /* ends it: one block at a time, in their order */
};

/* An output of elements. */
struct sink_options {
    const char *path;  /* as output_open() takes it; not looked at with in_place */
    bool in_place;     /* the output replaces the only input */
    enum codec codec;  /* of the output, unless --gzip or --zstd is given */
    const char *descr; /* of a .npy file's elements, if the input is one; NULL: never a .npy file */
    bool numbers;      /* its elements are u64 numbers, not the inputs' elements */
    bool exact;        /* it gets as many elements as the inputs have; else at most as many */
};

/* Opens the inputs. */
void pipeline_open(struct pipeline *pipeline, struct job *job, char *const *paths, size_t count, enum input_use use);

/* Starts to open the device that is best for them; of a list all devices if they do the work together, else the first.
 */
void pipeline_begin(struct pipeline *pipeline, enum work work, bool together);

/* Opens one of up to two sinks, which must outlive the run. */
void pipeline_open_sink(struct pipeline *pipeline, struct sink *sink, const struct sink_options *options);

/* Bytes of all inputs, or SIZE_UNKNOWN. */
uint64_t pipeline_size(const struct pipeline *pipeline);

/* Passes all elements to the stage. The progress line counts up to `bytes`, which may be SIZE_UNKNOWN. */
void pipeline_run(struct pipeline *pipeline, enum phase phase, uint64_t bytes, const struct stage *stage);

/* Ends the phase, and adds what was done to the statistics. */
void pipeline_close(struct pipeline *pipeline);

#endif
