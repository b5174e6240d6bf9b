/* search.c - looks for data on which the library's sort is slow beside its rival. It draws cases from a grammar
 * (case.h) and changes the worst ones, for as long as one lets it. */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/random.h"
#include "measure/device_data.h"
#include "measure/measure.h"
#include "measure/names.h"
#include "measure/seconds.h"
#include "tally.h"

#define DOUBTED 1.0                     /* ratios below are measured again, longer */
#define CHECKED_PAIRS ((size_t)1 << 22) /* the check of larger pairs would take longer than the search */

typedef struct search_settings {
    const char *device, *one_case;
    double seconds;
    size_t cases;
    bool pairs, fresh;
    search_space space;
    scankit_type types[16];
} search_settings;

/* ---- options ---- */

enum { DEVICE, SECONDS, CASES, SEED, MIN, MAX, TYPE, PAIRS, FRESH, CASE, GRAMMAR, HELP };

static const struct option options[] = {
    {"device", required_argument, NULL, DEVICE},
    {"seconds", required_argument, NULL, SECONDS},
    {"cases", required_argument, NULL, CASES},
    {"seed", required_argument, NULL, SEED},
    {"min-log2", required_argument, NULL, MIN},
    {"max-log2", required_argument, NULL, MAX},
    {"type", required_argument, NULL, TYPE},
    {"pairs", no_argument, NULL, PAIRS},
    {"fresh", no_argument, NULL, FRESH},
    {"case", required_argument, NULL, CASE},
    {"grammar", no_argument, NULL, GRAMMAR},
    {"help", no_argument, NULL, HELP},
    {NULL, 0, NULL, 0},
};

static void print_help(void)
{
    printf("Usage: search [OPTION]...\n"
           "Looks for data on which scankit's sort is slow beside its rival: CUB on a GPU, std::sort on a CPU.\n\n"
           "  --device=DEVICE       as of bench (default auto)\n"
           "  --seconds=S           for as long (default 60)\n"
           "  --cases=N             at most N cases (default: no limit)\n"
           "  --seed=N              seed of the search (default 1); each case has a seed of its own\n"
           "  --min-log2=X, --max-log2=X  sizes, on a scale of logarithms (default 12 and 28)\n"
           "  --type=NAME,...       types that the rival sorts (default u32,u64,f32,f64)\n"
           "  --pairs               sort pairs with values of 4 bytes; keys of 4 and 8 bytes\n"
           "  --fresh               draw every case, instead of changing the worst ones in every other turn\n"
           "  --case=CASE           measure this case alone, as a search has printed it\n"
           "  --grammar             print the words of cases\n"
           "  --help                print this help\n");
}

static double parse_number(const char *text, double most)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0 && value <= most))
        bench_fail(text, "not a number in the range of this option");
    return value;
}

static const char *type_list = "u32,u64,f32,f64";

