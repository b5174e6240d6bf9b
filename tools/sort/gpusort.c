/* gpusort.c - gpusort's options. */
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "common/tool.h"
#include "io/segments.h"
#include "job_array.h"
#include "request.h"
#include "segmented.h"
#include "table/table_sort.h"

enum {
    CODE_TOP = 384,
    CODE_ARGSORT,
    CODE_COMPRESS,
    CODE_WORKSPACE,
    CODE_LIST,
    CODE_PARTITION,
    CODE_MERGE_RANGE,
    CODE_MANIFEST,
    CODE_SEGMENTS,
    CODE_BY,
    CODE_NULLS
};

static const struct cli_option options[] = {
    {'k', "key", "KEY[:desc][,...]", "sort by KEY, a field's name or OFFSET:TYPE;\nmay be repeated for further keys"},
    {CODE_BY, "by", "COLUMN[:desc][,...]",
     "sort the rows of an Arrow table by these columns;\nall columns are written"},
    {CODE_NULLS, "nulls", "first|last", "where --by has nulls, in either direction; by\ndefault last"},
    {'r', "reverse", NULL, "reverse the order"},
    {'u', "unique", NULL, "keep only the first of elements with equal keys"},
    {'s', "stable", NULL, "has no effect: sorting is always stable"},
    {'c', "check", NULL, "check whether the input is sorted; write nothing"},
    {'C', "check-quietly", NULL, "the same, without a message"},
    {'m', "merge", NULL, "merge inputs that are sorted already"},
    {CODE_TOP, "top", "N", "write only the first N of the result"},
    {CODE_SEGMENTS, "segments", "FIELD[,...]|FILE",
     "sort each segment by itself; one begins where a\nfield's value changes, or where FILE says, which\nholds a flag "
     "or key per element"},
    {CODE_ARGSORT, "argsort", NULL, "write positions (u64) instead of elements"},
    {'a', "algorithm", "NAME", "sort by this algorithm, see --list-algorithms"},
    {CODE_LIST, "list-algorithms", NULL, "print the algorithms and their sources"},
    {'T', "temporary-directory", "DIR", "write temporaries to DIR; may be repeated"},
    {CODE_COMPRESS, "compress-temporaries", "METHOD", "none (default) or fast"},
    {CODE_WORKSPACE, "workspace", "DIR",
     "keep sorted runs in DIR until the sort is done;\nthe same command then goes on where it stopped"},
    {CODE_PARTITION, "partition", "[I/]N",
     "job array: sort part I of N parts of the input,\nor all of them, into --manifest"},
    {CODE_MERGE_RANGE, "merge-range", "I/N", "job array: write range I of N ranges of the result"},
    {CODE_MANIFEST, "manifest", "DIR", "keep the sorted parts of a job array in DIR"},
    {'i', "in-place", NULL, "replace each FILE by its sorted content"},
    {0},
};

/* Parses I/N or, unless the part is needed, N. */
static void parse_task(struct sort_request *request, const char *option, const char *text, bool needs_part)
{
    const char *slash = strchr(text, '/');
    if (slash == NULL && needs_part)
        fail_usage("--%s takes I/N, not '%s'", option, text);
    request->parts = cli_number(option, slash == NULL ? text : slash + 1, 1, ARRAY_PARTS_MAX);
    request->part = 0;
    if (slash == NULL)
        return;
    char *part = copy_text(text);
    part[slash - text] = '\0';
    request->part = cli_number(option, part, 1, request->parts);
    free(part);
}

static void parse_nulls(struct sort_request *request, const char *text)
{
    request->nulls_given = true;
    request->nulls_first = strcmp(text, "first") == 0;
    if (!request->nulls_first && strcmp(text, "last") != 0)
        fail_usage("--nulls takes first or last, not '%s'", text);
}

