/* progress.c - see progress.h. */
#include "progress.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stats.h"

#define EVERY 0.2 /* seconds between two updates; a shorter run shows none */

static struct {
    bool on, shown;
    const char *verb;
    uint64_t done, total;
    double last;
} progress;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the numbers */

static const char take_away[] = "\r\033[K";

/* Also runs as a clean-up, so it calls nothing but write(). */
static void clear_line(void)
{
    if (progress.shown && write(STDERR_FILENO, take_away, strlen(take_away)) < 0)
        progress.on = false;
    progress.shown = false;
}

void progress_start(const struct common *common)
{
    progress.on = common->progress < 0 ? !common->quiet && isatty(STDERR_FILENO) : common->progress > 0;
    progress.last = seconds_now();
    if (progress.on)
        cli_at_failure(clear_line);
}

static void show(void)
{
    double done = (double)progress.done, total = (double)progress.total;
    if (progress.total == UINT64_MAX)
        fprintf(stderr, "%s%s: %.2f GB", take_away, progress.verb, done / 1e9);
    else
        fprintf(stderr, "%s%s: %.2f of %.2f GB, %d%%", take_away, progress.verb, done / 1e9, total / 1e9,
                total > 0 ? (int)(100 * done / total) : 100);
    fflush(stderr);
    progress.shown = true;
}

void progress_add(uint64_t bytes)
{
    double now = progress.on ? seconds_now() : 0;
    pthread_mutex_lock(&lock);
    progress.done += bytes;
    if (progress.on && now - progress.last >= EVERY) {
        progress.last = now;
        show();
    }
    pthread_mutex_unlock(&lock);
}

void progress_phase(const char *verb, uint64_t total)
{
    progress.verb = verb;
    progress.total = total;
    progress.done = 0;
    progress_add(0);
}

void progress_end(void)
{
    clear_line();
}
