/* tool.c - see tool.h. */
#include "tool.h"

#include <unistd.h>

#include "calibrate.h"
#include "memory.h"
#include "progress.h"

static void say_what_was_done(const struct stats *stats)
{
    bool device = stats->device[0] != '\0', algorithm = stats->algorithm[0] != '\0';
    say(NULL, "%s%llu elements%s%s%s%s", stats->before, (unsigned long long)stats->elements, device ? " on " : "",
        stats->device, algorithm ? ", algorithm " : "", stats->algorithm);
}

int tool_main(int argc, char **argv, const struct tool *tool, void *request, struct common *common)
{
    struct job job = {.common = common};
    size_t count;
    host_save_addresses();
    if (tool->in_blocks)
        device_wait_passively(argv);
    cli_start(tool->cli.name);
    stats_start(&job.stats);
    int first = cli_parse(argc, argv, &tool->cli, request, common_options(tool->ranks), common_handle, common);
    if (common->calibrate) {
        if (first < argc)
            fail_usage("--calibrate takes no files");
        device_wait_passively(argv);
        _exit(calibrate(common));
    }
    bool ranks = tool->ranks && ranks_begin(common, tool->cli.name, argv);
    if (common->shards && !ranks)
        fail_usage("--shards is for ranks of MPI");
    bool in_place = tool->check(request);
    common_check(common, in_place);
    if (common->to_arrow && (!tool->arrow || ranks))
        fail_usage("--to=arrow, or such a suffix of --output: %s does not write that%s", tool->cli.name,
                   ranks ? " as ranks of MPI" : "");
    common->raw |= common->to_text || common->to_arrow; /* they have no .npy header */
    char *const *paths = argv + first;
    count = (size_t)(argc - first);
    if (!tool->commands)
        paths = cli_files(argc, argv, first, in_place, &count);
    progress_start(common);

    int status = (ranks ? tool_by_ranks : tool->run)(request, paths, count, &job);
    stats_end(&job.stats);
    device_learn(&job.device);
    if (common->verbose)
        say_what_was_done(&job.stats);
    stats_exit(&job.stats, common, status);
}
