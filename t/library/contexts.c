/* contexts.c - devices by name, several contexts at once, and a workspace that serves large and small calls in any
 * order. */
#include <pthread.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

static void opening(void)
{
    static const char *const wrong[] = {"",
                                        "gpu",
                                        "CPU",
                                        "cpu:",
                                        "cpu:x",
                                        "cpu:-1",
                                        "cpu:1x",
                                        "cpu 1",
                                        "cuda:x",
                                        "cuda:",
                                        "cuda:-1",
                                        "autox",
                                        "cpu:99999999999999999999",
                                        " cpu",
                                        "cuda0",
                                        "cpu:1:2"};
    scankit_context *context;
    tap_begin("devices that there are not");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        context = (scankit_context *)&context;
        tap_case("\"%s\"", wrong[i]);
        scankit_error error = scankit_open(&context, wrong[i]);
        if (error != SCANKIT_E_SYNTAX)
            tap_fail("%s", scankit_error_string(error));
        TAP_CHECK(context == NULL);
    }
    tap_case("no GPU of that number");
    context = (scankit_context *)&context;
    TAP_CHECK(scankit_open(&context, "cuda:9999") == SCANKIT_E_NO_DEVICE && context == NULL);
    if (scankit_cuda_device_count() == 0)
        TAP_CHECK(scankit_open(&context, "cuda") == SCANKIT_E_NO_DEVICE && context == NULL);
    tap_case("no threads");
    TAP_CHECK(scankit_open(&context, "cpu:0") != SCANKIT_OK && context == NULL);
    tap_case("NULL");
    TAP_CHECK(scankit_open(NULL, "cpu") == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_open(&context, NULL) == SCANKIT_E_ARGUMENT && context == NULL);
    tap_end();
    scankit_close(NULL);
    tap_ok(true, "closing NULL");
}

static void names(void)
{
    scankit_context *context;
    tap_begin("devices say what they are");
    if (scankit_open(&context, "cpu:2") != SCANKIT_OK)
        tap_bail_out("no CPU");
    TAP_CHECK(strcmp(scankit_device_name(context), "cpu:2") == 0 && scankit_is_host(context) == 1);
    scankit_close(context);
    if (scankit_open(&context, "auto") != SCANKIT_OK)
        tap_bail_out("no device at all");
    TAP_CHECK(scankit_is_host(context) == (scankit_cuda_device_count() == 0));
    TAP_CHECK(strlen(scankit_device_identity(context)) == (scankit_is_host(context) ? 0 : 32));
    scankit_close(context);
    tap_end();
}

/* The workspace grows and is reused. After a request that no machine can satisfy, it still works. */
static void workspace(device *d)
{
    static const size_t sizes[] = {10, 200000, 1, 5000, 100000, 20, 200001, 2, 65536};
    tap_begin("%s: large and small calls in turn", d->name);
    for (uint64_t round = 0; round < 2; round++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            scan_case scan = {.type = SCANKIT_U32, .shape = DATA_BITS, .n = sizes[s], .seed = round};
            sort_case sort = {.type = SCANKIT_U64, .n = sizes[s], .value_size = 8, .seed = s};
            split_case split = {.type = SCANKIT_U16, .n = sizes[s], .bits = 8, .value_size = 3, .want_offsets = true};
            compact_case compact = {.type = SCANKIT_I16, .n = sizes[s], .share = SHARE_HALF, .seed = s};
            rle_case rle = {.element_size = 4, .n = sizes[s], .structure = RUNS_GEOMETRIC, .seed = s};
            merge_case merge = {.type = SCANKIT_F32, .na = sizes[s], .nb = 100, .seed = s};
            void *none;
            check_sort_pairs(d, &sort);
            check_scan(d, &scan);
            TAP_CHECK(scankit_allocate(d->context, &none, SIZE_MAX / 4) == SCANKIT_E_MEMORY);
            check_split(d, &split);
            check_compact(d, &compact);
            check_rle(d, &rle);
            check_decode(d, &rle);
            check_merge(d, &merge);
        }
    tap_end();
}

/* ---- threads, each with a context of its own ---- */

enum { THREADS = 4, ROUNDS = 12 };

struct worker {
    pthread_t thread;
    const char *device;
    uint64_t seed;
    const scankit_predicate *predicate; /* shared by all threads */
    const char *failure;
};

