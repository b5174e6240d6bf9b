/* waits.c - a function that waits returns when its results are complete: another stream, which is not ordered after the
 * context's, reads them right after the call. On a CPU the results are read directly. */
#include <stdlib.h>
#include <string.h>

#include "caller.h"
#include "support/data.h"
#include "support/device.h"
#include "support/tap.h"

#define RUN ((size_t)64)         /* length of every run */
#define LARGE ((size_t)32 << 10) /* bytes of an element that is too large for a tile */
#define TAIL_BYTES ((size_t)1 << 20)
#define DELAY 20 /* milliseconds */

typedef struct place {
    device *d;
    caller *caller; /* NULL on a CPU */
    size_t bytes;   /* of an input */
} place;

#define DID(call) DEVICE_DID(p->d, call)
#define CONTEXT (p->d->context)

/* ---- inputs ---- */

/* Elements of this size in an input: a multiple of RUN. */
static size_t count_of(const place *p, size_t size)
{
    size_t n = p->bytes / size / RUN * RUN;
    return n > 0 ? n : RUN;
}

/* Element i has i / divisor in each of its words of 4 bytes. */
static uint32_t *numbers(size_t n, size_t size, size_t divisor)
{
    size_t words = size / 4;
    uint32_t *host = data_allocate(n, size);
    for (size_t i = 0; i < n; i++)
        for (size_t w = 0; w < words; w++)
            host[i * words + w] = (uint32_t)(i / divisor);
    return host;
}

static void *put_numbers(place *p, unsigned area, size_t n, size_t size, size_t divisor)
{
    uint32_t *host = numbers(n, size, divisor);
    void *put = device_put(p->d, area, host, n * size, 0);
    free(host);
    return put;
}

/* Every second element is flagged: those with an odd number. */
static uint8_t *put_flags(place *p, unsigned area, size_t n)
{
    uint8_t *host = data_allocate(n, 1);
    for (size_t i = 0; i < n; i++)
        host[i] = i & 1;
    uint8_t *put = device_put(p->d, area, host, n, 0);
    free(host);
    return put;
}

static uint64_t *put_counts(place *p, unsigned area, size_t runs)
{
    uint64_t *host = data_allocate(runs, sizeof *host);
    for (size_t r = 0; r < runs; r++)
        host[r] = RUN;
    uint64_t *put = device_put(p->d, area, host, runs * sizeof *host, 0);
    free(host);
    return put;
}

static void *put_room(place *p, unsigned area, size_t n, size_t size)
{
    return device_put(p->d, area, NULL, n * size, 0);
}

/* The context's stream does nothing for a while. */
static void hold(place *p, scankit_context *context)
{
    if (p->caller == NULL)
        return;
    void *stream = caller_stream(p->caller, 1);
    if (!caller_delay(p->caller, stream, DELAY) || scankit_wait_stream(context, stream) != SCANKIT_OK)
        tap_fail("the context's stream cannot be held");
}

/* ---- results ---- */

/* An array of n elements; element i, towards the end, has first + i / divisor * step in each of its words. */
typedef struct sequence {
    size_t n, size;
    uint32_t first, step;
    size_t divisor;
} sequence;

static bool read_now(place *p, void *to, const void *from, size_t bytes)
{
    if (p->caller == NULL) {
        memcpy(to, from, bytes);
        return true;
    }
    void *stream = caller_stream(p->caller, 0);
    return caller_copy(p->caller, stream, to, from, bytes) && caller_wait(p->caller, stream);
}

/* Reads the end of the area, which is written last. */
static void expect(place *p, unsigned area, sequence s)
{
    size_t count = TAIL_BYTES / s.size < s.n / 4 ? TAIL_BYTES / s.size : s.n / 4, words = s.size / 4;
    size_t begin = s.n - count, wrong = 0;
    uint32_t *got = data_allocate(count, s.size);
    if (!read_now(p, got, p->d->area[area].data + begin * s.size, count * s.size))
        tap_fail("area %u cannot be read", area);
    for (size_t i = 0; i < count; i++)
        for (size_t w = 0; w < words; w++)
            wrong += got[i * words + w] != s.first + (uint32_t)((begin + i) / s.divisor) * s.step;
    if (wrong > 0)
        tap_fail("area %u: %zu of the last %zu words are not there yet", area, wrong, count * words);
    free(got);
}