static bool handle(void *state, int code, const char *argument)
{
    struct sort_request *request = state;
    switch (code) {
    case 'k':
        if (request->key_count == KEYS_MAX)
            fail_usage("--key: more than %d keys", KEYS_MAX);
        request->keys[request->key_count++] = argument;
        break;
    case CODE_BY:
        if (request->by_count == KEYS_MAX)
            fail_usage("--by: more than %d columns", KEYS_MAX);
        request->by[request->by_count++] = argument;
        break;
    case CODE_NULLS: parse_nulls(request, argument); break;
    case 'r': request->reverse = true; break;
    case 'u': request->unique = true; break;
    case 's': break;
    case 'c':
    case 'C':
        if (request->check && request->check_quietly != (code == 'C'))
            fail_usage("--check and --check-quietly exclude each other");
        request->check = true;
        request->check_quietly = code == 'C';
        break;
    case 'm': request->merge = true; break;
    case CODE_TOP: request->top = cli_number("top", argument, 0, UINT64_MAX - 1); break;
    case CODE_SEGMENTS: request->segments = argument; break;
    case CODE_ARGSORT: request->argsort = true; break;
    case 'a': request->algorithm_name = argument; break;
    case CODE_LIST: request->list = true; break;
    case 'T':
        if (request->folder_count == FOLDERS_MAX)
            fail_usage("--temporary-directory: more than %d folders", FOLDERS_MAX);
        request->folders[request->folder_count++] = (char *)argument;
        break;
    case CODE_COMPRESS:
        request->compress_temporaries = strcmp(argument, "fast") == 0;
        if (!request->compress_temporaries && strcmp(argument, "none") != 0)
            fail_usage("--compress-temporaries takes none or fast, not '%s'", argument);
        break;
    case CODE_WORKSPACE: request->workspace = argument; break;
    case CODE_PARTITION:
        request->partition = true;
        parse_task(request, "partition", argument, false);
        break;
    case CODE_MERGE_RANGE:
        request->merge_range = true;
        parse_task(request, "merge-range", argument, true);
        break;
    case CODE_MANIFEST: request->manifest = argument; break;
    case 'i': request->in_place = true; break;
    default: return false;
    }
    return true;
}

