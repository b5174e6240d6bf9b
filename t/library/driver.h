/* driver.h - the part of the CUDA driver's interface that tests call, looked up at run time: tests need the GPU's
 * driver but no compiler. */
#ifndef DRIVER_H
#define DRIVER_H

#include <stddef.h>
#include <stdint.h>

/* CU_STREAM_NON_BLOCKING, CUDA_ERROR_NOT_READY */
enum { DRIVER_NON_BLOCKING = 1, DRIVER_NOT_READY = 600 };

/* CU_STREAM_CAPTURE_MODE_GLOBAL: until the end of the capture, no thread may allocate or wait. */
enum { DRIVER_CAPTURE_GLOBAL = 0 };

/* X(name in the driver, its parameters) */
#define DRIVER_FUNCTIONS(X)                                                                                   \
    X(cuInit, (unsigned flags))                                                                               \
    X(cuDeviceGet, (int *device, int number))                                                                 \
    X(cuDeviceGetAttribute, (int *value, int attribute, int device))                                          \
    X(cuDevicePrimaryCtxRetain, (void **context, int device))                                                 \
    X(cuDevicePrimaryCtxRelease_v2, (int device))                                                             \
    X(cuCtxSetCurrent, (void *context))                                                                       \
    X(cuModuleLoadData, (void **module, const void *image))                                                   \
    X(cuModuleGetFunction, (void **function, void *module, const char *name))                                 \
    X(cuModuleUnload, (void *module))                                                                         \
    X(cuFuncSetAttribute, (void *function, int attribute, int value))                                         \
    X(cuStreamCreate, (void **stream, unsigned flags))                                                        \
    X(cuStreamQuery, (void *stream))                                                                          \
    X(cuStreamSynchronize, (void *stream))                                                                    \
    X(cuStreamDestroy_v2, (void *stream))                                                                     \
    X(cuMemHostAlloc, (void **memory, size_t bytes, unsigned flags))                                          \
    X(cuMemFreeHost, (void *memory))                                                                          \
    X(cuMemcpyAsync, (uintptr_t to, uintptr_t from, size_t bytes, void *stream))                              \
    X(cuMemsetD32Async, (uintptr_t to, unsigned word, size_t words, void *stream))                            \
    X(cuStreamBeginCapture_v2, (void *stream, int mode))                                                      \
    X(cuStreamEndCapture, (void *stream, void **graph))                                                       \
    X(cuGraphInstantiateWithFlags, (void **executable, void *graph, unsigned long long flags))                \
    X(cuGraphLaunch, (void *executable, void *stream))                                                        \
    X(cuGraphExecDestroy, (void *executable))                                                                 \
    X(cuGraphDestroy, (void *graph))                                                                          \
    X(cuLaunchKernel,                                                                                         \
      (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, \
       unsigned block_z, unsigned shared, void *stream, void **parameters, void **extra))

typedef struct driver {
#define X(name, parameters) int(*name) parameters;
    DRIVER_FUNCTIONS(X)
#undef X
    void *library;
    int device;
} driver;

/* Loads the driver and makes the first GPU's primary context current, which the CUDA runtime and so the library use.
 * Returns NULL, or the reason for a failure; what was opened ends with the program then. */
const char *driver_open(driver *d);
void driver_close(driver *d);

#endif
