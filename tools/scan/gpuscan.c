/* gpuscan.c - gpuscan's options. */
#include <string.h>

#include "common/cli.h"
#include "common/device.h"
#include "common/progress.h"
#include "scan.h"

enum { CODE_OP = 384, CODE_INCLUSIVE, CODE_EXCLUSIVE, CODE_REDUCE, CODE_SEGMENTS, CODE_VALUE, CODE_LIST, CODE_SAME };

#define OPERATOR_NAME(enumerator, name) #name " "
#define OPERATOR_NAMES SCANKIT_OPERATORS(OPERATOR_NAME)

static const struct cli_option options[] = {
    {CODE_OP, "op", "OP", "combine with OP (default: sum), one of\n" OPERATOR_NAMES},
    {CODE_INCLUSIVE, "inclusive", NULL, "each result includes its own element (default)"},
    {CODE_EXCLUSIVE, "exclusive", NULL, "each result includes only the elements before it"},
    {CODE_REDUCE, "reduce", NULL,
     "print only the result of all elements; with\n--segments, write one element for each"},
    {CODE_SEGMENTS, "segments", "FIELD[,...]|FILE",
     "restart where a field's value changes, or at the\nsegments that FILE gives by flags or keys"},
    {CODE_VALUE, "value", "FIELD", "scan this field of records"},
    {'i', "in-place", NULL, "replace each FILE by its scan"},
    {'a', "algorithm", "NAME", "scan by this algorithm of the gallery"},
    {CODE_LIST, "list-algorithms", NULL, "print the gallery's table"},
    {CODE_SAME, "deterministic", NULL, "sums and products of floats have the same bits on\nevery run and every GPU"},
    {0},
};

static bool handle(void *state, int code, const char *argument)
{
    struct scan *scan = state;
    switch (code) {
    case CODE_OP:
        if (scankit_operator_from_name(&scan->op, argument) != SCANKIT_OK)
            fail_usage("--op=%s: no such operator; there are " OPERATOR_NAMES, argument);
        break;
    case CODE_INCLUSIVE: scan->inclusive = true; break;
    case CODE_EXCLUSIVE: scan->exclusive = true; break;
    case CODE_REDUCE: scan->reduce = true; break;
    case CODE_SEGMENTS: scan->segments = argument; break;
    case CODE_VALUE: scan->value = argument; break;
    case 'i': scan->in_place = true; break;
    case 'a': scan->algorithm = argument; break;
    case CODE_LIST: scan->list = true; break;
    case CODE_SAME: scan->deterministic = true; break;
    default: return false;
    }
    return true;
}

static const struct cli_tool tool = {
    .name = "gpuscan",
    .synopsis = "gpuscan [OPTION]... [FILE]...",
    .summary = "Running sums of binary data, or scans with another operator: elements of a type,\n"
               "a field of records, .npy arrays, gzipped or not.\n"
               "Without FILE, or if FILE is -, read standard input.",
    .options = options,
    .handle = handle,
};

/* Options that contradict each other. */
static void refuse_contradictions(const struct scan *scan)
{
    const struct common *common = &scan->common;
    bool segmented = scan->segments != NULL, output = common->output != NULL, number = scan->reduce && !segmented;
    const struct cli_pair pairs[] = {
        {scan->inclusive, scan->exclusive, "--inclusive", "--exclusive"},
        {scan->reduce, scan->inclusive, "--reduce", "--inclusive"},
        {scan->reduce, scan->exclusive, "--reduce", "--exclusive"},
        {scan->reduce, scan->in_place, "--reduce", "--in-place"},
        {number, common->gzip, "--reduce", "--gzip"},
        {number, common->raw, "--reduce", "--raw"},
        {scan->in_place, output, "--in-place", "--output"},
        {scan->in_place, common->raw, "--in-place", "--raw"},
        {scan->algorithm != NULL, segmented, "--algorithm", "--segments"},
        {scan->algorithm != NULL, scan->deterministic, "--algorithm", "--deterministic"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
}

/* Flags on standard input can be read once, and elements then not. */
static void check_standard_input(const struct scan *scan, char *const *paths, size_t count)
{
    if (scan->segments == NULL || strcmp(scan->segments, "-") != 0)
        return;
    for (size_t i = 0; i < count; i++)
        if (strcmp(paths[i], "-") == 0)
            fail_usage("standard input is named twice");
    if (scan->in_place && count > 1)
        fail_usage("--segments=- with --in-place takes one FILE");
}

static void run(const struct scan *scan, char *const *paths, size_t count, struct stats *stats)
{
    if (scan->reduce && scan->segments != NULL)
        reduce_segments(scan, paths, count, stats);
    else if (scan->reduce)
        reduce_files(scan, paths, count, stats);
    else if (!scan->in_place)
        scan_files(scan, paths, count, stats);
    else
        for (size_t i = 0; i < count; i++)
            scan_files(scan, paths + i, 1, stats);
}

int main(int argc, char **argv)
{
    device_wait_passively(argv);
    struct scan scan = {.common = COMMON_DEFAULTS, .op = SCANKIT_SUM};
    struct stats stats;
    cli_start(tool.name);
    stats_start(&stats);
    int first = cli_parse(argc, argv, &tool, &scan, common_options, common_handle, &scan.common);
    if (scan.list) {
        gallery_list();
        stats_exit(&stats, &scan.common, STATUS_DONE);
    }
    refuse_contradictions(&scan);
    gallery_choose(&scan);
    size_t count;
    char *const *paths = cli_files(argc, argv, first, scan.in_place, &count);
    check_standard_input(&scan, paths, count);
    progress_start(&scan.common);

    run(&scan, paths, count, &stats);
    if (scan.common.verbose)
        say(NULL, "%llu elements on %s%s%s", (unsigned long long)stats.elements, stats.device,
            stats.algorithm[0] != '\0' ? ", algorithm " : "", stats.algorithm);
    stats_exit(&stats, &scan.common, STATUS_DONE);
}
