/* bench.c - measures the library's primitives beside their rivals: options, memory and the loop over sizes. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "data/shapes.h"
#include "measure/goals.h"
#include "measure/names.h"
#include "measure/state.h"
#include "measure/summary.h"
#include "measure/table.h"
#include "primitives/primitives.h"

typedef struct bench_settings {
    const char *device, *primitives, *csv, *figures;
    unsigned min_log2, max_log2, step_log2;
} bench_settings;

/* ---- options ---- */

enum {
    DEVICE,
    PRIMITIVE,
    MIN,
    MAX,
    STEP,
    SHAPE,
    PEERS,
    REPEATS,
    PATIENCE,
    GOALS,
    ALONE,
    TYPE,
    VARIANT,
    SEED,
    CSV,
    FIGURES,
    HELP
};

static const struct option options[] = {
    {"device", required_argument, NULL, DEVICE},
    {"primitive", required_argument, NULL, PRIMITIVE},
    {"min-log2", required_argument, NULL, MIN},
    {"max-log2", required_argument, NULL, MAX},
    {"step-log2", required_argument, NULL, STEP},
    {"shape", required_argument, NULL, SHAPE},
    {"peers", required_argument, NULL, PEERS},
    {"repeats", required_argument, NULL, REPEATS},
    {"patience", required_argument, NULL, PATIENCE},
    {"goals", no_argument, NULL, GOALS},
    {"alone", no_argument, NULL, ALONE},
    {"type", required_argument, NULL, TYPE},
    {"variant", required_argument, NULL, VARIANT},
    {"seed", required_argument, NULL, SEED},
    {"csv", required_argument, NULL, CSV},
    {"figures", required_argument, NULL, FIGURES},
    {"help", no_argument, NULL, HELP},
    {NULL, 0, NULL, 0},
};

static void print_help(void)
{
    printf("Usage: bench [OPTION]...\n"
           "Measures the library's primitives beside their rivals: CUB on a GPU, the C++ standard library on a CPU.\n\n"
           "  --device=DEVICE       auto, cpu, cpu:THREADS, cuda or cuda:N (default auto)\n"
           "  --primitive=NAME,...  of");
    for (const primitive *p = primitives; p->name != NULL; p++)
        printf(" %s", p->name);
    printf(
        " (default: all but shapes, peers, pairpeers, first, bound, image, gallery, gallery-sorts)\n"
        "  --min-log2=N          smallest size: 2^N elements (default 20)\n"
        "  --max-log2=N          largest size: 2^N elements (default 28)\n"
        "  --step-log2=N         each size is 2^N times the one before (default 4)\n"
        "  --shape=NAME,...      shapes of data for --primitive=shapes, bound (default: all) and\n"
        "                        peers, pairpeers (default: uniform)\n"
        "  --peers=NAME,...      other libraries for --primitive=peers, pairpeers (default: all)\n"
        "  --repeats=N           measurements of a row; prints their median (default 7, at most %d)\n"
        "  --patience=SECONDS    no more measurements of a row after this time, but at least 3 (default 10)\n"
        "  --goals               only rows that have a goal on an H100: 2^28 elements, and one row of 2^16\n"
        "  --type=NAME,...       only rows of these types\n"
        "  --variant=NAME        only rows of this variant, as the table names it (auto, not auto: hybrid)\n"
        "  --alone               measure neither rivals nor copies\n"
        "  --seed=N              seed of the random data (default 1)\n"
        "  --csv=FILE            also write the times to FILE, in seconds\n"
        "  --figures=FILE        write the numbers for doc/figures to FILE; for --primitive=gallery or gallery-sorts\n"
        "  --help                print this help\n",
        REPEATS_MAX);
}

static unsigned parse_number(const char *text, unsigned least, unsigned most)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || value < least || value > most)
        bench_fail(text, "not a number in the range of this option");
    return (unsigned)value;
}

