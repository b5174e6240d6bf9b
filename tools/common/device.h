/* device.h - choosing and opening the device, and how much of its memory may be used. */
#ifndef DEVICE_H
#define DEVICE_H

#include "options.h"

/* Bytes a second that a device gets through, once it has started. */
struct device_rates {
    double gpu, cpu_each; /* of one processor */
    double cpu_most;      /* processors that are of use */
};

/* The bytes of input from which on a GPU finishes first; UINT64_MAX where it never does, or there is none. */
uint64_t device_break_even(const struct common *common, const struct device_rates *rates);

/* The device for this many bytes, as scankit_open() takes it, into text. Without rates the CPU finishes first. */
#define DEVICE_TEXT 64
void device_choose(const struct common *common, uint64_t bytes, const struct device_rates *rates,
                   char text[DEVICE_TEXT]);

/* True where the choice is device_choose()'s to make. */
bool device_is_open_question(const struct common *common);

/* True where the device that is asked for is of this kind, "cpu" or "cuda". */
bool device_is(const struct common *common, const char *kind);

/* Processors that the CPU may use. */
size_t device_processors(const struct common *common);

/* Starts opening a device; a GPU takes a third of a second, in which the caller can read. One at a time. */
void device_begin(const char *device);

/* The context once it is there. */
scankit_context *device_end(void);

/* How long that took, whatever was done meanwhile. */
double device_start_seconds(void);

/* Both steps at once, for a tool that goes through this many bytes, or SIZE_UNKNOWN of them, block by block; from the
 * second call on, nothing. Then, elements in a block for that device, where each takes `each` bytes in all blocks
 * together and the widest of them `wide`; they have one of `shares` of --buffer-size. The second is for blocks of so
 * many bytes at the widest, whatever the device. */
void device_begin_blocks(const struct common *common, uint64_t bytes, const struct device_rates *rates);
size_t device_block(const struct common *common, size_t wide, size_t each, unsigned shares);
size_t device_block_of(const struct common *common, size_t bytes, size_t wide, size_t each, unsigned shares);

/* Has threads of the library that wait for the next block leave the processors to those that read and write. Called
 * first of all: it starts the program once more. */
void device_wait_passively(char **argv);

/* Fails for an error of a library call, saying what it was. */
void check_call(scankit_context *context, scankit_error error);

/* Bytes of the device's memory that may be used: --buffer-size, or what was available at the first call. */
uint64_t device_limit(scankit_context *context, const struct common *common);

/* The same for memory of the host, whatever the device is. */
uint64_t host_limit(const struct common *common);

/* Fails where `need` bytes of memory for input of `bytes` bytes are more than the limit. */
void check_need(const struct common *common, uint64_t bytes, uint64_t need, uint64_t limit);

#endif