/* Numbers of 8 bytes. */
static void expect_wide(place *p, unsigned area, size_t n, uint64_t first, uint64_t step)
{
    size_t count = TAIL_BYTES / 8 < n / 4 ? TAIL_BYTES / 8 : n / 4, wrong = 0;
    uint64_t *got = data_allocate(count, sizeof *got);
    if (!read_now(p, got, p->d->area[area].data + (n - count) * 8, count * 8))
        tap_fail("area %u cannot be read", area);
    for (size_t i = 0; i < count; i++)
        wrong += got[i] != first + (n - count + i) * step;
    if (wrong > 0)
        tap_fail("area %u: %zu of the last %zu numbers are not there yet", area, wrong, count);
    free(got);
}

/* ---- functions that wait for a result of their own; size: bytes of an element, or of a value ---- */

/* Even numbers, then odd ones. */
static sequence split_numbers(size_t n, size_t size)
{
    return (sequence){n, size, 1 - (uint32_t)n, 2, 1};
}

static void split(place *p, size_t size)
{
    size_t n = count_of(p, size), offsets[3] = {0};
    const void *in = put_numbers(p, 0, n, size, 1);
    void *out = put_room(p, 1, n, size);
    if (DID(scankit_split(CONTEXT, SCANKIT_U32, in, out, n, 0, 1, offsets)))
        expect(p, 1, split_numbers(n, size));
    TAP_CHECK(offsets[1] == n / 2);
}

static void split_pairs(place *p, size_t size)
{
    size_t n = count_of(p, size), offsets[3] = {0};
    const void *keys = put_numbers(p, 0, n, 4, 1), *values = put_numbers(p, 1, n, size, 1);
    void *keys_out = put_room(p, 2, n, 4), *values_out = put_room(p, 3, n, size);
    if (DID(scankit_split_pairs(CONTEXT, SCANKIT_U32, keys, keys_out, size, values, values_out, n, 0, 1, offsets))) {
        expect(p, 3, split_numbers(n, size));
        expect(p, 2, split_numbers(n, 4));
    }
    TAP_CHECK(offsets[1] == n / 2);
}

static void split_flags(place *p, size_t size)
{
    size_t n = count_of(p, size), zeros = 0;
    const void *in = put_numbers(p, 0, n, size, 1);
    const uint8_t *flags = put_flags(p, 1, n);
    void *out = put_room(p, 2, n, size);
    if (DID(scankit_split_flags(CONTEXT, size, in, flags, out, n, &zeros)))
        expect(p, 2, split_numbers(n, size));
    TAP_CHECK(zeros == n / 2);
}

/* A predicate for elements whose first word is odd. */
static scankit_predicate *odd(size_t size)
{
    scankit_predicate *predicate = NULL;
    scankit_layout *layout = NULL;
    scankit_error error = scankit_layout_create(&layout);
    if (error == SCANKIT_OK)
        error = scankit_layout_append(layout, "word", SCANKIT_U32, 4, 0);
    if (error == SCANKIT_OK && size > 4)
        error = scankit_layout_append(layout, "", SCANKIT_BYTES, size - 4, 0);
    if (error == SCANKIT_OK)
        error = scankit_predicate_compile_records(&predicate, layout, "word % 2 == 1", NULL, NULL);
    if (error != SCANKIT_OK)
        tap_bail_out("the predicate does not compile");
    scankit_layout_destroy(layout);
    return predicate;
}

