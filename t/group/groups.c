/* groups.c - opening groups, lists of devices, and errors: what fails on one member fails on all, with a detail that
 * names it, and the group can be used again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "support/device.h"
#include "support/tap.h"

static void opening(void)
{
    static const char *const wrong[] = {"",        "cpu:",   "cpu:1,",     "cpu:,1", "cpu:1,x",  "cpus:1,1",
                                        "cuda:al", "cpu:1 ", "cuda:all,0", "cpu",    "auto:1,1", "cpu:1,-1"};
    scankit_group *group;
    tap_begin("lists of devices");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        bool right = strcmp(wrong[i], "cpu") == 0;
        group = (scankit_group *)&group;
        tap_case("\"%s\"", wrong[i]);
        TAP_CHECK((scankit_group_open(&group, wrong[i]) == (right ? SCANKIT_OK : SCANKIT_E_SYNTAX)));
        TAP_CHECK((group != NULL) == right);
        scankit_group_close(group);
    }
    tap_case("members");
    TAP_CHECK(scankit_group_open(&group, "cpu:1,2,3") == SCANKIT_OK);
    TAP_CHECK(scankit_group_members(group) == 3 && scankit_group_local(group) == 3 && scankit_group_rank(group) == 0);
    TAP_CHECK(strcmp(scankit_device_name(scankit_group_context(group, 2)), "cpu:3") == 0);
    TAP_CHECK(scankit_group_context(group, 3) == NULL);
    scankit_group_close(group);
    tap_case("no GPU");
    if (scankit_cuda_device_count() == 0)
        TAP_CHECK(scankit_group_open(&group, "cuda:all") == SCANKIT_E_NO_DEVICE && group == NULL);
    TAP_CHECK(scankit_group_open(NULL, "cpu") == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_group_open(&group, NULL) == SCANKIT_E_ARGUMENT && group == NULL);
    scankit_group_close(NULL);
    tap_end();
}

/* Contexts of the caller's stay open. */
static void own_contexts(void)
{
    scankit_context *contexts[3] = {NULL};
    scankit_group *group;
    tap_begin("a group of contexts");
    for (int i = 0; i < 2; i++)
        if (scankit_open(&contexts[i], "cpu:1") != SCANKIT_OK)
            tap_bail_out("no CPU");
    TAP_CHECK(scankit_group_of(&group, contexts, 3) == SCANKIT_E_ARGUMENT && group == NULL);
    TAP_CHECK(scankit_group_of(&group, contexts, 0) == SCANKIT_E_ARGUMENT && group == NULL);
    contexts[2] = contexts[0];
    TAP_CHECK(scankit_group_of(&group, contexts, 3) == SCANKIT_E_ARGUMENT && group == NULL);
    for (int round = 0; round < 2; round++) {
        const uint32_t one = 1, two = 2, *in[] = {&one, &two};
        const size_t n[] = {1, 1};
        uint32_t sum = 0;
        TAP_CHECK(scankit_group_of(&group, contexts, 2) == SCANKIT_OK);
        TAP_CHECK(scankit_group_reduce(group, SCANKIT_U32, SCANKIT_SUM, (const void *const *)in, &sum, n) ==
                      SCANKIT_OK &&
                  sum == 3);
        scankit_group_close(group);
    }
    scankit_close(contexts[0]);
    scankit_close(contexts[1]);
    tap_end();
}

/* Calls that fail on the last member alone. */
static scankit_error fail(scankit_group *group, int what, size_t *n, void *const *data)
{
    const void *const *in = (const void *const *)data;
    static const scankit_key key = {.type = SCANKIT_U32};
    size_t first, runs[PARTS_MAX];
    uint32_t sum;
    switch (what) {
    case 0: return scankit_group_scan(group, SCANKIT_U32, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, in, data, n);
    case 1: return scankit_group_reduce(group, SCANKIT_U32, SCANKIT_SUM, in, &sum, n);
    case 2: return scankit_group_sort(group, SCANKIT_U32, in, data, n, n, NULL);
    case 3: return scankit_group_is_sorted(group, SCANKIT_U32, in, n, NULL, &first);
    case 4: return scankit_group_sort_records(group, 4, &key, 1, in, data, n, n, NULL);
    case 5: return scankit_group_unique(group, 4, in, data, n, NULL, runs);
    default: return scankit_group_redistribute(group, 4, in, n, data, n);
    }
}

static void check_failure(scankit_group *group, int what, void *const *data)
{
    const size_t members = scankit_group_members(group);
    size_t n[PARTS_MAX];
    void *wrong[PARTS_MAX];
    char name[32];
    memcpy(wrong, data, members * sizeof *wrong);
    wrong[members - 1] = NULL;
    for (size_t i = 0; i < members; i++)
        n[i] = 10;
    tap_case("call %d", what);
    TAP_CHECK(fail(group, what, n, wrong) == SCANKIT_E_ARGUMENT);
    snprintf(name, sizeof name, "member %zu: ", members - 1);
    const char *detail = scankit_group_error_detail(group);
    if (strncmp(detail, "scankit_group_", 14) != 0 || strstr(detail, name) == NULL)
        tap_fail("the detail is \"%s\"", detail);
    n[members - 1] = SIZE_MAX / 4;
    TAP_CHECK(fail(group, what, n, data) != SCANKIT_OK);
}

static void failures(scankit_group *group, const char *name)
{
    size_t n[PARTS_MAX];
    parts in;
    uint32_t sum = 0;
    for (size_t i = 0; i < PARTS_MAX; i++)
        n[i] = 10;
    parts_put(&in, group, NULL, 4, n, 0);
    tap_begin("%s: a member that fails", name);
    for (int what = 0; what < 7; what++)
        check_failure(group, what, in.data);
    tap_case("and then one that does not");
    parts_free(&in);
    parts_put(&in, group, NULL, 4, n, 0);
    TAP_CHECK(scankit_group_reduce(group, SCANKIT_U32, SCANKIT_MAX, (const void *const *)in.data, &sum, n) ==
              SCANKIT_OK);
    TAP_CHECK(sum == 0xa7a7a7a7);
    tap_end();
    parts_free(&in);
}

static void test(scankit_group *group, const char *name)
{
    static bool once;
    if (!once) {
        opening();
        own_contexts();
        once = true;
    }
    failures(group, name);
}

int main(void)
{
    return parts_each_group(test);
}