static void set_option(int option, bench_settings *settings, bench_state *bench)
{
    switch (option) {
    case DEVICE: settings->device = optarg; break;
    case PRIMITIVE: settings->primitives = optarg; break;
    case MIN: settings->min_log2 = parse_number(optarg, 0, 40); break;
    case MAX: settings->max_log2 = parse_number(optarg, 0, 40); break;
    case STEP: settings->step_log2 = parse_number(optarg, 1, 40); break;
    case SHAPE: bench->shapes = optarg; break;
    case PEERS: bench->peers = optarg; break;
    case REPEATS: bench->repeats = parse_number(optarg, 1, REPEATS_MAX); break;
    case PATIENCE: bench->patience = parse_number(optarg, 0, 86400); break;
    case GOALS: bench->goals_only = true; break;
    case ALONE: bench->alone = true; break;
    case TYPE: bench->types = optarg; break;
    case VARIANT: bench->variant = optarg; break;
    case SEED: bench->seed = parse_number(optarg, 0, UINT32_MAX); break;
    case CSV: settings->csv = optarg; break;
    case FIGURES: settings->figures = optarg; break;
    case HELP: print_help(); exit(0);
    default: fprintf(stderr, "Try 'bench --help'.\n"); exit(2);
    }
}

static bool is_primitive(const char *name, size_t length)
{
    const primitive *p = primitives;
    while (p->name != NULL && (strlen(p->name) != length || strncmp(p->name, name, length) != 0))
        p++;
    return p->name != NULL;
}

static bool is_shape(const char *name, size_t length)
{
    shape_id shape;
    char copy[32];
    snprintf(copy, sizeof copy, "%.*s", (int)length, name);
    return shape_from_name(&shape, copy) && shape < SHAPE_records;
}

/* Fails for a shape of data that none of the types takes. */
static void check_types_of_shapes(const bench_state *bench)
{
    for (shape_id shape = SHAPE_uniform; bench->shapes != NULL && shape < SHAPE_records; shape++) {
        bool taken = !is_listed(bench->shapes, shape_name(shape));
#define X(enumerator, name, ctype, kind) \
    taken = taken || (is_listed(bench->types, #name) && shape_takes(shape, SCANKIT_##enumerator));
        SCANKIT_TYPES(X)
#undef X
        if (!taken)
            bench_fail(shape_name(shape), "not a shape of data for this type");
    }
}

static void parse_options(int argc, char **argv, bench_settings *settings, bench_state *bench)
{
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        set_option(option, settings, bench);
    if (optind < argc)
        bench_fail(argv[optind], "unexpected argument");
    if (settings->min_log2 > settings->max_log2)
        settings->min_log2 = settings->max_log2;
    check_names(settings->primitives, is_primitive, "no such primitive");
    check_names(bench->types, is_type_name, "no such type");
    check_names(bench->shapes, is_shape, "no such shape of data");
    check_types_of_shapes(bench);
}

/* ---- the run ---- */

/* The largest size is always measured; the smallest may be above min_log2. */
static void run_all(bench_state *bench, const bench_settings *settings)
{
    unsigned first = settings->min_log2 + (settings->max_log2 - settings->min_log2) % settings->step_log2;
    for (const primitive *p = primitives; p->name != NULL; p++) {
        if (!is_listed(settings->primitives, p->name) || (p->by_name && settings->primitives == NULL))
            continue;
        for (unsigned log2 = first; log2 <= settings->max_log2; log2 += settings->step_log2)
            p->run(bench, (size_t)1 << log2);
        printf("\n");
    }
}

/* Returns NULL for no name. */
static FILE *open_output(const char *name)
{
    FILE *file = name != NULL ? fopen(name, "w") : NULL;
    if (name != NULL && file == NULL)
        bench_fail(name, strerror(errno));
    return file;
}

static void close_output(FILE *file, const char *name)
{
    if (file != NULL && fclose(file) != 0)
        bench_fail(name, strerror(errno));
}

int main(int argc, char **argv)
{
    bench_settings settings = {.device = "auto", .min_log2 = 20, .max_log2 = 28, .step_log2 = 4};
    bench_state bench = {.repeats = 7, .patience = 10, .seed = 1};
    parse_options(argc, argv, &settings, &bench);
    bench_try(&bench, scankit_open(&bench.context, settings.device), settings.device);
    bench.rivals = scankit_is_host(bench.context) ? rivals_cpu() : rivals_cuda();
    bench_use_clock(&bench);
    bench.csv = open_output(settings.csv);
    bench.figures = open_output(settings.figures);
    bench_allocate_arrays(&bench, (size_t)1 << settings.max_log2);
    table_header(&bench);
    run_all(&bench, &settings);
    if (bench.rivals != NULL)
        summary_print(bench.rivals->name);
    if (bench.clock != NULL)
        goals_print(bench.rivals->name);
    bench_free_arrays(&bench);
    close_output(bench.csv, settings.csv);
    close_output(bench.figures, settings.figures);
    return bench.failures > 0;
}