/* The odd numbers (first = 1), or the even ones (first = 0). */
static sequence half_numbers(size_t n, size_t size, uint32_t first)
{
    return (sequence){n / 2, size, first, 2, 1};
}

static void compact(place *p, size_t size)
{
    size_t n = count_of(p, size), count = 0;
    scankit_predicate *predicate = odd(size);
    void *in = put_numbers(p, 0, n, size, 1), *out = put_room(p, 1, n, size);
    if (DID(scankit_compact(CONTEXT, predicate, in, out, n, NULL, &count)))
        expect(p, 1, half_numbers(n, size, 1));
    TAP_CHECK(count == n / 2);
    if (DID(scankit_compact(CONTEXT, predicate, in, in, n, NULL, &count)))
        expect(p, 0, half_numbers(n, size, 1));
    scankit_predicate_destroy(predicate);
}

static void split_predicate(place *p, size_t size)
{
    size_t n = count_of(p, size), count = 0;
    scankit_predicate *predicate = odd(size);
    const void *in = put_numbers(p, 0, n, size, 1);
    void *matching = put_room(p, 1, n / 2, size), *others = put_room(p, 2, n / 2, size);
    if (DID(scankit_split_predicate(CONTEXT, predicate, in, matching, others, n, NULL, &count))) {
        expect(p, 1, half_numbers(n, size, 1));
        expect(p, 2, half_numbers(n, size, 0));
    }
    TAP_CHECK(count == n / 2);
    others = put_room(p, 2, n / 2, size);
    if (DID(scankit_split_predicate(CONTEXT, predicate, in, NULL, others, n, NULL, &count)))
        expect(p, 2, half_numbers(n, size, 0));
    scankit_predicate_destroy(predicate);
}

static void compact_positions(place *p, size_t size)
{
    size_t n = count_of(p, size), count = 0;
    scankit_predicate *predicate = odd(size);
    const void *in = put_numbers(p, 0, n, size, 1);
    uint64_t *positions = put_room(p, 1, n / 2, 8);
    if (DID(scankit_compact_positions(CONTEXT, predicate, in, positions, n, NULL, &count)))
        expect_wide(p, 1, n / 2, 1, 2);
    TAP_CHECK(count == n / 2);
    scankit_predicate_destroy(predicate);
}

static void compact_flags(place *p, size_t size)
{
    size_t n = count_of(p, size), count = 0;
    const void *in = put_numbers(p, 0, n, size, 1);
    const uint8_t *flags = put_flags(p, 1, n);
    void *out = put_room(p, 2, n / 2, size);
    if (DID(scankit_compact_flags(CONTEXT, size, in, flags, out, n, NULL, &count)))
        expect(p, 2, half_numbers(n, size, 1));
    TAP_CHECK(count == n / 2);
}

static void compact_flags_positions(place *p, size_t size)
{
    size_t n = count_of(p, size), count = 0;
    const uint8_t *flags = put_flags(p, 1, n);
    uint64_t *positions = put_room(p, 2, n / 2, 8);
    if (DID(scankit_compact_flags_positions(CONTEXT, flags, positions, n, NULL, &count)))
        expect_wide(p, 2, n / 2, 1, 2);
    TAP_CHECK(count == n / 2);
}

static void run_length_encode(place *p, size_t size)
{
    size_t n = count_of(p, size) * 4, runs = 0;
    const void *in = put_numbers(p, 0, n, size, RUN);
    void *values = put_room(p, 1, n / RUN, size);
    uint64_t *counts = put_room(p, 2, n / RUN, 8);
    if (DID(scankit_run_length_encode(CONTEXT, size, in, values, counts, n, NULL, &runs))) {
        expect(p, 1, (sequence){n / RUN, size, 0, 1, 1});
        expect_wide(p, 2, n / RUN, RUN, 0);
    }
    TAP_CHECK(runs == n / RUN);
}

