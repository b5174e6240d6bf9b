/* gpucompact.c - gpucompact's options. */
#include <stdio.h>
#include <string.h>

#include "common/tool.h"
#include "compaction.h"

enum { CODE_INDEX = 384, CODE_REJECTS, CODE_ERROR_EXIT };

static const struct cli_option options[] = {
    {'w', "where", "EXPR",
     "keep the elements for which EXPR is true: C's\noperators over x, the element, or its fields"},
    {'v', "invert-match", NULL, "keep the elements for which EXPR is false"},
    {'c', "count", NULL, "print how many elements would be kept, write none"},
    {CODE_INDEX, "index", NULL, "write positions (u64) instead of elements"},
    {CODE_REJECTS, "rejects", "FILE", "write the elements that are not kept to FILE"},
    {'i', "in-place", "[=overwrite]",
     "replace each FILE by its kept elements;\noverwrite: inside the file, without a second copy"},
    {CODE_ERROR_EXIT, "error-exit", NULL, "exit with status 1 if nothing was kept"},
    {0},
};

static bool handle(void *state, int code, const char *argument)
{
    struct compact_request *request = state;
    switch (code) {
    case 'w':
        if (request->where != NULL)
            fail_usage("--where is given twice: join the expressions with && or ||");
        request->where = argument;
        break;
    case 'v': request->invert = true; break;
    case 'c': request->count = true; break;
    case CODE_INDEX: request->index = true; break;
    case CODE_REJECTS: request->rejects = argument; break;
    case 'i':
        request->in_place = true;
        request->overwrite = argument != NULL;
        if (argument != NULL && strcmp(argument, "overwrite") != 0)
            fail_usage("--in-place takes overwrite or nothing, not '%s'", argument);
        break;
    case CODE_ERROR_EXIT: request->error_exit = true; break;
    default: return false;
    }
    return true;
}

/* Options that contradict each other. */
static bool refuse_contradictions(void *state)
{
    const struct compact_request *request = state;
    const struct common *common = &request->common;
    bool rejects = request->rejects != NULL, output = common->output != NULL;
    const struct cli_pair pairs[] = {
        {request->count, request->index, "--count", "--index"},
        {request->count, rejects, "--count", "--rejects"},
        {request->count, output, "--count", "--output"},
        {request->count, common->gzip, "--count", "--gzip"},
        {request->count, common->zstd, "--count", "--zstd"},
        {request->count, common->raw, "--count", "--raw"},
        {request->count, common->to_text, "--count", "--to-text"},
        {request->count, common->to_arrow, "--count", "--to"},
        {request->count, request->in_place, "--count", "--in-place"},
        {request->index, rejects, "--index", "--rejects"},
        {request->in_place, request->index, "--in-place", "--index"},
        {request->in_place, output, "--in-place", "--output"},
        {request->in_place, common->raw, "--in-place", "--raw"},
        {request->overwrite, rejects, "--in-place=overwrite", "--rejects"},
        {request->overwrite, common->from_text || common->to_text, "--in-place=overwrite",
         common->from_text ? "--from-text" : "--to-text"},
        {request->overwrite, common->gzip, "--in-place=overwrite", "--gzip"},
        {request->overwrite, common->zstd, "--in-place=overwrite", "--zstd"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
    if (request->where == NULL)
        fail_usage("say which elements to keep with --where=EXPR");
    return request->in_place;
}

static uint64_t compact(const struct compact_request *request, char *const *paths, size_t count, struct job *job)
{
    uint64_t kept = 0;
    if (request->in_place && request->rejects != NULL && count > 1)
        fail_usage("--rejects with --in-place takes one FILE");
    if (!request->in_place)
        return compact_files(request, paths, count, job);
    for (size_t i = 0; i < count; i++)
        kept +=
            request->overwrite ? overwrite_file(request, paths + i, job) : compact_files(request, paths + i, 1, job);
    return kept;
}

static int run(const void *state, char *const *paths, size_t count, struct job *job)
{
    const struct compact_request *request = state;
    uint64_t kept = compact(request, paths, count, job);
    stats_end(&job->stats);
    if (request->count) {
        printf("%llu\n", (unsigned long long)kept);
        cli_end_text();
    }
    snprintf(job->stats.before, sizeof job->stats.before, "kept %llu of ", (unsigned long long)kept);
    return kept == 0 && request->error_exit ? STATUS_NO : STATUS_DONE;
}

static const struct tool tool = {
    .cli = {.name = "gpucompact",
            .synopsis = "gpucompact --where=EXPR [OPTION]... [FILE]...",
            .summary = "Filter binary data by an expression: elements of a type, records, .npy arrays,\n"
                       "gzipped or not. Without FILE, or where FILE is -, read standard input.",
            .options = options,
            .handle = handle},
    .in_blocks = true,
    .ranks = true,
    .arrow = true,
    .check = refuse_contradictions,
    .run = run,
};

int main(int argc, char **argv)
{
    struct compact_request request = {.common = COMMON_DEFAULTS};
    return tool_main(argc, argv, &tool, &request, &request.common);
}
