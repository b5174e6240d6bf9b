/* device.h - choosing and opening the device, and how much of its memory may be used. */
#ifndef DEVICE_H
#define DEVICE_H

#include <pthread.h>

#include "options.h"

/* Bytes a second that a device gets through, once it has started. */
struct device_rates {
    double gpu, cpu_each; /* of one processor */
    double cpu_most;      /* processors that are of use */
};

enum device_kind { DEVICE_AUTO, DEVICE_CPU, DEVICE_CUDA, DEVICE_UNKNOWN };

/* A device that is opened once, on a thread of its own where that is slow. All zeros: not begun. */
struct device {
    enum device_kind kind;
    char name[64]; /* as scankit_open() takes it */
    bool begun, threaded, ended;
    pthread_t thread;
    scankit_context *context;
    scankit_error error;
    double seconds;   /* that opening it took, whatever was done meanwhile */
    size_t available; /* bytes of its memory when first asked for, or 0 */
};

/* The kind of a device's name: "auto", "cpu", "cpu:N", "cuda", "cuda:N". */
enum device_kind device_kind_of(const char *name);

/* The kind that --device or the environment asks for. */
enum device_kind device_wanted(const struct common *common);

/* The bytes of input from which on a GPU finishes first; UINT64_MAX where it never does, or there is none. */
uint64_t device_break_even(const struct common *common, const struct device_rates *rates);

/* Processors that the CPU may use. */
size_t device_processors(const struct common *common);

/* Chooses the device for this many bytes, without rates the CPU for DEVICE_AUTO, and starts opening it; from the second
 * call on, nothing. A GPU takes a third of a second, in which the caller can read. */
void device_begin(struct device *device, const struct common *common, uint64_t bytes, const struct device_rates *rates);

/* The context once it is there. A CPU gets fewer threads where not all can be started: call it after the threads that
 * read and write have begun. */
scankit_context *device_end(struct device *device);

/* Elements in a block for this device, where each takes `each` bytes in all blocks together and the widest of them
 * `wide`; they have one of `shares` of --buffer-size. The second is for blocks of `bytes` bytes at the widest, whatever
 * the device. */
size_t device_block(const struct device *device, const struct common *common, size_t wide, size_t each,
                    unsigned shares);
size_t device_block_of(const struct common *common, size_t bytes, size_t wide, size_t each, unsigned shares);

/* Lets threads of the library that wait for the next block leave the processors to those that read and write. Called
 * first of all: it starts the program once more. */
void device_wait_passively(char **argv);

/* Fails for an error of a library call, saying what it was. */
void check_call(scankit_context *context, scankit_error error);

/* Bytes of the device's memory that may be used: --buffer-size, or what was available at the first call. */
uint64_t device_limit(struct device *device, const struct common *common);

/* The same for memory of the host, whatever the device is. */
uint64_t host_limit(const struct common *common);

/* Fails where `need` bytes of memory for input of `bytes` bytes are more than the limit. */
void check_need(const struct common *common, uint64_t bytes, uint64_t need, uint64_t limit);

#endif