static void unique(place *p, size_t size)
{
    size_t n = count_of(p, size) * 4, runs = 0;
    const void *in = put_numbers(p, 0, n, size, RUN);
    void *values = put_room(p, 1, n / RUN, size);
    if (DID(scankit_unique(CONTEXT, size, in, values, n, NULL, &runs)))
        expect(p, 1, (sequence){n / RUN, size, 0, 1, 1});
    TAP_CHECK(runs == n / RUN);
}

static void reduce_by_key(place *p, size_t size)
{
    size_t n = count_of(p, size) * 4, runs = 0;
    const void *keys = put_numbers(p, 0, n, size, RUN), *values = put_numbers(p, 1, n, 4, 1);
    void *keys_out = put_room(p, 2, n / RUN, size), *values_out = put_room(p, 3, n / RUN, 4);
    if (DID(scankit_reduce_by_key(CONTEXT, size, keys, SCANKIT_U32, SCANKIT_MAX, values, keys_out, values_out, n, NULL,
                                  &runs))) {
        expect(p, 2, (sequence){n / RUN, size, 0, 1, 1});
        expect(p, 3, (sequence){n / RUN, 4, RUN - 1, RUN, 1});
    }
    TAP_CHECK(runs == n / RUN);
}

static void decode(place *p, size_t size, size_t n)
{
    size_t runs = n / RUN, total = 0;
    const void *values = put_numbers(p, 0, runs, size, 1);
    const uint64_t *counts = put_counts(p, 1, runs);
    void *out = put_room(p, 2, n, size);
    if (DID(scankit_run_length_decode(CONTEXT, size, values, counts, runs, out, n, &total)))
        expect(p, 2, (sequence){n, size, 0, 1, RUN});
    TAP_CHECK(total == n);
}

static void run_length_decode(place *p, size_t size)
{
    decode(p, size, count_of(p, size) * 16);
}

static void run_length_decode_few(place *p, size_t size)
{
    decode(p, size, RUN * 1000);
}

/* Of ascending numbers, the first are the first k: few and many. */
static void top_k(place *p, size_t size)
{
    size_t n = count_of(p, size), ks[] = {1000, n / 8};
    const void *in = put_numbers(p, 0, n, size, 1);
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
        void *out = put_room(p, 1, ks[i], size);
        if (DID(scankit_top_k(CONTEXT, SCANKIT_U32, in, out, n, ks[i], NULL)))
            expect(p, 1, (sequence){ks[i], size, 0, 1, 1});
        uint64_t *positions = put_room(p, 2, ks[i], sizeof *positions);
        if (DID(scankit_top_k_positions(CONTEXT, SCANKIT_U32, in, positions, n, ks[i], NULL)))
            expect_wide(p, 2, ks[i], 0, 1);
    }
}

static void top_k_pairs(place *p, size_t size)
{
    size_t n = count_of(p, size), k = n / 8;
    const void *keys = put_numbers(p, 0, n, 4, 1), *values = put_numbers(p, 1, n, size, 1);
    void *keys_out = put_room(p, 2, k, 4), *values_out = put_room(p, 3, k, size);
    if (DID(scankit_top_k_pairs(CONTEXT, SCANKIT_U32, keys, keys_out, size, values, values_out, n, k, NULL))) {
        expect(p, 3, (sequence){k, size, 0, 1, 1});
        expect(p, 2, (sequence){k, 4, 0, 1, 1});
    }
}

static void gallery_compact(place *p, size_t size)
{
    const char *device_name = scankit_is_host(CONTEXT) ? "cpu" : "cuda";
    const scankit_gallery_row *row;
    size_t n = count_of(p, size), count = 0;
    const void *in = put_numbers(p, 0, n, size, 1);
    const uint8_t *flags = put_flags(p, 1, n);
    for (size_t i = 0; (row = scankit_gallery(i)) != NULL; i++) {
        if (row->kind != SCANKIT_COMPACTION || strcmp(row->device, device_name) != 0)
            continue;
        void *out = put_room(p, 2, n / 2, size);
        if (DID(scankit_gallery_compact(CONTEXT, row->name, SCANKIT_U32, in, flags, out, n, &count)))
            expect(p, 2, half_numbers(n, size, 1));
        TAP_CHECK(count == n / 2);
    }
}

