/* device.h - runs a test on every device there is, on arrays whose surroundings are guarded.
 *
 * SCANKIT_TEST_DEVICE=cpu or =cuda in the environment leaves the other devices out, SCANKIT_TEST_EVERY=N all but every
 * N-th case: for tools that make programs a hundred times slower. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "scankit.h"

#define DEVICE_AREAS 8

/* Memory of the device: guard bytes, `lead` of them more, then `bytes` of data, then guard bytes. */
typedef struct device_area {
    char *memory, *data;
    size_t capacity, lead, bytes;
} device_area;

typedef struct device {
    scankit_context *context;
    const char *name;
    device_area area[DEVICE_AREAS];
} device;

/* Calls test for "cpu", "cpu:1", "cpu:3" and "cuda", finishes the test program, gives its exit status. Where there is
 * no GPU, `what` is skipped for it. */
int device_each(const char *what, void (*test)(device *d));

/* By hand, where several devices are wanted at once. The name is for messages. Where it does not open, that is a test
 * line that fails. */
bool device_open(device *d, const char *device_name, const char *name);
void device_close(device *d);

/* True where the environment does not leave the device out. */
bool device_wanted(const char *name);

/* Whether a GPU is there, is wanted, and is left to its own speed: else the program's one line is skipped with the
 * reason, and it is to end with tap_finish(). */
bool device_has_free_gpu(const char *what);

/* True where the environment does not leave this case out; to be asked once a case. */
bool device_case_is_due(void);

/* A new array in an area (what was there is lost), a multiple of `lead` bytes away from a 256-byte boundary: a copy of
 * host, or of no particular value where host is NULL. No bytes at no lead are NULL. */
void *device_put(device *d, unsigned area, const void *host, size_t bytes, size_t lead);

/* Fails the current case unless the area holds n elements of that size and its guards are whole. */
void device_expect(device *d, unsigned area, const void *expected, size_t n, size_t size, const char *what);

/* The same for an area that was put as NULL and is larger than that: past the last element nothing may be written. */
void device_expect_part(device *d, unsigned area, const void *expected, size_t n, size_t size, const char *what);

/* Copies the area to the host, and fails the current case unless its guards are whole. */
void device_get(device *d, unsigned area, void *host);

/* Fails the current case, and says false, unless error is SCANKIT_OK. */
bool device_did(device *d, scankit_error error, const char *call);
#define DEVICE_DID(d, call) device_did((d), (call), #call)

/* The first of n elements that differs, or n. */
size_t first_difference(const void *a, const void *b, size_t n, size_t size);

#endif
