/* rank.c - see rank.h. MPI_COMM_WORLD's errors end the job with MPI's own message. */
#include "rank.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "launcher.h"

static int number, count = 1, level;

size_t rank_number(void)
{
    return (size_t)number;
}

size_t rank_count(void)
{
    return (size_t)count;
}

bool ranks_call_from_threads(void)
{
    return level >= MPI_THREAD_SERIALIZED;
}

/* ---- the start and the end ---- */

static void end_all(void)
{
    int ended = 0;
    if (MPI_Finalized(&ended) == MPI_SUCCESS && !ended)
        MPI_Abort(MPI_COMM_WORLD, STATUS_TROUBLE);
}

/* A launcher of another MPI starts processes that do not know of each other, and all would write to one file. */
static void check_launcher(void)
{
    unsigned long expected = ranks_expected();
    if (count == 1 && expected > 1)
        fail(NULL,
             "the launcher started %lu processes, but MPI sees only this one; use the mpirun of the MPI that scankit "
             "was "
             "built with, or srun --mpi=pmix",
             expected);
}

static void speak_for_all(struct common *common)
{
    if (number == 0)
        return;
    common->progress = 0;
    common->verbose = common->stats = false;
}

bool ranks_begin(struct common *common, const char *tool, char **argv)
{
    (void)tool;
    (void)argv;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
        fail(NULL, "MPI does not start");
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    check_launcher();
    cli_last_words(end_all);
    speak_for_all(common);
    if (number > 0)
        ranks_meet();
    return true;
}

void ranks_follow(void)
{
    if (number == 0)
        ranks_meet();
}

void ranks_meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

void ranks_end(void)
{
    MPI_Finalize();
}

/* ---- numbers ---- */

static uint64_t reduce(uint64_t value, MPI_Op op)
{
    uint64_t result;
    MPI_Allreduce(&value, &result, 1, MPI_UINT64_T, op, MPI_COMM_WORLD);
    return result;
}

uint64_t ranks_most(uint64_t value)
{
    return reduce(value, MPI_MAX);
}

uint64_t ranks_sum(uint64_t value)
{
    return reduce(value, MPI_SUM);
}

uint64_t ranks_before(uint64_t value)
{
    uint64_t result = 0;
    MPI_Exscan(&value, &result, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return number == 0 ? 0 : result;
}

void ranks_all(uint64_t value, uint64_t *all)
{
    MPI_Allgather(&value, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, MPI_COMM_WORLD);
}

void ranks_receive(void *memory, size_t bytes)
{
    if (number > 0)
        MPI_Recv(memory, (int)bytes, MPI_BYTE, number - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void ranks_send(const void *memory, size_t bytes)
{
    if (number + 1 < count)
        MPI_Send(memory, (int)bytes, MPI_BYTE, number + 1, 0, MPI_COMM_WORLD);
}

size_t ranks_of_host(void)
{
    MPI_Comm host;
    int ranks;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &ranks);
    MPI_Comm_free(&host);
    return (size_t)ranks;
}

void ranks_give(void *memory, size_t bytes)
{
    MPI_Bcast(memory, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* A rank that waits here is ended with the job. */
bool ranks_must_report(bool failed)
{
    uint64_t mine = failed ? (uint64_t)number : UINT64_MAX, first = reduce(mine, MPI_MIN);
    if (first == UINT64_MAX)
        return false;
    while (first != mine)
        ranks_meet();
    return true;
}

/* ---- shards ---- */

char *shard_path(const char *path)
{
    char digits[24];
    size_t room = strlen(path) + 1, width = (size_t)snprintf(digits, sizeof digits, "%d", number);
    if (strstr(path, "%r") == NULL)
        fail(path, "has no %%r, for the rank's number, which --shards requires");
    char *result = get_memory(room * (width + 1)), *to = result;
    for (const char *from = path; *from != '\0'; from++)
        if (from[0] == '%' && from[1] == 'r') {
            memcpy(to, digits, width);
            to += width;
            from++;
        } else {
            *to++ = *from;
        }
    *to = '\0';
    return result;
}
