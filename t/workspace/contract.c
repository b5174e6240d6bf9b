/* contract.c - what scankit_set_workspace() and rehearsals refuse, and what they leave as it was. */
#include <string.h>

#include "support/data.h"
#include "support/device.h"
#include "support/tap.h"

#define N ((size_t)100000)

static bool detail_has(const device *d, const char *text)
{
    return strstr(scankit_error_detail(d->context), text) != NULL;
}

static void test_arguments(device *d)
{
    size_t bytes = 7;
    char *memory = device_put(d, 0, NULL, 1024, 0);
    tap_begin("%s: wrong arguments are refused", d->name);
    TAP_CHECK(scankit_set_workspace(NULL, NULL, 0) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_workspace_begin(NULL) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_workspace_end(NULL, &bytes) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_set_workspace(d->context, memory + 128, 256) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(detail_has(d, "256"));
    TAP_CHECK(scankit_workspace_end(d->context, &bytes) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_workspace_begin(d->context) == SCANKIT_OK);
    TAP_CHECK(scankit_workspace_begin(d->context) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_set_workspace(d->context, memory, 1024) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_workspace_end(d->context, NULL) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(bytes == 7);
    TAP_CHECK(scankit_workspace_end(d->context, &bytes) == SCANKIT_OK);
    TAP_CHECK(bytes == 0);
    tap_end();
}

/* A sort of keys that do not exist, and a scan; then the arrays of a real sort. */
static void test_rehearsal(device *d)
{
    void *nowhere = (void *)(uintptr_t)4096, *beyond = (void *)(uintptr_t)8192;
    size_t sort = 0, both = 0;
    const scankit_sort_options radix = {.algorithm = SCANKIT_RADIX};
    const char *algorithm = scankit_last_algorithm(d->context);
    tap_begin("%s: a rehearsal computes nothing, and says the largest need", d->name);
    for (int i = 0; i < 2; i++) {
        DEVICE_DID(d, scankit_workspace_begin(d->context));
        DEVICE_DID(d, scankit_sort(d->context, SCANKIT_U32, nowhere, beyond, N, &radix));
        if (i == 1)
            DEVICE_DID(d,
                       scankit_scan(d->context, SCANKIT_U32, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, nowhere, beyond, N));
        TAP_CHECK(scankit_scan(d->context, SCANKIT_U32, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, NULL, beyond, N) ==
                  SCANKIT_E_ARGUMENT);
        DEVICE_DID(d, scankit_workspace_end(d->context, i == 0 ? &sort : &both));
    }
    TAP_CHECK(sort > 0 && sort == both);
    TAP_CHECK(strcmp(scankit_last_algorithm(d->context), algorithm) == 0);
    tap_end();
}

/* Too little memory, then enough, then the context's own. */
static void test_sizes(device *d)
{
    uint32_t host[1000], sorted[1000];
    size_t bytes = 0;
    tap_begin("%s: a workspace that is too small says so, and another one can follow", d->name);
    for (uint32_t i = 0; i < 1000; i++) {
        host[i] = 999 - i;
        sorted[i] = i;
    }
    void *in = device_put(d, 0, host, sizeof host, 0), *out = device_put(d, 1, NULL, sizeof host, 0);
    const scankit_sort_options radix = {.algorithm = SCANKIT_RADIX};
    DEVICE_DID(d, scankit_workspace_begin(d->context));
    DEVICE_DID(d, scankit_sort(d->context, SCANKIT_U32, in, out, 1000, &radix));
    DEVICE_DID(d, scankit_workspace_end(d->context, &bytes));
    void *memory = device_put(d, 2, NULL, bytes, 0);
    DEVICE_DID(d, scankit_set_workspace(d->context, memory, 256));
    TAP_CHECK(scankit_sort(d->context, SCANKIT_U32, in, out, 1000, &radix) == SCANKIT_E_MEMORY);
    TAP_CHECK(detail_has(d, "256 bytes"));
    DEVICE_DID(d, scankit_set_workspace(d->context, memory, bytes));
    DEVICE_DID(d, scankit_sort(d->context, SCANKIT_U32, in, out, 1000, &radix));
    device_expect(d, 1, sorted, 1000, 4, "in the caller's workspace");
    DEVICE_DID(d, scankit_set_workspace(d->context, NULL, 0));
    DEVICE_DID(d, scankit_sort(d->context, SCANKIT_U32, in, out, 1000, &radix));
    device_expect(d, 1, sorted, 1000, 4, "in the context's own");
    tap_end();
}

static void test(device *d)
{
    test_arguments(d);
    test_rehearsal(d);
    test_sizes(d);
}

int main(void)
{
    return device_each("callers' workspaces", test);
}
