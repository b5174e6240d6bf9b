/* rehearsal.c - a call does with the workspace that its rehearsal says, whatever the data are, has the same results as
 * in a context's own workspace, and writes nothing beyond; and the rehearsal does not say far too much. */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "support/tap.h"

#define GUARD ((size_t)4096)
#define UNTOUCHED 0xa5
#define SLACK ((size_t)1 << 20) /* bytes that a rehearsal may say beyond twice the need */
#define CALLS_MOST 64

static const workspace_call *const lists[] = {array_calls, sort_calls, merge_calls, image_calls};
#define LISTS (sizeof lists / sizeof *lists)

typedef struct stage {
    device *d;
    scankit_context *fixed; /* works in the caller's memory */
    place p;
    size_t need[LISTS][CALLS_MOST];
    bool is_tight[LISTS][CALLS_MOST];
} stage;

/* ---- workspaces ---- */

static size_t rehearse(stage *s, const workspace_call *call)
{
    size_t bytes = 0;
    s->p.context = s->fixed;
    DEVICE_DID(s->d, scankit_workspace_begin(s->fixed));
    scankit_error error = call->run(&s->p);
    if (error != SCANKIT_OK)
        tap_fail("the rehearsal fails: %s", scankit_error_detail(s->fixed));
    DEVICE_DID(s->d, scankit_workspace_end(s->fixed, &bytes));
    return bytes;
}

static char *open_workspace(stage *s, size_t bytes)
{
    void *memory = NULL;
    char *host = data_allocate(bytes + GUARD, 1);
    memset(host, UNTOUCHED, bytes + GUARD);
    DEVICE_DID(s->d, scankit_allocate(s->d->context, &memory, bytes + GUARD));
    DEVICE_DID(s->d, scankit_upload(s->d->context, memory, host, bytes + GUARD));
    DEVICE_DID(s->d, scankit_synchronize(s->d->context));
    free(host);
    if (scankit_set_workspace(s->fixed, memory, bytes) != SCANKIT_OK)
        tap_fail("%s", scankit_error_detail(s->fixed));
    return memory;
}

/* Returns how far the workspace was written to. */
static size_t close_workspace(stage *s, char *memory, size_t bytes)
{
    size_t touched = bytes + GUARD;
    unsigned char *host = data_allocate(touched, 1);
    scankit_set_workspace(s->fixed, NULL, 0);
    DEVICE_DID(s->d, scankit_download(s->d->context, host, memory, touched));
    while (touched > 0 && host[touched - 1] == UNTOUCHED)
        touched--;
    if (touched > bytes)
        tap_fail("bytes behind the workspace were written to");
    scankit_free(s->d->context, memory);
    free(host);
    return touched;
}

/* ---- a call ---- */

static place_result run_plain(stage *s, const workspace_call *call)
{
    s->p.context = s->d->context;
    place_clear_results(&s->p);
    place_did(&s->p, call->run(&s->p));
    return place_results(&s->p);
}

static size_t run_fixed(stage *s, const workspace_call *call, size_t bytes, const place_result *expected)
{
    char *memory = open_workspace(s, bytes);
    s->p.context = s->fixed;
    place_clear_results(&s->p);
    if (place_did(&s->p, call->run(&s->p))) {
        place_result found = place_results(&s->p);
        place_expect_same(expected, &found);
        place_free_results(&found);
    }
    return close_workspace(s, memory, bytes);
}

/* True if half of the workspace is too little, or more than half of it was written to. */
static bool is_tight(stage *s, const workspace_call *call, size_t bytes, size_t touched)
{
    if (bytes <= SLACK || 2 * touched + SLACK >= bytes)
        return true;
    size_t half = (bytes - SLACK) / 2;
    char *memory = open_workspace(s, half);
    scankit_error error = call->run(&s->p);
    if (error != SCANKIT_OK && error != SCANKIT_E_MEMORY)
        tap_fail("with half of the workspace: %s", scankit_error_detail(s->fixed));
    if (error == SCANKIT_E_MEMORY && strstr(scankit_error_detail(s->fixed), "are needed") == NULL)
        tap_fail("no word on the size: %s", scankit_error_detail(s->fixed));
    close_workspace(s, memory, half);
    return error == SCANKIT_E_MEMORY;
}

static void try_call(stage *s, size_t list, size_t number, data_shape shape)
{
    const workspace_call *call = &lists[list][number];
    tap_case("%s of %zu %s", call->name, s->p.n, data_shape_name(shape));
    size_t need = rehearse(s, call);
    if (s->need[list][number] != SIZE_MAX && s->need[list][number] != need)
        tap_fail("the rehearsals say %zu and %zu bytes", s->need[list][number], need);
    s->need[list][number] = need;
    place_result expected = run_plain(s, call);
    size_t touched = run_fixed(s, call, need, &expected);
    s->is_tight[list][number] = s->is_tight[list][number] || is_tight(s, call, need, touched);
    place_free_results(&expected);
}

