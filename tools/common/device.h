/* device.h - choosing and opening the device, and how much of its memory may be used. */
#ifndef DEVICE_H
#define DEVICE_H

#include <pthread.h>

#include "memory.h"
#include "model/model.h"
#include "scankit_group.h"

enum device_kind { DEVICE_AUTO, DEVICE_CPU, DEVICE_CUDA, DEVICE_UNKNOWN };

/* A device, opened once; a GPU on a thread of its own, for that is slow. All zeros: not begun. */
struct device {
    enum device_kind kind;
    char name[64]; /* as scankit_open() takes it */
    bool begun, threaded, ended;
    pthread_t thread;
    scankit_context *context;
    const char *list;     /* of several devices, or NULL */
    scankit_group *group; /* of them; the context is its first one */
    scankit_error error;
    double seconds;   /* time to open it */
    size_t available; /* device_limit() of a GPU; 0: not asked yet */
};

/* The kind of a device's name: "auto", "cpu", "cpu:N", "cuda", "cuda:N". */
enum device_kind device_kind_of(const char *name);

/* The device that --device or the environment asks for, and its kind. */
const char *device_wanted_name(const struct common *common);
enum device_kind device_wanted(const struct common *common);

/* The list, if --device or the environment asks for several devices: "cuda:all", "cuda:0,1", "cpu:2,2"; else NULL. */
const char *device_list(const struct common *common);

/* The first device of a list, with free() left to the caller. */
char *device_first(const char *list);

/* The least bytes of input for which a GPU finishes first. UINT64_MAX if it never does, or there is none. */
uint64_t device_break_even(const struct common *common, enum work work);

/* Processors that the CPU may use. */
size_t device_processors(const struct common *common);

/* Chooses the device for this much input (0: unknown; UINT64_MAX: enough for a GPU), and starts to open it. A second
 * call does nothing. A GPU takes a third of a second, in which the caller can read. */
void device_begin(struct device *device, const struct common *common, uint64_t bytes, enum work work);

/* The same, but of a list the first device is taken; or all of them are opened. */
void device_begin_first(struct device *device, const struct common *common, uint64_t bytes, enum work work);
void device_begin_list(struct device *device, const char *list);

/* Bytes of the host's memory that all devices of a list take, if each takes `bytes`: CPUs do, GPUs have their own. */
size_t device_held(const struct device *device, size_t bytes);

/* How many devices work: the list's, or one; and the contexts of their group, after device_end(). */
size_t device_members(const struct device *device);
scankit_context *device_member(const struct device *device, size_t member);

/* Waits for the context. A CPU gets fewer threads if not all of them can be started, so call it after the threads that
 * read and write have been. */
scankit_context *device_end(struct device *device);

/* Counts work of the device alone, its transfers and library calls, for later choices: bytes of input, and when it
 * began; it ends now. Only the thread that works with the device calls it, for one kind of work. */
void device_worked(enum work work, uint64_t bytes, double begin);

/* Keeps the figures that this run measured, if they are worth it. */
void device_learn(struct device *device);

/* Elements per block. An element takes `each` bytes in all buffers together, and `wide` in the widest one. The blocks
 * get 1/shares of --buffer-size, and no more than --device-memory. The second function is for a widest buffer of
 * `bytes` bytes, whatever the device. */
size_t device_block(const struct device *device, const struct common *common, size_t wide, size_t each,
                    unsigned shares);
size_t device_block_of(const struct common *common, size_t bytes, size_t wide, size_t each, unsigned shares);

/* Makes waiting threads of OpenMP sleep, not spin. Call it first: it executes the program again. */
void device_wait_passively(char **argv);

/* Fails with the error's text unless it is SCANKIT_OK. */
void check_call(scankit_context *context, scankit_error error);

#endif
