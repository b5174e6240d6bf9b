/* neighbour.c - calls finish with the same results on a GPU that somebody else partly occupies: no kernel waits for a
 * block that cannot start. The neighbour holds half of the multiprocessors, or all but one, in the same context, where
 * kernels really run side by side; or half of them from another process, by time slices. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "spinner.h"
#include "support/data.h"
#include "support/tap.h"
#include "work.h"

#define PATIENCE 20 /* seconds for one call */
#define SLOW 0.5    /* seconds from which a call is reported */

static char stuck[128] = "# nothing yet\n"; /* the current step, for the message if it takes too long */

static void give_up(int number)
{
    (void)number;
    if (write(STDOUT_FILENO, stuck, strlen(stuck)) > 0)
        _exit(1);
    _exit(2);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void check_work(work_place *place, unsigned job, uint64_t expected)
{
    tap_case("%s", work_name(job));
    snprintf(stuck, sizeof stuck, "# %s is stuck\n", work_name(job));
    double begin = seconds();
    alarm(PATIENCE);
    uint64_t got = work_do(place, job);
    alarm(0);
    if (seconds() - begin > SLOW)
        tap_diag("%s took %.1f s", work_name(job), seconds() - begin);
    if (got != expected)
        tap_fail("%s", place->failed ? scankit_error_detail(place->context) : "the result differs from the CPU's");
}

/* Beside a neighbour in this process, or without one if blocks is 0. */
static void beside(work_place *place, spinner *s, unsigned blocks, const uint64_t *expected, const char *what)
{
    double begin = seconds();
    tap_begin("cuda, %s: %s", place->engine, what);
    tap_case("the neighbour");
    if (blocks > 0 && !spinner_start(s, blocks, 2 * PATIENCE))
        tap_fail("it does not start");
    for (unsigned job = 0; job < work_count(); job++)
        check_work(place, job, expected[job]);
    tap_case("the neighbour");
    if (blocks > 0 && !spinner_spins(s))
        tap_fail("it ended before the work was done");
    spinner_stop(s);
    tap_end();
    tap_diag("%.1f s", seconds() - begin);
}

/* ---- the neighbour of another process ---- */

typedef struct other_process {
    pid_t child;
    int to, from;
} other_process;

/* Waits for a byte, answers with a byte whether it can spin, and spins until the pipe is closed. */
static _Noreturn void be_neighbour(int from, int to)
{
    char word = 0;
    const char *reason;
    if (read(from, &word, 1) != 1)
        _exit(0);
    spinner *s = spinner_open(&reason);
    word = s != NULL && spinner_start(s, spinner_processors(s) / 2, 2 * PATIENCE) ? 'y' : 'n';
    if (write(to, &word, 1) != 1 || read(from, &word, 1) != 0)
        _exit(1);
    if (s != NULL)
        spinner_stop(s);
    _exit(0);
}

/* Call before this process uses the GPU: a child would inherit a driver state that does not work. */
static other_process fork_neighbour(void)
{
    int down[2], up[2];
    if (pipe(down) != 0 || pipe(up) != 0)
        tap_bail_out("no pipes");
    pid_t child = fork();
    if (child == 0) {
        close(down[1]);
        close(up[0]);
        be_neighbour(down[0], up[1]);
    }
    close(down[0]);
    close(up[1]);
    return (other_process){child, down[1], up[0]};
}

static bool neighbour_spins(const other_process *other)
{
    char word = 'g';
    return write(other->to, &word, 1) == 1 && read(other->from, &word, 1) == 1 && word == 'y';
}

static void end_neighbour(const other_process *other)
{
    close(other->to);
    close(other->from);
    waitpid(other->child, NULL, 0);
}

/* ---- */

#define ENGINES 2
static const char *const engines[ENGINES] = {"tiles", "ring"};

static void test(const other_process *other, spinner *s)
{
    work_place cpu, gpu[ENGINES];
    uint64_t *expected = data_allocate(work_count(), sizeof *expected);
    unsigned processors = spinner_processors(s);
    work_open(&cpu, "cpu", "");
    for (unsigned job = 0; job < work_count(); job++)
        expected[job] = work_do(&cpu, job);
    work_close(&cpu);
    for (int e = 0; e < ENGINES; e++) {
        setenv("SCANKIT_CUDA_ENGINE", engines[e], 1);
        work_open(&gpu[e], "cuda", engines[e]);
        work_warm(&gpu[e]); /* allocating memory and loading code would wait for the spinning kernel */
        beside(&gpu[e], s, 0, expected, "alone");
        beside(&gpu[e], s, processors / 2, expected, "half of the GPU is taken");
        beside(&gpu[e], s, processors - 1, expected, "all but one multiprocessor is taken");
    }
    bool spins = neighbour_spins(other);
    for (int e = 0; e < ENGINES; e++) {
        if (spins)
            beside(&gpu[e], s, 0, expected, "another process has half of the GPU");
        else
            tap_skip("no second process on this GPU", "another process has half of the GPU");
        work_close(&gpu[e]);
    }
    free(expected);
}

int main(void)
{
    static const char what[] = "a GPU that is partly taken";
    const char *reason;
    other_process other = fork_neighbour();
    signal(SIGALRM, give_up);
    signal(SIGPIPE, SIG_IGN);
    if (device_has_free_gpu(what)) {
        spinner *s = spinner_open(&reason);
        if (s == NULL)
            tap_skip(reason, "%s", what);
        else
            test(&other, s);
        if (s != NULL)
            spinner_close(s);
    }
    end_neighbour(&other);
    return tap_finish();
}