/* Options that contradict each other. */
static void refuse_contradictions(const struct sort_request *request)
{
    bool algorithm_given = request->algorithm_name != NULL;
    const struct cli_pair pairs[] = {
        {request->check, request->common.output != NULL, "--check", "--output"},
        {request->check, request->common.gzip, "--check", "--gzip"},
        {request->check, request->common.zstd, "--check", "--zstd"},
        {request->check, request->common.raw, "--check", "--raw"},
        {request->check, request->common.to_text, "--check", "--to-text"},
        {request->check, request->common.to_arrow, "--check", "--to"},
        {request->check, request->in_place, "--check", "--in-place"},
        {request->check, request->merge, "--check", "--merge"},
        {request->check, request->argsort, "--check", "--argsort"},
        {request->check, request->top != UINT64_MAX, "--check", "--top"},
        {request->check, algorithm_given, "--check", "--algorithm"},
        {request->merge, algorithm_given, "--merge", "--algorithm"},
        {request->merge, request->in_place, "--merge", "--in-place"},
        {request->merge, request->workspace != NULL, "--merge", "--workspace"},
        {request->check, request->workspace != NULL, "--check", "--workspace"},
        {request->in_place, request->argsort, "--in-place", "--argsort"},
        {request->in_place, request->common.output != NULL, "--in-place", "--output"},
        {request->in_place, request->common.raw, "--in-place", "--raw"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
}

static void refuse_with_segments(const struct sort_request *request)
{
    const struct cli_pair pairs[] = {
        {true, request->unique, "--segments", "--unique"},
        {true, request->check, "--segments", "--check"},
        {true, request->merge, "--segments", "--merge"},
        {true, request->top != UINT64_MAX, "--segments", "--top"},
        {true, request->argsort, "--segments", "--argsort"},
        {true, request->algorithm_name != NULL, "--segments", "--algorithm"},
        {true, request->folder_count > 0, "--segments", "--temporary-directory"},
        {true, request->compress_temporaries, "--segments", "--compress-temporaries"},
        {true, request->workspace != NULL, "--segments", "--workspace"},
        {true, request->partition, "--segments", "--partition"},
        {true, request->merge_range, "--segments", "--merge-range"},
    };
    if (request->segments != NULL)
        cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
}

/* A table says itself what it holds, is written as a table, and is sorted in memory. */
static void refuse_with_table(const struct sort_request *request)
{
    const struct common *common = &request->common;
    const struct cli_pair pairs[] = {
        {true, request->key_count > 0, "--by", "--key"},
        {true, common->type != NULL, "--by", "--type"},
        {true, common->format != NULL, "--by", "--format"},
        {true, common->from_text, "--by", "--from-text"},
        {true, common->column_name != NULL, "--by", "--column"},
        {!request->argsort, common->to_text, "--by", "--to-text without --argsort"},
        {!request->argsort, common->raw, "--by", "--raw without --argsort"},
        {true, request->merge, "--by", "--merge"},
        {true, request->in_place, "--by", "--in-place"},
        {true, request->segments != NULL, "--by", "--segments"},
        {true, request->algorithm_name != NULL, "--by", "--algorithm"},
        {true, request->folder_count > 0, "--by", "--temporary-directory"},
        {true, request->compress_temporaries, "--by", "--compress-temporaries"},
        {true, request->workspace != NULL, "--by", "--workspace"},
        {true, request->partition, "--by", "--partition"},
        {true, request->merge_range, "--by", "--merge-range"},
    };
    if (request->by_count > 0)
        cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
    else if (request->nulls_given)
        fail_usage("--nulls requires --by");
}

/* What several devices do not do together is for the first of them. */
static void choose_devices(struct sort_request *request)
{
    request->devices = device_list(&request->common);
    if (request->devices != NULL)
        request->common.device = device_first(request->devices);
}

/* Options that a task of a job array does not take. */
static void refuse_in_array(const struct sort_request *request)
{
    const char *task = request->partition ? "--partition" : "--merge-range";
    const struct cli_pair pairs[] = {
        {request->partition, request->merge_range, "--partition", "--merge-range"},
        {request->partition, request->common.output != NULL, task, "--output"},
        {true, request->common.from_text, task, "--from-text"},
        {true, request->common.to_text, task, "--to-text"},
        {true, request->common.to_arrow, task, "--to"},
        {true, request->check, task, "--check"},
        {true, request->merge, task, "--merge"},
        {true, request->in_place, task, "--in-place"},
        {true, request->top != UINT64_MAX, task, "--top"},
        {true, request->algorithm_name != NULL, task, "--algorithm"},
        {true, request->workspace != NULL, task, "--workspace"},
        {request->merge_range, request->key_count > 0, task, "--key"},
        {request->merge_range, request->reverse, task, "--reverse"},
        {request->merge_range, request->unique, task, "--unique"},
        {request->merge_range, request->argsort, task, "--argsort"},
        {request->merge_range, request->common.type != NULL, task, "--type"},
        {request->merge_range, request->common.format != NULL, task, "--format"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
    if (request->manifest == NULL)
        fail_usage("%s requires --manifest", task);
}

static bool check(void *state)
{
    struct sort_request *request = state;
    choose_devices(request);
    if (!request->list) {
        refuse_contradictions(request);
        refuse_with_segments(request);
        refuse_with_table(request);
        if (request->partition || request->merge_range)
            refuse_in_array(request);
        else if (request->manifest != NULL)
            fail_usage("--manifest requires --partition or --merge-range");
        algorithm_choose(request);
    }
    return request->in_place;
}

static int run_table(const struct sort_request *request, char *const *paths, size_t count, struct job *job)
{
    const struct table_request table = {.common = &request->common,
                                        .by = request->by,
                                        .by_count = request->by_count,
                                        .nulls_first = request->nulls_first,
                                        .reverse = request->reverse,
                                        .unique = request->unique,
                                        .argsort = request->argsort,
                                        .check_quietly = request->check_quietly,
                                        .top = request->top};
    if (request->check)
        return check_table(&table, paths, count, job);
    sort_table(&table, paths, count, job);
    return STATUS_DONE;
}

static int run(const void *state, char *const *paths, size_t count, struct job *job)
{
    const struct sort_request *request = state;
    if (request->list) {
        algorithm_list();
        stats_exit(&job->stats, &request->common, STATUS_DONE);
    }
    if (request->partition || request->merge_range) {
        (request->partition ? partition_files : merge_range_of_files)(request, paths, count, job);
        return STATUS_DONE;
    }
    if (request->by_count > 0)
        return run_table(request, paths, count, job);
    if (request->check)
        return check_files(request, paths, count, job);
    void (*sort)(const struct sort_request *, char *const *, size_t, struct job *) = sort_files;
    if (request->segments != NULL) {
        segments_check_input(request->segments, paths, count, request->in_place);
        sort = sort_segments;
    }
    if (!request->in_place) {
        sort(request, paths, count, job);
        return STATUS_DONE;
    }
    if (request->workspace != NULL && count > 1)
        fail_usage("--workspace with --in-place takes only one file");
    for (size_t i = 0; i < count; i++)
        sort(request, paths + i, 1, job);
    return STATUS_DONE;
}

static const struct tool tool = {
    .cli = {.name = "gpusort",
            .synopsis = "gpusort [OPTION]... [FILE]...",
            .summary = "Sort binary data: elements of a type, records, .npy arrays, gzipped or not.\n"
                       "Without FILE, or where FILE is -, read standard input.",
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
    struct sort_request request = {.common = COMMON_DEFAULTS, .top = UINT64_MAX};
    return tool_main(argc, argv, &tool, &request, &request.common);
}
