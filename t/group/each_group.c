/* each_group.c - the groups that tests in one process run on. */
#include "parts.h"
#include "support/device.h"
#include "support/tap.h"

static void test_group(const char *devices, void (*test)(scankit_group *group, const char *name))
{
    scankit_group *group;
    scankit_error error = scankit_group_open(&group, devices);
    if (error != SCANKIT_OK) {
        tap_ok(false, "%s opens: %s", devices, scankit_error_string(error));
        return;
    }
    test(group, devices);
    scankit_group_close(group);
}

int parts_each_group(void (*test)(scankit_group *group, const char *name))
{
    static const char *const cpus[] = {"cpu:2",         "cpu:1,1",           "cpu:1,2,1",
                                       "cpu:1,1,1,1,1", "cpu:1,1,1,1,1,1,1", "cpu:1,1,1,1,1,1,1,1"};
    static const char *const gpus[] = {"cuda:0,0", "cuda:0,0,0", "cuda:all"};
    for (size_t i = 0; device_wanted("cpu") && i < sizeof cpus / sizeof *cpus; i++)
        test_group(cpus[i], test);
    for (size_t i = 0; device_wanted("cuda") && i < sizeof gpus / sizeof *gpus; i++)
        if (scankit_cuda_device_count() > 0)
            test_group(gpus[i], test);
        else
            tap_skip("no GPU", "%s", gpus[i]);
    scankit_close(parts_alone());
    return tap_finish();
}
