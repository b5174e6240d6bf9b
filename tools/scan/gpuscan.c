/* gpuscan.c - gpuscan's options. */
#include <string.h>

#include "common/tool.h"
#include "gallery/gallery.h"
#include "scan.h"

enum { CODE_OP = 384, CODE_INCLUSIVE, CODE_EXCLUSIVE, CODE_REDUCE, CODE_SEGMENTS, CODE_VALUE, CODE_LIST, CODE_SAME, CODE_HISTOGRAM };

#define OPERATOR_NAME(enumerator, name) #name " "
#define OPERATOR_NAMES SCANKIT_OPERATORS(OPERATOR_NAME)

static const struct cli_option options[] = {
    {CODE_OP, "op", "OP", "combine by OP, by default sum; one of\n" OPERATOR_NAMES},
    {CODE_INCLUSIVE, "inclusive", NULL, "a result includes its own element (default)"},
    {CODE_EXCLUSIVE, "exclusive", NULL, "a result includes only the elements before its own"},
    {CODE_REDUCE, "reduce", NULL,
     "print only the result of all elements; with\n--segments, write one element per segment"},
    {CODE_SEGMENTS, "segments", "FIELD[,...]|FILE",
     "restart where a field's value changes, or where\nFILE says, which holds a flag or key per element"},
    {CODE_VALUE, "value", "FIELD", "scan this field of records"},
    {CODE_HISTOGRAM, "histogram", "BINS[,LOW,HIGH]",
     "print how many elements each of BINS bins from LOW\nto HIGH has, by default from least to greatest"},
    {'i', "in-place", NULL, "replace each FILE by its scan"},
    {'a', "algorithm", "NAME", "scan by this algorithm, see --list-algorithms"},
    {CODE_LIST, "list-algorithms", NULL, "print the algorithms and their sources"},
    {CODE_SAME, "deterministic", NULL, "sums and products of floats have the same bits on\nevery run and every GPU"},
    {0},
};

static bool handle(void *state, int code, const char *argument)
{
    struct scan_request *request = state;
    switch (code) {
    case CODE_OP:
        if (scankit_operator_from_name(&request->op, argument) != SCANKIT_OK)
            fail_usage("--op=%s: no such operator; there are " OPERATOR_NAMES, argument);
        request->has_op = true;
        break;
    case CODE_INCLUSIVE: request->inclusive = true; break;
    case CODE_EXCLUSIVE: request->exclusive = true; break;
    case CODE_REDUCE: request->reduce = true; break;
    case CODE_SEGMENTS: request->segments = argument; break;
    case CODE_HISTOGRAM: request->histogram = argument; break;
    case CODE_VALUE: request->value = argument; break;
    case 'i': request->in_place = true; break;
    case 'a': request->algorithm = argument; break;
    case CODE_LIST: request->list = true; break;
    case CODE_SAME: request->deterministic = true; break;
    default: return false;
    }
    return true;
}

/* Options that contradict each other. */
static void refuse_contradictions(const struct scan_request *request)
{
    const struct common *common = &request->common;
    bool segmented = request->segments != NULL, output = common->output != NULL, number = request->reduce && !segmented;
    const struct cli_pair pairs[] = {
        {request->inclusive, request->exclusive, "--inclusive", "--exclusive"},
        {request->reduce, request->inclusive, "--reduce", "--inclusive"},
        {request->reduce, request->exclusive, "--reduce", "--exclusive"},
        {request->reduce, request->in_place, "--reduce", "--in-place"},
        {number, common->gzip, "--reduce", "--gzip"},
        {number, common->zstd, "--reduce", "--zstd"},
        {number, common->raw, "--reduce", "--raw"},
        {number, common->to_text, "--reduce", "--to-text"},
        {number, common->to_arrow, "--reduce", "--to"},
        {request->in_place, output, "--in-place", "--output"},
        {request->in_place, common->raw, "--in-place", "--raw"},
        {request->algorithm != NULL, segmented, "--algorithm", "--segments"},
        {request->algorithm != NULL, request->deterministic, "--algorithm", "--deterministic"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
}

static void refuse_with_histogram(const struct scan_request *request)
{
    const struct common *common = &request->common;
    const struct cli_pair pairs[] = {
        {true, request->has_op, "--histogram", "--op"},
        {true, request->inclusive, "--histogram", "--inclusive"},
        {true, request->exclusive, "--histogram", "--exclusive"},
        {true, request->reduce, "--histogram", "--reduce"},
        {true, request->segments != NULL, "--histogram", "--segments"},
        {true, request->in_place, "--histogram", "--in-place"},
        {true, request->algorithm != NULL, "--histogram", "--algorithm"},
        {true, common->gzip, "--histogram", "--gzip"},
        {true, common->zstd, "--histogram", "--zstd"},
        {true, common->raw, "--histogram", "--raw"},
        {true, common->to_text, "--histogram", "--to-text"},
        {true, common->to_arrow, "--histogram", "--to"},
    };
    if (request->histogram != NULL)
        cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
}

static void choose_algorithm(struct scan_request *request)
{
    const char *name = request->algorithm;
    if (name != NULL && request->reduce)
        request->row = gallery_choose(name, GALLERY_KIND(REDUCTION), "reduction", &request->common);
    else if (name != NULL)
        request->row = gallery_choose(name, GALLERY_SCANS, "scan", &request->common);
}

static bool check(void *state)
{
    struct scan_request *request = state;
    if (!request->list) {
        refuse_contradictions(request);
        refuse_with_histogram(request);
        choose_algorithm(request);
    }
    return request->in_place;
}

static int run(const void *state, char *const *paths, size_t count, struct job *job)
{
    const struct scan_request *request = state;
    if (request->list) {
        gallery_list(GALLERY_SCANS | GALLERY_KIND(REDUCTION) | GALLERY_KIND(COMPACTION), GALLERY_STABLE, NULL);
        stats_exit(&job->stats, &request->common, STATUS_DONE);
    }
    if (request->segments != NULL)
        segments_check_input(request->segments, paths, count, request->in_place);
    if (request->histogram != NULL)
        count_bins(request, paths, count, job);
    else if (request->reduce && request->segments != NULL)
        reduce_segments(request, paths, count, job);
    else if (request->reduce)
        reduce_files(request, paths, count, job);
    else if (!request->in_place)
        scan_files(request, paths, count, job);
    else
        for (size_t i = 0; i < count; i++)
            scan_files(request, paths + i, 1, job);
    return STATUS_DONE;
}

static const struct tool tool = {
    .cli = {.name = "gpuscan",
            .synopsis = "gpuscan [OPTION]... [FILE]...",
            .summary = "Replace each element of binary data by the sum of it and all before it, or\n"
                       "combine them by another operator: elements of a type, a field of records, .npy\n"
                       "arrays, text, gzipped or not. Without FILE, or where FILE is -, read standard\n"
                       "input.",
            .options = options,
            .handle = handle},
    .in_blocks = true,
    .ranks = true,
    .arrow = true,
    .check = check,
    .run = run,
};

int main(int argc, char **argv)
{
    struct scan_request request = {.common = COMMON_DEFAULTS, .op = SCANKIT_SUM};
    return tool_main(argc, argv, &tool, &request, &request.common);
}
