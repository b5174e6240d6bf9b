/* rank.h - a tool's process as a rank of MPI: what ranks do together. All functions but rank_number(),
 * rank_count(), ranks_call_from_threads() and shard_path() are collective. Failures of MPI end the job, except with
 * files. */
#ifndef RANK_H
#define RANK_H

#include "common/job.h"
#include "scankit_group.h"

/* For messages about options that do not go with ranks. */
#define WITH_RANKS "ranks of MPI (--no-mpi works on each rank alone)"

size_t rank_number(void);
size_t rank_count(void);

/* True if any thread may call MPI, one at a time. */
bool ranks_call_from_threads(void);

/* Lets the other ranks go on from ranks_begin(); called once, by all. */
void ranks_follow(void);

/* If any rank has failed, returns true on the lowest one that has; it then ends the job by fail(), and the others do
 * not return. Else false. */
bool ranks_must_report(bool failed);

/* The greatest value of all ranks, the sum, and the sum of the ranks before this one. */
uint64_t ranks_most(uint64_t value);
uint64_t ranks_sum(uint64_t value);
uint64_t ranks_before(uint64_t value);

/* all[r] becomes the value of rank r. */
void ranks_all(uint64_t value, uint64_t *all);

/* Bytes that go from each rank to the next one. The first rank does not receive, nor the last one send. */
void ranks_receive(void *memory, size_t bytes);
void ranks_send(const void *memory, size_t bytes);

/* Ranks on this host. */
size_t ranks_of_host(void);

/* Gives all ranks what the first one has. */
void ranks_give(void *memory, size_t bytes);

void ranks_meet(void);
void ranks_end(void);

/* Opens this rank's device, as --device and --parallel say, and the group of all. */
scankit_group *ranks_open_group(struct job *job);

/* Ends the job unless the call succeeded. */
void ranks_check(const scankit_group *group, scankit_error error);

/* Adds what each rank did to the statistics of the first one. */
void ranks_report(struct stats *stats);

/* The path with this rank's number instead of each %r; get_memory()'d. Fails if it has none. */
char *shard_path(const char *path);

#endif