/* ---- functions that wait for what was queued before ---- */

/* Queues a scan whose result is its input. */
static const void *queue_scan(place *p, scankit_context *context, size_t n)
{
    const void *in = put_numbers(p, 0, n, 4, 1);
    void *out = put_room(p, 1, n, 4);
    DID(scankit_synchronize(CONTEXT)); /* the uploads: the context may be another */
    hold(p, context);
    DID(scankit_scan(context, SCANKIT_U32, SCANKIT_MAX, SCANKIT_INCLUSIVE, NULL, in, out, n));
    return out;
}

static void expect_scan(place *p, size_t n)
{
    expect(p, 1, (sequence){n, 4, 0, 1, 1});
}

static void synchronize(place *p, size_t size)
{
    size_t n = count_of(p, size);
    queue_scan(p, CONTEXT, n);
    if (DID(scankit_synchronize(CONTEXT)))
        expect_scan(p, n);
}

static void download(place *p, size_t size)
{
    size_t n = count_of(p, size);
    uint32_t *host = data_allocate(n, 4), wrong = 0;
    const void *out = queue_scan(p, CONTEXT, n);
    if (DID(scankit_download(CONTEXT, host, out, n * 4)))
        expect_scan(p, n);
    for (size_t i = 0; i < n; i++)
        wrong += host[i] != i;
    TAP_CHECK(wrong == 0);
    free(host);
}

/* The host memory changes as soon as the call returns. */
static void upload(place *p, size_t n)
{
    uint32_t *host = numbers(n, 4, 1);
    void *to = put_room(p, 1, n, 4);
    hold(p, CONTEXT);
    bool did = DID(scankit_upload(CONTEXT, to, host, n * 4));
    memset(host, 0xee, n * 4);
    if (did && DID(scankit_synchronize(CONTEXT)))
        expect_scan(p, n);
    free(host);
}

static void reduce(place *p, size_t size)
{
    size_t n = count_of(p, size);
    uint32_t result = 0;
    const void *out = queue_scan(p, CONTEXT, n);
    if (DID(scankit_reduce(CONTEXT, SCANKIT_U32, SCANKIT_MAX, out, &result, n)))
        expect_scan(p, n);
    TAP_CHECK(result == n - 1);
}

static void is_sorted(place *p, size_t size)
{
    size_t n = count_of(p, size), first = 0;
    const void *out = queue_scan(p, CONTEXT, n);
    if (DID(scankit_is_sorted(CONTEXT, SCANKIT_U32, out, n, NULL, &first)))
        expect_scan(p, n);
    TAP_CHECK(first == n);
}

static void is_sorted_records(place *p, size_t size)
{
    const scankit_key key = {.type = SCANKIT_U32};
    size_t n = count_of(p, size), first = 0;
    const void *out = queue_scan(p, CONTEXT, n);
    if (DID(scankit_is_sorted_records(CONTEXT, size, &key, 1, out, n, &first)))
        expect_scan(p, n);
    TAP_CHECK(first == n);
}

static void gallery_reduce(place *p, size_t size)
{
    const char *device_name = scankit_is_host(CONTEXT) ? "cpu" : "cuda";
    const scankit_gallery_row *row;
    size_t n = count_of(p, size);
    uint32_t result;
    for (size_t i = 0; (row = scankit_gallery(i)) != NULL; i++) {
        if (row->kind != SCANKIT_REDUCTION || strcmp(row->device, device_name) != 0)
            continue;
        const void *out = queue_scan(p, CONTEXT, n);
        result = 0;
        if (DID(scankit_gallery_reduce(CONTEXT, row->name, SCANKIT_U32, SCANKIT_MAX, out, &result, n)))
            expect_scan(p, n);
        TAP_CHECK(result == n - 1);
    }
}

