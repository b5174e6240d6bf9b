/* contest.c - see contest.h. */
#include "contest.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "table.h"

#define LEAST_SECONDS 0.001 /* a measurement repeats short calls until it lasts this long */
#define LONG_SECONDS 0.05   /* after a first run this long, a measurement is a single call */
#define MOST_CALLS 200

/* Measurements of one contestant. */
typedef struct tally {
    unsigned calls; /* per measurement */
    unsigned count; /* measurements so far */
    double spent;   /* seconds in counted measurements */
    double seconds[REPEATS_MAX];
} tally;

/* Seconds per call. */
static double time_calls(contestant *c, unsigned calls)
{
    if (c->rival != NULL)
        return c->rival(&c->job, calls);
    bench_try(c->bench, scankit_synchronize(c->bench->context), c->name);
    clock_start(c->bench);
    for (unsigned i = 0; i < calls; i++)
        bench_try(c->bench, c->run(c), c->name);
    return clock_stop(c->bench, c->name) / calls;
}

/* Runs once, for the result. Returns seconds, or a negative number if the algorithm cannot do this work. */
static double try_out(contestant *c)
{
    if (c->rival != NULL)
        return c->rival(&c->job, 1);
    clock_start(c->bench);
    c->job.count = &c->kept;
    scankit_error error = c->run(c);
    c->job.count = NULL;
    if (error == SCANKIT_E_ARGUMENT)
        return -1;
    bench_try(c->bench, error, c->name);
    return clock_stop(c->bench, c->name);
}

/* Checks the first result and chooses the number of calls. The first run may have loaded code, so a second one
 * is timed unless the first was long. */
static void begin(bench_state *bench, contestant *c, tally *t, bool (*right)(const contestant *contestant))
{
    memset(t, 0, sizeof *t);
    c->seconds = 0;
    double first = c->left_out ? -1 : try_out(c);
    c->left_out = first < 0;
    if (c->left_out)
        return;
    if (!right(c)) {
        printf("gallery: %s: %s: WRONG RESULT\n", c->series, c->name);
        bench->failures++;
    }
    double calls = LEAST_SECONDS / (first > LONG_SECONDS ? first : time_calls(c, 1));
    t->calls = calls < 1 ? 1 : calls > MOST_CALLS ? MOST_CALLS : (unsigned)calls;
}

/* counts: false for a turn that warms the device up. */
static void measure_turn(const bench_state *bench, contestant *c, tally *t, bool counts)
{
    if (c->left_out || t->spent > bench->patience)
        return;
    double seconds = time_calls(c, t->calls);
    t->seconds[t->count] = seconds;
    t->count += counts;
    t->spent += counts ? seconds * t->calls : 0;
}

static const char *device_of(const contestant *c)
{
    return scankit_is_host(c->bench->context) ? "cpu" : "cuda";
}

static void print_result(const bench_state *bench, const contestant *c)
{
    char size[24], label[64];
    size_t bytes = c->job.n * scankit_type_size(c->job.type);
    const char *type = scankit_type_name(c->job.type);
    double rate = (double)c->job.n / c->seconds;
    snprintf(label, sizeof label, "%s: %s, %s", c->series, c->name, device_of(c));
    printf(ROW_HEAD " %9.4g\n", "gallery", type, label, shape_name(SHAPE_uniform), size_text(c->job.n, size),
           rate * 1e-9);
    if (bench->figures != NULL)
        fprintf(bench->figures, "%s,%s,%s,%s,%zu,%zu,%.6g,%.6g\n", c->series, c->name, device_of(c), type, c->job.n,
                bytes, c->seconds, rate);
}

void contest(bench_state *bench, contestant *all, size_t count, bool (*right)(const contestant *contestant))
{
    tally *tallies = bench_allocate(count * sizeof *tallies);
    for (size_t i = 0; i < count; i++)
        begin(bench, &all[i], &tallies[i], right);
    for (unsigned turn = all[0].bench->clock != NULL ? 0 : 1; turn <= bench->repeats; turn++)
        for (size_t i = 0; i < count; i++)
            measure_turn(bench, &all[i], &tallies[i], turn > 0);
    for (size_t i = 0; i < count; i++) {
        if (all[i].left_out)
            continue;
        all[i].seconds = median_of(tallies[i].seconds, tallies[i].count);
        print_result(bench, &all[i]);
    }
    fflush(NULL);
    free(tallies);
}

/* ---- the head of the figures' data ---- */

/* " (NAME OF THE CPU)"; "" if the system does not name it. */
static const char *cpu_model(char text[128])
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    text[0] = '\0';
    while (file != NULL && text[0] == '\0' && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL)
            snprintf(text, 128, " (%s", strchr(line, ':') + 2);
    if (file != NULL)
        (void)fclose(file);
    if (strchr(text, '\n') != NULL)
        *strchr(text, '\n') = ')';
    return text;
}

void contest_header(const bench_state *bench, const bench_state *host, const char *primitive)
{
    char date[16], model[128];
    time_t now = time(NULL);
    struct tm utc;
    if (bench->figures == NULL)
        return;
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &utc));
    fprintf(bench->figures,
            "# What bench --primitive=%s measured: medians of %u by turns, on a GPU by its own clock.\n"
            "# device: %s\n# host: %s%s\n# rival: %s\n# date: %s\n# bytes: of the input\n"
            "series,algorithm,device,type,n,bytes,seconds,items_per_second\n",
            primitive, bench->repeats, scankit_device_name(bench->context), scankit_device_name(host->context),
            cpu_model(model), bench->rivals != NULL ? bench->rivals->name : "", date);
}
