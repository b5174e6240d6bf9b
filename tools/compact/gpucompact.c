/* gpucompact.c - gpucompact's options. */
#include <stdio.h>
#include <string.h>

#include "common/cli.h"
#include "compaction.h"
#include "common/progress.h"

enum { CODE_INDEX = 384, CODE_REJECTS, CODE_ERROR_EXIT };

static const struct cli_option options[] = {
    {'w', "where", "EXPR",
     "keep the elements for which EXPR is true: C's\noperators over x, the element, or its fields"},
    {'v', "invert-match", NULL, "keep the elements that do not match"},
    {'c', "count", NULL, "print only the number of elements kept"},
    {CODE_INDEX, "index", NULL, "write positions (u64) instead of elements"},
    {CODE_REJECTS, "rejects", "FILE", "write the elements that are not kept to FILE"},
    {'i', "in-place", "[=overwrite]",
     "replace each FILE by its kept elements;\noverwrite: inside the file, without a second copy"},
    {CODE_ERROR_EXIT, "error-exit", NULL, "exit with status 1 if nothing was kept"},
    {0},
};

static bool handle(void *state, int code, const char *argument)
{
    struct compaction *compaction = state;
    switch (code) {
    case 'w':
        if (compaction->where != NULL)
            fail_usage("--where is given twice: join the expressions with && or ||");
        compaction->where = argument;
        break;
    case 'v': compaction->invert = true; break;
    case 'c': compaction->count = true; break;
    case CODE_INDEX: compaction->index = true; break;
    case CODE_REJECTS: compaction->rejects = argument; break;
    case 'i':
        compaction->in_place = true;
        compaction->overwrite = argument != NULL;
        if (argument != NULL && strcmp(argument, "overwrite") != 0)
            fail_usage("--in-place takes overwrite or nothing, not '%s'", argument);
        break;
    case CODE_ERROR_EXIT: compaction->error_exit = true; break;
    default: return false;
    }
    return true;
}

static const struct cli_tool tool = {
    .name = "gpucompact",
    .synopsis = "gpucompact --where=EXPR [OPTION]... [FILE]...",
    .summary = "Filter binary data: elements of a type, records, .npy arrays, gzipped or not.\n"
               "Without FILE, or if FILE is -, read standard input.",
    .options = options,
    .handle = handle,
};

/* Options that contradict each other. */
static void refuse_contradictions(const struct compaction *compaction)
{
    const struct common *common = &compaction->common;
    bool rejects = compaction->rejects != NULL, output = common->output != NULL;
    const struct cli_pair pairs[] = {
        {compaction->count, compaction->index, "--count", "--index"},
        {compaction->count, rejects, "--count", "--rejects"},
        {compaction->count, output, "--count", "--output"},
        {compaction->count, common->gzip, "--count", "--gzip"},
        {compaction->count, common->raw, "--count", "--raw"},
        {compaction->count, compaction->in_place, "--count", "--in-place"},
        {compaction->index, rejects, "--index", "--rejects"},
        {compaction->in_place, compaction->index, "--in-place", "--index"},
        {compaction->in_place, output, "--in-place", "--output"},
        {compaction->in_place, common->raw, "--in-place", "--raw"},
        {compaction->overwrite, rejects, "--in-place=overwrite", "--rejects"},
        {compaction->overwrite, common->gzip, "--in-place=overwrite", "--gzip"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
    if (compaction->where == NULL)
        fail_usage("say which elements to keep with --where=EXPR");
}

static uint64_t run(const struct compaction *compaction, char *const *paths, size_t count, struct stats *stats)
{
    uint64_t kept = 0;
    if (compaction->in_place && compaction->rejects != NULL && count > 1)
        fail_usage("--rejects with --in-place takes one FILE");
    if (!compaction->in_place)
        return compact_files(compaction, paths, count, stats);
    for (size_t i = 0; i < count; i++)
        kept += compaction->overwrite ? overwrite_file(compaction, paths + i, stats)
                                      : compact_files(compaction, paths + i, 1, stats);
    return kept;
}

int main(int argc, char **argv)
{
    device_wait_passively(argv);
    struct compaction compaction = {.common = COMMON_DEFAULTS};
    struct stats stats;
    cli_start(tool.name);
    stats_start(&stats);
    int first = cli_parse(argc, argv, &tool, &compaction, common_options, common_handle, &compaction.common);
    refuse_contradictions(&compaction);
    size_t count;
    char *const *paths = cli_files(argc, argv, first, compaction.in_place, &count);
    progress_start(&compaction.common);

    uint64_t kept = run(&compaction, paths, count, &stats);
    if (compaction.count) {
        printf("%llu\n", (unsigned long long)kept);
        cli_end_text();
    }
    if (compaction.common.verbose)
        say(NULL, "kept %llu of %llu elements on %s%s%s", (unsigned long long)kept, (unsigned long long)stats.elements,
            stats.device, stats.algorithm[0] != '\0' ? ", algorithm " : "", stats.algorithm);
    stats_exit(&stats, &compaction.common, kept == 0 && compaction.error_exit ? STATUS_NO : STATUS_DONE);
}
