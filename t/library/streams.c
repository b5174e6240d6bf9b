/* streams.c - a context is ordered after a caller's stream and a caller's stream after a context, without any wait of
 * the host; and a context may work on a caller's stream, the default streams included. */
#include <stdlib.h>
#include <string.h>

#include "caller.h"
#include "support/data.h"
#include "support/device.h"
#include "support/tap.h"

#define N ((size_t)1 << 22)
#define BYTES (N * sizeof(uint32_t))
#define DELAY 100 /* milliseconds, far longer than all calls take to return */

/* In the driver's interface and in the runtime's. */
#define LEGACY_STREAM ((void *)1)
#define PER_THREAD_STREAM ((void *)2)

/* The GPU, and a caller that shares it. */
typedef struct place {
    device *d;
    caller *caller;
    char *in, *out, *copy;
} place;

#define DID(call) DEVICE_DID(p->d, call)
#define CONTEXT (p->d->context)
#define QUEUED(call)                      \
    do {                                  \
        if (!(call))                      \
            tap_fail("fails: %s", #call); \
    } while (0)

static void clear(place *p)
{
    p->in = device_put(p->d, 0, NULL, BYTES, 0);
    p->out = device_put(p->d, 1, NULL, BYTES, 0);
    p->copy = device_put(p->d, 2, NULL, BYTES, 0);
    DID(scankit_synchronize(CONTEXT));
}

static void scan(place *p)
{
    DID(scankit_scan(CONTEXT, SCANKIT_U32, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, p->in, p->out, N));
}

/* Calls once what is tested, so that its code is loaded and its memory is there: both would wait for the GPU. */
static void warm(place *p)
{
    clear(p);
    scan(p);
    DID(scankit_sort(CONTEXT, SCANKIT_U32, p->in, p->out, N, NULL));
    QUEUED(caller_delay(p->caller, caller_stream(p->caller, 0), 1));
    QUEUED(caller_fill(p->caller, caller_stream(p->caller, 0), p->copy, 0, N));
    QUEUED(caller_copy(p->caller, caller_stream(p->caller, 0), p->copy, p->out, BYTES));
    QUEUED(caller_wait(p->caller, caller_stream(p->caller, 0)));
    DID(scankit_synchronize(CONTEXT));
}

/* Waits for the stream alone, and checks that the copy has first + i * step. */
static void expect_copy(place *p, void *stream, uint32_t first, uint32_t step)
{
    uint32_t *host = data_allocate(N, sizeof *host);
    QUEUED(caller_copy(p->caller, stream, host, p->copy, BYTES));
    QUEUED(caller_wait(p->caller, stream));
    size_t wrong = 0;
    for (size_t i = 0; i < N; i++)
        wrong += host[i] != first + (uint32_t)i * step;
    if (wrong > 0)
        tap_fail("%zu of %zu elements are wrong", wrong, N);
    free(host);
    DID(scankit_synchronize(CONTEXT));
}

/* One stream makes the input, late; the context scans; another stream copies. Returns with everything queued. */
static void queue_chain(place *p, void *maker, void *reader)
{
    QUEUED(caller_delay(p->caller, maker, DELAY));
    QUEUED(caller_fill(p->caller, maker, p->in, 3, N));
    DID(scankit_wait_stream(CONTEXT, maker));
    scan(p);
    DID(scankit_signal_stream(CONTEXT, reader));
    QUEUED(caller_copy(p->caller, reader, p->copy, p->out, BYTES));
}

static void chain(place *p, void *maker, void *reader, const char *what)
{
    tap_begin("cuda: %s", what);
    tap_case("the copy");
    clear(p);
    queue_chain(p, maker, reader);
    tap_case("the host");
    if (!caller_is_busy(p->caller, maker))
        tap_fail("was held up until the input was there");
    tap_case("the copy");
    expect_copy(p, reader, 3, 3);
    tap_end();
}

/* A sort asks the GPU in between, so the host may wait in it. */
static void sort_chain(place *p)
{
    void *stream = caller_stream(p->caller, 0);
    tap_begin("cuda: a sort between two copies on a caller's stream");
    tap_case("the copy");
    clear(p);
    uint32_t *host = data_allocate(N, sizeof *host);
    for (size_t i = 0; i < N; i++)
        host[i] = (uint32_t)(N - 1 - i);
    void *kept = device_put(p->d, 3, host, BYTES, 0);
    free(host);
    DID(scankit_synchronize(CONTEXT)); /* the upload */
    QUEUED(caller_delay(p->caller, stream, DELAY));
    QUEUED(caller_copy(p->caller, stream, p->in, kept, BYTES));
    DID(scankit_wait_stream(CONTEXT, stream));
    DID(scankit_sort(CONTEXT, SCANKIT_U32, p->in, p->out, N, NULL));
    DID(scankit_signal_stream(CONTEXT, stream));
    QUEUED(caller_copy(p->caller, stream, p->copy, p->out, BYTES));
    expect_copy(p, stream, 0, 1);
    tap_end();
}

/* The context reads p->in until late; the caller may overwrite it only then. */
static void overwrite(place *p)
{
    void *late = caller_stream(p->caller, 0), *writer = caller_stream(p->caller, 1);
    tap_begin("cuda: a caller's stream overwrites what the context has read");
    tap_case("the copy");
    clear(p);
    QUEUED(caller_fill(p->caller, writer, p->in, 3, N));
    QUEUED(caller_delay(p->caller, late, DELAY));
    DID(scankit_wait_stream(CONTEXT, writer));
    DID(scankit_wait_stream(CONTEXT, late));
    DID(scankit_copy(CONTEXT, p->copy, p->in, BYTES));
    DID(scankit_signal_stream(CONTEXT, writer));
    QUEUED(caller_fill(p->caller, writer, p->in, 0, N));
    QUEUED(caller_wait(p->caller, writer));
    expect_copy(p, writer, 3, 0);
    tap_end();
}

/* All on one stream, where nothing more is to be ordered. */
static void on_stream(place *p, void *stream, const char *what)
{
    tap_begin("cuda: the context works on %s", what);
    tap_case("set_stream");
    clear(p);
    DID(scankit_set_stream(CONTEXT, stream));
    for (int call = 1; call <= 2; call++) {
        tap_case("call %d", call);
        QUEUED(caller_fill(p->caller, stream, p->copy, 0, N));
        QUEUED(caller_delay(p->caller, stream, DELAY));
        QUEUED(caller_fill(p->caller, stream, p->in, 5, N));
        scan(p);
        QUEUED(caller_copy(p->caller, stream, p->copy, p->out, BYTES));
        if (!caller_is_busy(p->caller, stream))
            tap_fail("the host was held up until the input was there");
        expect_copy(p, stream, 5, 5);
    }
    tap_case("set_stream");
    DID(scankit_set_stream(CONTEXT, NULL));
    tap_end();
}

static void test_gpu(device *d)
{
    const char *reason;
    place here = {.d = d, .caller = caller_open(&reason)}, *p = &here;
    if (p->caller == NULL) {
        tap_skip(reason, "cuda: streams of a caller");
        return;
    }
    void *one = caller_stream(p->caller, 0), *other = caller_stream(p->caller, 1);
    tap_begin("cuda: a first round");
    warm(p);
    tap_end();
    chain(p, one, one, "a caller's stream before and after the context");
    chain(p, one, other, "one stream before the context, another after it");
    chain(p, NULL, NULL, "the default stream before and after the context");
    chain(p, LEGACY_STREAM, PER_THREAD_STREAM, "the legacy stream before the context, the thread's after it");
    sort_chain(p);
    overwrite(p);
    on_stream(p, one, "a caller's stream");
    on_stream(p, LEGACY_STREAM, "the legacy default stream");
    on_stream(p, PER_THREAD_STREAM, "the default stream of the thread");
    caller_close(p->caller);
}

/* A device without streams says so, and goes on. */
static void test_cpu(device *d)
{
    static void *const streams[] = {NULL, LEGACY_STREAM, PER_THREAD_STREAM};
    tap_begin("%s: has no streams", d->name);
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        tap_case("stream %zu", i);
        TAP_CHECK(scankit_set_stream(d->context, streams[i]) == SCANKIT_E_ARGUMENT);
        TAP_CHECK(strstr(scankit_error_detail(d->context), "scankit_set_stream") != NULL);
        TAP_CHECK(scankit_wait_stream(d->context, streams[i]) == SCANKIT_E_ARGUMENT);
        TAP_CHECK(strstr(scankit_error_detail(d->context), "scankit_wait_stream") != NULL);
        TAP_CHECK(scankit_signal_stream(d->context, streams[i]) == SCANKIT_E_ARGUMENT);
        TAP_CHECK(strstr(scankit_error_detail(d->context), "scankit_signal_stream") != NULL);
        TAP_CHECK(scankit_synchronize(d->context) == SCANKIT_OK);
    }
    tap_end();
}

static void test(device *d)
{
    if (scankit_is_host(d->context))
        test_cpu(d);
    else
        test_gpu(d);
}

int main(void)
{
    return device_each("streams of a caller", test);
}
