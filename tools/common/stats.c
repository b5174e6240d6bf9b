/* stats.c - see stats.h. */
#include "stats.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "progress.h"

void stats_start(struct stats *stats)
{
    *stats = (struct stats){.begin = seconds_now(), .phase = -1};
}

void stats_end(struct stats *stats)
{
    if (stats->phase >= 0)
        stats->seconds[stats->phase] += seconds_now() - stats->phase_begin;
    stats->phase = -1;
    progress_end();
}

void stats_phase(struct stats *stats, enum phase phase, uint64_t total)
{
    static const char *const verbs[] = {
#define X(name, verb) verb,
        PHASES(X)
#undef X
    };
    stats_end(stats);
    stats->phase = (int)phase;
    stats->phase_begin = seconds_now();
    progress_phase(verbs[phase], total);
}

void stats_device(struct stats *stats, const struct device *device)
{
    const char *name = scankit_device_name(device->context);
    if (device->list == NULL)
        snprintf(stats->device, sizeof stats->device, "%s", name);
    else
        snprintf(stats->device, sizeof stats->device, "%s, the first is %s", device->list, name);
    snprintf(stats->algorithm, sizeof stats->algorithm, "%s", scankit_last_algorithm(device->context));
    stats->seconds[PHASE_start] = device->seconds;
}

/* Prints a JSON string. Device names hold no control characters. */
static void print_text(FILE *file, const char *name, const char *text)
{
    fprintf(file, "\"%s\": \"", name);
    for (; *text != '\0'; text++)
        fprintf(file, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    fputs("\", ", file);
}

static void print(const struct stats *stats, const struct common *common)
{
    if (!common->stats)
        return;
    const char *name = common->stats_file;
    FILE *file = name == NULL ? stderr : fopen(name, "we");
    if (file == NULL)
        fail(name, "cannot open: %s", strerror(errno));
    fprintf(file, "{\"elements\": %llu, \"bytes_in\": %llu, \"bytes_out\": %llu, ", (unsigned long long)stats->elements,
            (unsigned long long)stats->bytes_in, (unsigned long long)stats->bytes_out);
    print_text(file, "device", stats->device);
    print_text(file, "algorithm", stats->algorithm);
    fputs(stats->more == NULL ? "" : stats->more, file);
    fputs("\"seconds\": {", file);
#define X(phase, verb)                     \
    if (stats->seconds[PHASE_##phase] > 0) \
        fprintf(file, "\"%s\": %.6f, ", #phase, stats->seconds[PHASE_##phase]);
    PHASES(X)
#undef X
    fprintf(file, "\"total\": %.6f}}\n", seconds_now() - stats->begin);
    if (ferror(file) || fflush(file) != 0 || (file != stderr && fclose(file) != 0))
        fail(name == NULL ? "standard error" : name, "cannot write: %s", strerror(errno));
}

void stats_exit(const struct stats *stats, const struct common *common, int status)
{
    print(stats, common);
    fflush(stderr);
    _exit(status);
}