static const char *sort_once(scankit_context *context, uint64_t seed, size_t n)
{
    size_t bytes = n * sizeof(uint32_t), first = 0;
    uint32_t *keys = data_allocate(n, sizeof *keys), before = 0, after = 0;
    void *array = NULL;
    const char *failure = NULL;
    data_fill(keys, SCANKIT_U32, DATA_BITS, n, seed);
    for (size_t i = 0; i < n; i++)
        before += keys[i] * (keys[i] | 1);
    if (scankit_allocate(context, &array, bytes) != SCANKIT_OK ||
        scankit_upload(context, array, keys, bytes) != SCANKIT_OK ||
        scankit_sort(context, SCANKIT_U32, array, array, n, NULL) != SCANKIT_OK ||
        scankit_is_sorted(context, SCANKIT_U32, array, n, NULL, &first) != SCANKIT_OK ||
        scankit_download(context, keys, array, bytes) != SCANKIT_OK)
        failure = "a call fails";
    for (size_t i = 0; i < n; i++)
        after += keys[i] * (keys[i] | 1);
    if (failure == NULL && (first != n || oracle_first_descent(SCANKIT_U32, NULL, keys, n) != n))
        failure = "not sorted";
    if (failure == NULL && before != after)
        failure = "other keys than before";
    scankit_free(context, array);
    free(keys);
    return failure;
}

/* SHARED's predicate, in C. */
#define SHARED "x % 3 == 1 && x in {0..4000000000} || i < 100"

static const char *compact_once(scankit_context *context, const scankit_predicate *predicate, uint64_t seed, size_t n)
{
    size_t bytes = n * sizeof(uint32_t), count = 0, expected = 0;
    uint32_t *in = data_allocate(n, sizeof *in), *out = data_allocate(n, sizeof *out);
    void *array = NULL;
    const char *failure = NULL;
    data_fill(in, SCANKIT_U32, DATA_BITS, n, seed);
    if (scankit_allocate(context, &array, bytes) != SCANKIT_OK ||
        scankit_upload(context, array, in, bytes) != SCANKIT_OK ||
        scankit_compact(context, predicate, array, array, n, NULL, &count) != SCANKIT_OK ||
        scankit_download(context, out, array, bytes) != SCANKIT_OK)
        failure = "a call fails";
    for (size_t i = 0; i < n; i++)
        if ((in[i] % 3 == 1 && in[i] <= 4000000000) || i < 100)
            in[expected++] = in[i];
    if (failure == NULL && (count != expected || memcmp(in, out, count * sizeof *in) != 0))
        failure = "other elements than those that match";
    scankit_free(context, array);
    free(in);
    free(out);
    return failure;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    scankit_context *context;
    if (scankit_open(&context, worker->device) != SCANKIT_OK) {
        worker->failure = "does not open";
        return NULL;
    }
    for (uint64_t round = 0; round < ROUNDS && worker->failure == NULL; round++) {
        uint64_t seed = worker->seed * ROUNDS + round;
        size_t n = (size_t)(1000 + round * 30011);
        worker->failure = sort_once(context, seed, n);
        if (worker->failure == NULL)
            worker->failure = compact_once(context, worker->predicate, seed, n);
    }
    scankit_close(context);
    return NULL;
}

static void threads(device *d)
{
    struct worker workers[THREADS] = {0};
    scankit_predicate *predicate = NULL;
    tap_begin("%s: %d threads, each with its context, one predicate for all", d->name, THREADS);
    if (scankit_predicate_compile(&predicate, SCANKIT_U32, SHARED, NULL, NULL) != SCANKIT_OK)
        tap_bail_out("the predicate does not compile");
    for (int i = 0; i < THREADS; i++) {
        workers[i].device = d->name;
        workers[i].seed = (uint64_t)i;
        workers[i].predicate = predicate;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            tap_bail_out("no thread");
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        tap_case("thread %d", i);
        if (workers[i].failure != NULL)
            tap_fail("%s", workers[i].failure);
    }
    scankit_predicate_destroy(predicate);
    tap_end();
}

static void test(device *d)
{
    workspace(d);
    threads(d);
}

int main(void)
{
    opening();
    names();
    return device_each("contexts", test);
}
