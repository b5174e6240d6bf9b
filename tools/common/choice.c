/* choice.c - see choice.h; device.h declares what the tools ask. */
#include "choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/figures.h"
#include "model/machine.h"

/* ---- what is wanted ---- */

enum device_kind device_kind_of(const char *name)
{
    static const struct {
        const char *name;
        enum device_kind kind;
    } kinds[] = {{"auto", DEVICE_AUTO}, {"cpu", DEVICE_CPU}, {"cuda", DEVICE_CUDA}};
    size_t length = strcspn(name, ":");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strlen(kinds[i].name) == length && memcmp(kinds[i].name, name, length) == 0)
            return kinds[i].kind == DEVICE_AUTO && name[length] != '\0' ? DEVICE_UNKNOWN : kinds[i].kind;
    return DEVICE_UNKNOWN;
}

const char *device_wanted_name(const struct common *common)
{
    const char *variable = getenv("SCANKIT_DEVICE");
    bool override = strcmp(common->device, "auto") == 0 && variable != NULL && variable[0] != '\0';
    return override ? variable : common->device;
}

enum device_kind device_wanted(const struct common *common)
{
    return device_kind_of(device_wanted_name(common));
}

const char *device_list(const struct common *common)
{
    const char *name = device_wanted_name(common);
    return strchr(name, ',') != NULL || strcmp(name, "cuda:all") == 0 ? name : NULL;
}

char *device_first(const char *list)
{
    const char *first = strcmp(list, "cuda:all") == 0 ? "cuda" : list;
    size_t length = strcspn(first, ",");
    char *name = get_memory(length + 1);
    memcpy(name, first, length);
    name[length] = '\0';
    return name;
}

size_t device_processors(const struct common *common)
{
    return common->parallel > 0 ? common->parallel : machine_processors();
}

/* ---- the model's choice ---- */

/* Figures are of all processors; more threads than those gain nothing. */
static unsigned useful_processors(const struct common *common)
{
    unsigned all = machine_processors();
    return common->parallel > 0 && common->parallel < all ? common->parallel : all;
}

static uint64_t break_even(const struct common *common, enum work work)
{
    return model_break_even(figures_now(NULL), work, useful_processors(common));
}

uint64_t device_break_even(const struct common *common, enum work work)
{
    uint64_t bytes = break_even(common, work);
    return bytes == UINT64_MAX || scankit_cuda_device_count() == 0 ? UINT64_MAX : bytes;
}

static bool are_measured(const struct figures *figures, enum work work)
{
    return figures->measured[FIGURE_cpu + work] || figures->measured[FIGURE_cuda + work];
}

/* "device cpu: for 64.0 MiB (67108864 bytes) cpu takes about 0.12 s, cuda 0.35 s, by built-in figures" */
static void say_estimates(const struct common *common, const char *name, const char *reason, uint64_t bytes,
                          enum work work)
{
    const struct figures *figures = figures_now(NULL);
    double cpu = model_cpu(figures, work, useful_processors(common), bytes), gpu = model_gpu(figures, work, bytes);
    say(NULL, "device %s%s: for %s cpu takes about %.3g s, cuda %.3g s, by %s figures", name, reason, bytes_text(bytes),
        cpu, gpu, are_measured(figures, work) ? "measured" : "built-in");
}

static void say_choice(const struct common *common, const char *name, bool missing, uint64_t bytes, enum work work)
{
    const char *ignored;
    figures_now(&ignored);
    if (ignored != NULL)
        say(figures_path(), "ignored: %s", ignored);
    uint64_t enough = break_even(common, work);
    if (work == WORK_NONE)
        say(NULL, "device %s: this is too little work for the start of a GPU", name);
    else if (bytes > 0 && bytes < UINT64_MAX)
        say_estimates(common, name, missing ? ", for there is no GPU" : "", bytes, work);
    else if (enough == UINT64_MAX || missing)
        say(NULL, "device %s: %s", name, missing ? "there is no GPU" : "a GPU would never be faster");
    else
        say(NULL, "device %s: cuda is faster from %s, and the input %s", name, bytes_text(enough),
            bytes > 0 ? "is longer" : "is empty or its length is not known");
}

/* Counting the GPUs starts the driver, so that comes last. */
static const char *automatic(const struct common *common, uint64_t bytes, enum work work)
{
    uint64_t enough = break_even(common, work);
    bool pays = enough < UINT64_MAX && bytes >= enough;
    bool missing = pays && scankit_cuda_device_count() == 0;
    const char *name = pays && !missing ? "cuda" : "cpu";
    if (common->verbose)
        say_choice(common, name, missing, bytes, work);
    return name;
}

void choose_device(struct device *device, const struct common *common, uint64_t bytes, enum work work)
{
    const char *name = device_wanted_name(common);
    if (device_kind_of(name) == DEVICE_AUTO)
        name = automatic(common, bytes, work);
    if (strcmp(name, "cpu") == 0 && common->parallel > 0)
        snprintf(device->name, sizeof device->name, "cpu:%u", common->parallel);
    else
        snprintf(device->name, sizeof device->name, "%s", name);
    device->kind = device_kind_of(device->name);
}
