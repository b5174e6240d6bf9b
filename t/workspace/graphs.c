/* graphs.c - every call without a result in host memory can be captured into a CUDA graph: nothing is allocated or
 * waited for meanwhile. The graph does the same for other data, time and again. Other calls are refused, and the
 * capture goes on. */
#include <string.h>

#include "calls.h"
#include "library/caller.h"
#include "support/tap.h"

#define LAUNCHES 3

typedef struct stage {
    device *d;
    caller *caller;
    scankit_context *fixed; /* works in the caller's memory, on the caller's stream */
    void *stream, *memory;
    place p;
} stage;

static const data_shape shapes[LAUNCHES] = {DATA_UNIFORM, DATA_ZIPF, DATA_ALMOST_SORTED};

static void open_workspace(stage *s, const workspace_call *call)
{
    size_t bytes = 0;
    s->p.context = s->fixed;
    DEVICE_DID(s->d, scankit_workspace_begin(s->fixed));
    scankit_error error = call->run(&s->p);
    if (error != SCANKIT_OK)
        tap_fail("the rehearsal fails: %s", scankit_error_detail(s->fixed));
    DEVICE_DID(s->d, scankit_workspace_end(s->fixed, &bytes));
    DEVICE_DID(s->d, scankit_allocate(s->d->context, &s->memory, bytes));
    DEVICE_DID(s->d, scankit_set_workspace(s->fixed, s->memory, bytes));
    place_did(&s->p, call->run(&s->p)); /* loads its code */
    DEVICE_DID(s->d, scankit_set_stream(s->fixed, s->stream));
}

static void close_workspace(stage *s)
{
    DEVICE_DID(s->d, scankit_set_stream(s->fixed, NULL));
    DEVICE_DID(s->d, scankit_set_workspace(s->fixed, NULL, 0));
    scankit_free(s->d->context, s->memory);
}

/* Not *captured: the call was refused. With few elements, nothing need be refused. */
static void *capture(stage *s, const workspace_call *call, bool *captured)
{
    s->p.context = s->fixed;
    if (!caller_begin_capture(s->caller, s->stream))
        tap_fail("the capture does not begin");
    scankit_error error = call->run(&s->p);
    if (error != SCANKIT_OK && !(call->answers && error == SCANKIT_E_ARGUMENT))
        tap_fail("%s: %s", scankit_error_string(error), scankit_error_detail(s->fixed));
    void *graph = caller_end_capture(s->caller, s->stream);
    if (graph == NULL)
        tap_fail("the capture has failed");
    *captured = graph != NULL && error == SCANKIT_OK;
    return graph;
}

static void launch(stage *s, const workspace_call *call, void *graph, data_shape shape, uint64_t seed)
{
    s->p.context = s->d->context;
    place_fill(&s->p, shape, seed);
    place_clear_results(&s->p);
    place_did(&s->p, call->run(&s->p));
    place_result expected = place_results(&s->p);
    place_clear_results(&s->p);
    if (!caller_launch(s->caller, graph, s->stream) || !caller_wait(s->caller, s->stream))
        tap_fail("the graph fails");
    place_result found = place_results(&s->p);
    place_expect_same(&expected, &found);
    place_free_results(&expected);
    place_free_results(&found);
}

static void try_call(stage *s, const workspace_call *call)
{
    tap_case("%s of %zu", call->name, s->p.n);
    open_workspace(s, call);
    bool captured;
    void *graph = capture(s, call, &captured);
    if (captured)
        for (unsigned i = 0; i < LAUNCHES; i++) {
            tap_case("%s of %zu %s, launch %u", call->name, s->p.n, data_shape_name(shapes[i]), i + 1);
            launch(s, call, graph, shapes[i], i + 7);
        }
    if (graph != NULL)
        caller_free_graph(s->caller, graph);
    close_workspace(s);
}

/* Without a workspace of the caller's, nothing is captured. */
static void test_refusal(stage *s)
{
    tap_begin("%s: a capture needs the caller's workspace", s->d->name);
    place_open(&s->p, s->d->context, SCANKIT_U32, 1000);
    s->p.context = s->fixed;
    DEVICE_DID(s->d, scankit_set_stream(s->fixed, s->stream));
    TAP_CHECK(caller_begin_capture(s->caller, s->stream));
    TAP_CHECK(array_calls[0].run(&s->p) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(strstr(scankit_error_detail(s->fixed), "workspace") != NULL);
    void *graph = caller_end_capture(s->caller, s->stream);
    TAP_CHECK(graph != NULL);
    if (graph != NULL)
        caller_free_graph(s->caller, graph);
    DEVICE_DID(s->d, scankit_set_stream(s->fixed, NULL));
    place_close(&s->p);
    tap_end();
}

static void test_type(stage *s, scankit_type type)
{
    static const workspace_call *const lists[] = {array_calls, sort_calls, merge_calls, image_calls};
    static const size_t sizes[] = {700, 60000, 600000};
    tap_begin("%s: %s: graphs of calls do the same for other data", s->d->name, scankit_type_name(type));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        place_open(&s->p, s->d->context, type, sizes[i]);
        place_fill(&s->p, DATA_UNIFORM, 1);
        for (size_t list = 0; list < sizeof lists / sizeof *lists; list++)
            for (const workspace_call *call = lists[list]; call->run != NULL; call++)
                if (device_case_is_due())
                    try_call(s, call);
        place_close(&s->p);
    }
    tap_end();
}

static void test(device *d)
{
    const char *reason;
    stage s = {.d = d, .caller = caller_open(&reason)};
    if (s.caller == NULL)
        tap_bail_out("no caller: %s", reason);
    if (scankit_open(&s.fixed, d->name) != SCANKIT_OK)
        tap_bail_out("no second context");
    s.stream = caller_stream(s.caller, 0);
    test_refusal(&s);
    test_type(&s, SCANKIT_U32);
    test_type(&s, SCANKIT_U8);
    test_type(&s, SCANKIT_F64);
    scankit_close(s.fixed);
    caller_close(s.caller);
}

int main(void)
{
    device d;
    if (!device_has_free_gpu("graphs of calls"))
        return tap_finish();
    if (device_open(&d, "cuda", "cuda")) {
        test(&d);
        device_close(&d);
    }
    return tap_finish();
}