static void set_stream(place *p, size_t size)
{
    size_t n = count_of(p, size);
    if (p->caller == NULL)
        return; /* a CPU has no streams */
    queue_scan(p, CONTEXT, n);
    if (DID(scankit_set_stream(CONTEXT, caller_stream(p->caller, 0))))
        expect_scan(p, n);
    queue_scan(p, CONTEXT, n);
    if (DID(scankit_set_stream(CONTEXT, NULL)))
        expect_scan(p, n);
}

static void close_context(place *p, size_t size)
{
    size_t n = count_of(p, size);
    scankit_context *second;
    if (!DID(scankit_open(&second, p->caller == NULL ? "cpu" : "cuda")))
        return;
    queue_scan(p, second, n);
    scankit_close(second);
    expect_scan(p, n);
}

/* ---- */

static const struct {
    const char *name;
    void (*run)(place *p, size_t size);
    size_t size;
} functions[] = {
    {"split", split, 4},
    {"split_pairs", split_pairs, 4},
    {"split_pairs, values of 64 bytes", split_pairs, 64},
    {"split_flags", split_flags, 4},
    {"split_flags, large elements", split_flags, LARGE},
    {"compact", compact, 4},
    {"compact, records", compact, 12},
    {"compact, large records", compact, LARGE},
    {"split_predicate", split_predicate, 4},
    {"split_predicate, large records", split_predicate, LARGE},
    {"compact_positions", compact_positions, 4},
    {"compact_positions, large records", compact_positions, LARGE},
    {"compact_flags", compact_flags, 4},
    {"compact_flags, large elements", compact_flags, LARGE},
    {"compact_flags_positions", compact_flags_positions, 4},
    {"run_length_encode", run_length_encode, 4},
    {"run_length_encode, elements of 12 bytes", run_length_encode, 12},
    {"run_length_encode, large elements", run_length_encode, LARGE},
    {"unique", unique, 4},
    {"unique, large elements", unique, LARGE},
    {"reduce_by_key", reduce_by_key, 4},
    {"reduce_by_key, large keys", reduce_by_key, LARGE},
    {"run_length_decode", run_length_decode, 4},
    {"run_length_decode, elements of 12 bytes", run_length_decode, 12},
    {"run_length_decode, large elements", run_length_decode, LARGE},
    {"run_length_decode, few elements", run_length_decode_few, 4},
    {"top_k, top_k_positions", top_k, 4},
    {"top_k_pairs, values of 64 bytes", top_k_pairs, 64},
    {"gallery_compact", gallery_compact, 4},
    {"synchronize", synchronize, 4},
    {"download", download, 4},
    {"upload", upload, (size_t)6 << 20},
    {"upload, few bytes", upload, 1000},
    {"reduce", reduce, 4},
    {"is_sorted", is_sorted, 4},
    {"is_sorted_records", is_sorted_records, 4},
    {"gallery_reduce", gallery_reduce, 4},
    {"set_stream", set_stream, 4},
    {"close", close_context, 4},
};

/* The first call of a function may wait for memory and for its code. */
static void test(device *d)
{
    place p = {d, NULL, (size_t)1 << 20};
    const char *reason = NULL;
    if (!scankit_is_host(d->context)) {
        p.bytes = (size_t)64 << 20;
        p.caller = caller_open(&reason);
    }
    if (reason != NULL) {
        tap_skip(reason, "%s: functions that wait", d->name);
        return;
    }
    tap_begin("%s: results are complete when a function that waits returns", d->name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        for (int call = 1; call <= 2; call++) {
            if (!device_case_is_due())
                continue;
            tap_case("%s, call %d", functions[i].name, call);
            functions[i].run(&p, functions[i].size);
        }
    }
    tap_end();
    if (p.caller != NULL)
        caller_close(p.caller);
}

int main(void)
{
    return device_each("functions that wait", test);
}
