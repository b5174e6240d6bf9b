/* gpusort.c - gpusort's options. */

#include "common/cli.h"
#include "plan.h"
#include "common/progress.h"

enum { CODE_TOP = 384, CODE_ARGSORT };

#define ALGORITHM_NAME(enumerator, name, text) name " "
static const struct cli_option options[] = {
    {'k', "key", "KEY[:desc][,...]", "sort by KEY, a field's name or OFFSET:TYPE;\nrepeat for more keys"},
    {'r', "reverse", NULL, "reverse the order"},
    {'u', "unique", NULL, "keep only the first of elements with equal keys"},
    {'s', "stable", NULL, "no effect: the sort is always stable"},
    {'c', "check", NULL, "only check whether the input is sorted"},
    {'C', "check-quietly", NULL, "the same without a message"},
    {'m', "merge", NULL, "merge inputs that are already sorted"},
    {CODE_TOP, "top", "N", "write only the first N of the result"},
    {CODE_ARGSORT, "argsort", NULL, "write positions (u64) instead of elements"},
    {'a', "algorithm", "NAME", "the algorithm, one of\n" SCANKIT_ALGORITHMS(ALGORITHM_NAME)},
    {'i', "in-place", NULL, "sort each FILE in place"},
    {0},
};

static bool handle(void *state, int code, const char *argument)
{
    struct plan *plan = state;
    switch (code) {
    case 'k':
        if (plan->key_count == KEYS_MAX)
            fail_usage("--key: more than %d keys", KEYS_MAX);
        plan->keys[plan->key_count++] = argument;
        break;
    case 'r': plan->reverse = true; break;
    case 'u': plan->unique = true; break;
    case 's': break;
    case 'c':
    case 'C':
        if (plan->check && plan->check_quietly != (code == 'C'))
            fail_usage("--check and --check-quietly exclude each other");
        plan->check = true;
        plan->check_quietly = code == 'C';
        break;
    case 'm': plan->merge = true; break;
    case CODE_TOP: plan->top = cli_number("top", argument, 0, UINT64_MAX - 1); break;
    case CODE_ARGSORT: plan->argsort = true; break;
    case 'a':
        plan->algorithm_given = true;
        if (scankit_algorithm_from_name(&plan->algorithm, argument) != SCANKIT_OK)
            fail_usage("--algorithm=%s: no such algorithm; there are " SCANKIT_ALGORITHMS(ALGORITHM_NAME), argument);
        break;
    case 'i': plan->in_place = true; break;
    default: return false;
    }
    return true;
}

static const struct cli_tool tool = {
    .name = "gpusort",
    .synopsis = "gpusort [OPTION]... [FILE]...",
    .summary = "Sort binary data: elements of a type, records, .npy arrays, gzipped or not.\n"
               "Without FILE, or if FILE is -, read standard input.",
    .options = options,
    .handle = handle,
};

/* Options that contradict each other. */
static void refuse_contradictions(const struct plan *plan)
{
    const struct cli_pair pairs[] = {
        {plan->check, plan->common.output != NULL, "--check", "--output"},
        {plan->check, plan->common.gzip, "--check", "--gzip"},
        {plan->check, plan->common.raw, "--check", "--raw"},
        {plan->check, plan->in_place, "--check", "--in-place"},
        {plan->check, plan->merge, "--check", "--merge"},
        {plan->check, plan->argsort, "--check", "--argsort"},
        {plan->check, plan->top != UINT64_MAX, "--check", "--top"},
        {plan->check, plan->algorithm_given, "--check", "--algorithm"},
        {plan->merge, plan->algorithm_given, "--merge", "--algorithm"},
        {plan->merge, plan->in_place, "--merge", "--in-place"},
        {plan->in_place, plan->argsort, "--in-place", "--argsort"},
        {plan->in_place, plan->common.output != NULL, "--in-place", "--output"},
        {plan->in_place, plan->common.raw, "--in-place", "--raw"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
}

static int run(const struct plan *plan, char *const *paths, size_t count, struct stats *stats)
{
    if (plan->check)
        return check_files(plan, paths, count, stats);
    if (!plan->in_place) {
        sort_files(plan, paths, count, stats);
        return STATUS_DONE;
    }
    for (size_t i = 0; i < count; i++)
        sort_files(plan, paths + i, 1, stats);
    return STATUS_DONE;
}

int main(int argc, char **argv)
{
    struct plan plan = {.common = COMMON_DEFAULTS, .top = UINT64_MAX};
    struct stats stats;
    cli_start(tool.name);
    stats_start(&stats);
    int first = cli_parse(argc, argv, &tool, &plan, common_options, common_handle, &plan.common);
    refuse_contradictions(&plan);
    size_t count;
    char *const *paths = cli_files(argc, argv, first, plan.in_place, &count);
    progress_start(&plan.common);

    int status = run(&plan, paths, count, &stats);
    stats_end(&stats);
    if (plan.common.verbose)
        say(NULL, "%llu elements on %s%s%s", (unsigned long long)stats.elements, stats.device,
            stats.algorithm[0] != '\0' ? ", algorithm " : "", stats.algorithm);
    stats_exit(&stats, &plan.common, status);
}
