/* peer_row.c - see peer_row.h. */
#include "peer_row.h"

#include <string.h>

#include "measure/clock.h"
#include "measure/names.h"
#include "measure/table.h"

#define PEERS_MAX 8
#define SLOW_MOST ((size_t)1 << 22) /* std::sort takes minutes for more */

static bool is_measured(const bench_state *bench, const sort_peer *peer, const bench_job *job)
{
    return is_listed(bench->peers, peer->name) && (strncmp(peer->name, "std::", 5) != 0 || job->n <= SLOW_MOST);
}

static void print_speed(const char *name, const bench_job *job, double seconds)
{
    printf(" %s %.1f", name, (double)job->n / seconds * 1e-6);
}

void measure_peers(bench_state *bench, const bench_job *job, const peer_row *row)
{
    const sort_peer *peers = row->peers;
    double ours[REPEATS_MAX], theirs[PEERS_MAX][REPEATS_MAX], best = 0, median;
    char size[24];
    for (unsigned turn = 0; turn < bench->repeats; turn++) {
        ours[turn] = row->time_ours(bench, job);
        for (size_t p = 0; p < PEERS_MAX && peers[p].name != NULL; p++)
            theirs[p][turn] = is_measured(bench, &peers[p], job) ? peers[p].run(job, 1) : -1;
    }
    median = median_of(ours, bench->repeats);
    printf("%-8s %-4s %-12s %6s ", row->name, scankit_type_name(job->type), shape_name(row->shape),
           size_text(row->n, size));
    print_speed("scankit", job, median);
    for (size_t p = 0; p < PEERS_MAX && peers[p].name != NULL; p++) {
        double seconds = median_of(theirs[p], bench->repeats);
        if (seconds <= 0)
            continue;
        print_speed(peers[p].name, job, seconds);
        best = best == 0 || seconds < best ? seconds : best;
    }
    printf(" | %.2f of the best%s\n", best / median, row->correct ? "" : "  WRONG RESULT");
    fflush(stdout);
    bench->failures += !row->correct;
}