/* ---- all calls ---- */

static void expect_tight(stage *s)
{
    for (size_t list = 0; list < LISTS; list++)
        for (size_t i = 0; lists[list][i].run != NULL; i++) {
            tap_case("%s of %zu", lists[list][i].name, s->p.n);
            if (s->need[list][i] != SIZE_MAX && !s->is_tight[list][i] && !lists[list][i].varies)
                tap_fail("%zu bytes are more than twice the need", s->need[list][i]);
        }
}

/* Makes the data if one of the calls is due, as they take longer than most calls. */
static void try_shape(stage *s, data_shape shape, uint64_t seed)
{
    bool is_filled = false;
    for (size_t list = 0; list < LISTS; list++)
        for (size_t i = 0; lists[list][i].run != NULL; i++) {
            if (!device_case_is_due())
                continue;
            if (!is_filled)
                place_fill(&s->p, shape, seed);
            is_filled = true;
            try_call(s, list, i, shape);
        }
}

static void open_all(stage *s, scankit_type type, size_t n)
{
    place_open(&s->p, s->d->context, type, n);
    for (size_t list = 0; list < LISTS; list++)
        for (size_t i = 0; i < CALLS_MOST; i++) {
            s->need[list][i] = SIZE_MAX;
            s->is_tight[list][i] = false;
        }
}

static void try_all(stage *s, scankit_type type, size_t n)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_ALMOST_SORTED, DATA_ZIPF, DATA_HEAVY, DATA_OUTLIERS};
    open_all(s, type, n);
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++)
        try_shape(s, shapes[shape], shape + 1);
    if (getenv("SCANKIT_TEST_EVERY") == NULL)
        expect_tight(s);
    place_close(&s->p);
}

/* ---- keys of which many are 0 ---- */

/* The others are sorted like an array of their own, which may be one that takes more than the whole. */
static void fill_others(stage *s, size_t percent, uint64_t seed)
{
    random_state random = random_seeded(seed);
    const size_t size = s->p.size;
    char *host = data_allocate(s->p.n, size);
    data_fill(host, s->p.type, DATA_UNIFORM, s->p.n, seed);
    for (size_t i = 0; i < s->p.n; i++)
        if (random_below(&random, 100) >= percent)
            memset(host + i * size, 0, size);
    DEVICE_DID(s->d, scankit_upload(s->d->context, s->p.in, host, s->p.n * size));
    DEVICE_DID(s->d, scankit_synchronize(s->d->context));
    free(host);
}

static void try_others(stage *s, size_t percent, uint64_t seed)
{
    size_t list = 0, i = 0;
    while (lists[list] != sort_calls)
        list++;
    for (; sort_calls[i].run != NULL; i++)
        if (strstr(sort_calls[i].name, "lean") != NULL && device_case_is_due()) {
            fill_others(s, percent, seed);
            try_call(s, list, i, DATA_HEAVY);
        }
}

static void others(stage *s, scankit_type type)
{
    static const size_t sizes[] = {140001, 700001};
    tap_begin("%s: %s: many keys are 0", s->d->name, scankit_type_name(type));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        open_all(s, type, sizes[i]);
        for (size_t percent = 10; percent <= 60; percent += 10)
            try_others(s, percent, i * 100 + percent);
        place_close(&s->p);
    }
    tap_end();
}

static void test(device *d)
{
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U8, SCANKIT_I16, SCANKIT_F64};
    static const size_t sizes[] = {1, 700, 60000, 140001, 600000, 3000001, 5000000};
    const size_t count = sizeof sizes / sizeof *sizes, for_host = 5;
    stage s = {.d = d};
    if (scankit_open(&s.fixed, d->name) != SCANKIT_OK)
        tap_bail_out("no second context");
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        tap_begin("%s: %s: calls do with the workspace of their rehearsals", d->name, scankit_type_name(types[t]));
        for (size_t i = 0; i < count; i++)
            if (i < for_host || (!scankit_is_host(d->context) && scankit_type_size(types[t]) >= 4))
                try_all(&s, types[t], sizes[i]);
        tap_end();
    }
    others(&s, SCANKIT_U32);
    others(&s, SCANKIT_F64);
    scankit_close(s.fixed);
}

int main(void)
{
    return device_each("workspaces of callers", test);
}