static void set_types(search_settings *settings)
{
    check_names(type_list, is_type_name, "no such type");
#define X(enumerator, text, ctype, kind)                                         \
    if (is_listed(type_list, #text) && (!settings->pairs || sizeof(ctype) >= 4)) \
        settings->types[settings->space.type_count++] = SCANKIT_##enumerator;
    SCANKIT_TYPES(X)
#undef X
    settings->space.types = settings->types;
    if (settings->space.type_count == 0)
        bench_fail(type_list, "pairs have keys of 4 or 8 bytes");
}

static void set_option(int option, search_settings *settings, bench_state *bench)
{
    switch (option) {
    case DEVICE: settings->device = optarg; break;
    case SECONDS: settings->seconds = parse_number(optarg, 1e6); break;
    case CASES: settings->cases = (size_t)parse_number(optarg, 1e9); break;
    case SEED: bench->seed = (uint64_t)parse_number(optarg, UINT32_MAX); break;
    case MIN: settings->space.min_log2 = parse_number(optarg, 36); break;
    case MAX: settings->space.max_log2 = parse_number(optarg, 36); break;
    case TYPE: type_list = optarg; break;
    case PAIRS: settings->pairs = true; break;
    case FRESH: settings->fresh = true; break;
    case CASE: settings->one_case = optarg; break;
    case GRAMMAR: search_print_grammar(); exit(0);
    case HELP: print_help(); exit(0);
    default: fprintf(stderr, "Try 'search --help'.\n"); exit(2);
    }
}

/* ---- one case ---- */

static scankit_error sort_keys(scankit_context *context, const bench_job *job)
{
    return scankit_sort(context, job->type, job->in, job->out, job->n, NULL);
}

static scankit_error sort_pairs(scankit_context *context, const bench_job *job)
{
    return scankit_sort_pairs(context, job->type, job->in, job->out, job->value_size, job->values_in, job->values_out,
                              job->n, NULL);
}

/* The sum of the elements' bits, as integers of their size. */
static uint64_t sum_of(const bench_state *bench, const bench_job *job, const void *array)
{
    static const scankit_type unsigned_type[9] = {
        [1] = SCANKIT_U8, [2] = SCANKIT_U16, [4] = SCANKIT_U32, [8] = SCANKIT_U64};
    uint64_t sum = 0;
    scankit_type type = unsigned_type[scankit_type_size(job->type)];
    bench_try(bench, scankit_reduce(bench->context, type, SCANKIT_SUM, array, &sum, job->n), "reduce");
    return sum;
}

/* In order, and of the same sum; each value beside its key. */
static bool is_right(const bench_state *bench, const bench_job *job)
{
    size_t first;
    bench_try(bench, scankit_is_sorted(bench->context, job->type, job->out, job->n, NULL, &first), "is_sorted");
    if (first != job->n || sum_of(bench, job, job->in) != sum_of(bench, job, job->out))
        return false;
    return job->value_size == 0 || job->n > CHECKED_PAIRS ||
           data_values_fit(bench, job->out, job->type, job->n, job->values_out);
}

static bench_job job_of(const bench_state *bench, const search_settings *settings, const search_case *drawn)
{
    bench_job job = job_for(bench, drawn->type, drawn->n);
    if (settings->pairs) {
        job.value_size = sizeof(uint32_t);
        job.values_in = bench->values_in;
        job.values_out = bench->values_out;
    }
    return job;
}

static void load(const bench_state *bench, const bench_job *job, const search_case *drawn, void *host)
{
    search_fill(drawn, host);
    bench_try(bench, scankit_upload(bench->context, bench->in, host, job->n * scankit_type_size(job->type)), "upload");
    if (job->value_size > 0 && job->n <= CHECKED_PAIRS)
        data_load_values(bench, bench->in, job->type, job->n, bench->values_in);
}

/* The case that is being measured. It is printed if a failure of the device ends the program. */
static const search_case *unfinished;

static void print_unfinished(void)
{
    char text[SEARCH_TEXT];
    if (unfinished == NULL)
        return;
    search_print(unfinished, text);
    printf("FAILED: %s\n", text);
}

/* Measures the case. The ratio is negative if the rival cannot sort it: std::sort has no order for NaNs. One that seems
 * slow is measured again, with more turns. */
static found_case measure_case(bench_state *bench, const search_settings *settings, const search_case *drawn,
                               void *host)
{
    bench_job job = job_of(bench, settings, drawn);
    bench_row row = {"sort", "auto", SHAPE_uniform, settings->pairs ? sort_pairs : sort_keys, .rival = NULL};
    row.rival = settings->pairs ? RIVAL(bench, pairs) : RIVAL(bench, sort);
    unfinished = drawn;
    load(bench, &job, drawn, host);
    run_once(bench, &row, &job);
    if (!is_right(bench, &job)) {
        char text[SEARCH_TEXT];
        search_print(drawn, text);
        printf("WRONG RESULT: %s\n", text);
        bench->failures++;
    }
    row_times times = measure_turns(bench, &row, &job, 3);
    if (times.rival >= 0 && times.of_rival < DOUBTED)
        times = measure_turns(bench, &row, &job, 9);
    unfinished = NULL;
    return (found_case){*drawn, times.rival < 0 ? -1 : times.of_rival, times.ours,
                        scankit_last_algorithm(bench->context)};
}

/* ---- the search ---- */

static void print_found(const found_case *found)
{
    char text[SEARCH_TEXT];
    search_print(&found->drawn, text);
    printf("%6.3f %10.2f us  %-17s %s\n", found->ratio, found->seconds * 1e6, found->algorithm, text);
    fflush(stdout);
}

/* Every other case is drawn afresh, so that the distribution is also that of any data; the others climb. With --fresh
 * all are drawn. */
static void search(bench_state *bench, const search_settings *settings, void *host)
{
    search_tally fresh = {0}, all = {0};
    uint64_t random = random_mix(bench->seed);
    double end = host_seconds() + settings->seconds;
    size_t alone = 0;
    for (size_t tried = 0; tried < settings->cases && host_seconds() < end; tried++) {
        bool is_fresh = settings->fresh || tried % 2 == 0 || all.count == 0;
        search_case drawn = is_fresh
                                ? search_draw(&settings->space, &random)
                                : search_mutate(&settings->space, tally_pick_bad(&all, random_mix(random)), &random);
        found_case found = measure_case(bench, settings, &drawn, host);
        if (found.ratio < 0) {
            alone++;
            continue;
        }
        tally_add(&all, found);
        if (is_fresh)
            tally_add(&fresh, found);
        if (found.ratio < 0.95)
            print_found(&found);
    }
    if (alone > 0)
        printf("\n%zu cases, which the rival cannot sort, were run without it.\n", alone);
    printf("\nCases that were drawn:\n");
    tally_print(&fresh);
    if (!settings->fresh) {
        printf("\nThe same and changes of the worst:\n");
        tally_print(&all);
    }
    free(fresh.found);
    free(all.found);
}

static void open_device(bench_state *bench, const char *device)
{
    bench_try(bench, scankit_open(&bench->context, device), device);
    bench->rivals = scankit_is_host(bench->context) ? rivals_cpu() : rivals_cuda();
    if (bench->rivals == NULL)
        bench_fail(device, "the rival was not built");
    bench_use_clock(bench);
    printf("# %s beside %s\n", scankit_device_name(bench->context), bench->rivals->name);
}

int main(int argc, char **argv)
{
    search_settings settings = {.device = "auto", .seconds = 60, .cases = SIZE_MAX, .space = {NULL, 0, 12, 28}};
    bench_state bench = {.repeats = 3, .patience = 2, .seed = 1};
    search_case one;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        set_option(option, &settings, &bench);
    if (optind < argc)
        bench_fail(argv[optind], "unexpected argument");
    if (settings.one_case != NULL && !search_parse(settings.one_case, &one))
        bench_fail(settings.one_case, "not a case");
    set_types(&settings);
    atexit(print_unfinished);
    open_device(&bench, settings.device);
    size_t room = settings.one_case != NULL ? one.n : (size_t)exp2(settings.space.max_log2) + 1;
    bench_allocate_arrays(&bench, room);
    void *host = bench_allocate(room * sizeof(uint64_t));
    if (settings.one_case != NULL) {
        found_case found = measure_case(&bench, &settings, &one, host);
        print_found(&found);
    } else {
        search(&bench, &settings, host);
    }
    free(host);
    bench_free_arrays(&bench);
    return bench.failures > 0;
}
