/* device.h - runs a test on every available device, on arrays with guard bytes around them.
 *
 * In the environment, SCANKIT_TEST_DEVICE=cpu or cuda selects devices, and SCANKIT_TEST_EVERY=N runs one of N cases,
 * for tools that make programs a hundred times slower. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "scankit.h"

#define DEVICE_AREAS 8

/* Device memory: guard bytes, `lead` more of them, `bytes` of data, guard bytes. */
typedef struct device_area {
    char *memory, *data;
    size_t capacity, lead, bytes;
} device_area;

typedef struct device {
    scankit_context *context;
    const char *name;
    device_area area[DEVICE_AREAS];
} device;

/* Calls test for "cpu", "cpu:1", "cpu:5" and "cuda". Returns the program's exit status. Without a GPU, `what` is
 * skipped there. */
int device_each(const char *what, void (*test)(device *d));

/* For programs that use several devices at once. The name is for messages. If the device does not open, one test line
 * fails. */
bool device_open(device *d, const char *device_name, const char *name);
void device_close(device *d);

/* Calls test for a CPU with each set of kernels. A machine that lacks an instruction set takes a lesser one, and tests
 * that twice. */
void device_each_kernels(const char *device_name, void (*test)(device *d));

/* Calls test for the first GPU with each of its engines, tiles and ring, or for `given` if the environment chooses one.
 */
void device_each_engine(device *given, void (*test)(device *d));

/* True unless the environment excludes the device. */
bool device_wanted(const char *name);

/* True if there is a GPU that is not excluded and not slowed down by tools. Otherwise skips one line with the reason;
 * the program then ends with tap_finish(). */
bool device_has_free_gpu(const char *what);

/* True unless the environment excludes this case. Call it once a case. */
bool device_case_is_due(void);

/* Replaces an area by a new array, `lead` bytes from a 256-byte boundary: a copy of host, or any bytes if host is NULL.
 * Returns NULL for no bytes without a lead. */
void *device_put(device *d, unsigned area, const void *host, size_t bytes, size_t lead);

/* Fails the current case unless the area holds n elements of that size and its guards are whole. */
void device_expect(device *d, unsigned area, const void *expected, size_t n, size_t size, const char *what);

/* The same for an area that was put as NULL and is larger: nothing may have been written past the last element. */
void device_expect_part(device *d, unsigned area, const void *expected, size_t n, size_t size, const char *what);

/* Copies the area to the host, and fails the current case unless its guards are whole. */
void device_get(device *d, unsigned area, void *host);

/* Returns true for SCANKIT_OK. Otherwise fails the current case. */
bool device_did(device *d, scankit_error error, const char *call);
#define DEVICE_DID(d, call) device_did((d), (call), #call)

/* The index of the first of n elements that differs, or n. */
size_t first_difference(const void *a, const void *b, size_t n, size_t size);

#endif
