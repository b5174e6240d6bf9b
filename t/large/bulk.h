/* bulk.h - arrays of gigabytes on a device: made from a function of the position, and looked at once, with all cores.
 */
#ifndef BULK_H
#define BULK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/device.h"

/* Sets the device that all calls below use. */
void bulk_use(device *d);

/* True if the device has that much memory and a GiB more; otherwise skips the test `what` with the reason. */
bool bulk_suffices(size_t bytes, const char *what);

void *bulk_allocate(size_t bytes);

/* Elements of 1, 2 or 4 bytes, each the low bits of a function of its position. */
typedef uint64_t bulk_value(size_t i);
void bulk_fill(char *array, size_t size, size_t n, bulk_value *value);
void bulk_expect(char *array, size_t size, size_t n, bulk_value *value);

/* How often each of 65536 values is there; to be freed. */
uint64_t *bulk_count_values(char *array, size_t size, size_t n);

/* Expects the values in rising order, each as often as counts says. */
void bulk_expect_runs(char *array, size_t size, size_t n, const uint64_t *counts);

#endif
