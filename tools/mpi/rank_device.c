/* rank_device.c - the device of each rank, and the group of all; what they did. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rank.h"
#include "rank_exchange.h"
#include "scankit_mpi.h"

/* ---- opening ---- */

static void name_device(const struct common *common, char *name, size_t room)
{
    const char *wanted = device_wanted_name(common);
    bool on_cpu = strcmp(wanted, "cpu") == 0 || (strcmp(wanted, "auto") == 0 && scankit_cuda_device_count() == 0);
    if (on_cpu && common->parallel > 0)
        snprintf(name, room, "cpu:%u", common->parallel);
    else
        snprintf(name, room, "%s", wanted);
}

scankit_group *ranks_open_group(struct job *job)
{
    char name[256];
    scankit_group *group;
    struct device *device = &job->device;
    name_device(job->common, name, sizeof name);
    device->seconds = -seconds_now();
    scankit_error error = scankit_mpi_open(&device->context, name, MPI_COMM_WORLD);
    if (ranks_must_report(error != SCANKIT_OK))
        fail(NULL, "rank %zu cannot start the device %s: %s", rank_number(), name, scankit_error_string(error));
    error = scankit_mpi_group_open(&group, device->context, MPI_COMM_WORLD);
    if (ranks_must_report(error != SCANKIT_OK))
        fail(NULL, "the ranks cannot work together: %s: %s", scankit_error_string(error), scankit_mpi_error_detail());
    device->seconds += seconds_now();
    return group;
}

void ranks_check(const scankit_group *group, scankit_error error)
{
    if (!ranks_must_report(error != SCANKIT_OK))
        return;
    const char *more = scankit_mpi_error_detail();
    fail(NULL, "%s: %s%s%s", scankit_error_string(error), scankit_group_error_detail(group),
         more[0] == '\0' ? "" : ": ", more);
}

/* ---- statistics ---- */

/* What one rank did. */
struct record {
    uint64_t elements, sent;
    double seconds[PHASE_COUNT];
    char device[96];
};

static void print_record(FILE *file, size_t rank, const struct record *record)
{
    fprintf(file, "%s{\"rank\": %zu, \"device\": \"%s\", \"elements\": %llu, \"bytes_sent\": %llu, \"seconds\": {",
            rank == 0 ? "" : ", ", rank, record->device, (unsigned long long)record->elements,
            (unsigned long long)record->sent);
    const char *comma = "";
#define X(phase, verb)                                                                  \
    if (record->seconds[PHASE_##phase] > 0) {                                           \
        fprintf(file, "%s\"%s\": %.6f", comma, #phase, record->seconds[PHASE_##phase]); \
        comma = ", ";                                                                   \
    }
    PHASES(X)
#undef X
    fputs("}}", file);
}

static char *print_records(const struct record *records)
{
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    if (file == NULL)
        fail(NULL, "out of memory");
    fputs("\"ranks\": [", file);
    for (size_t i = 0; i < rank_count(); i++)
        print_record(file, i, &records[i]);
    fputs("], ", file);
    if (fclose(file) != 0)
        fail(NULL, "out of memory");
    return text;
}

void ranks_report(struct stats *stats)
{
    struct record mine = {.elements = stats->elements, .sent = scankit_mpi_bytes_sent() + ranks_exchanged()};
    struct record *all = get_memory(rank_count() * sizeof *all);
    memcpy(mine.seconds, stats->seconds, sizeof mine.seconds);
    snprintf(mine.device, sizeof mine.device, "%.*s", (int)sizeof mine.device - 1, stats->device);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
    stats->elements = ranks_sum(stats->elements);
    stats->bytes_in = ranks_sum(stats->bytes_in);
    stats->bytes_out = ranks_sum(stats->bytes_out);
    snprintf(stats->device, sizeof stats->device, "%zu ranks, the first on %s", rank_count(), mine.device);
    if (rank_number() == 0)
        stats->more = print_records(all);
    free(all);
}
