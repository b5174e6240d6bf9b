/* gpurle.c - gpurle's options. */
#include "common/cli.h"
#include "common/device.h"
#include "common/progress.h"
#include "rle.h"

enum { CODE_VALUES = 384, CODE_COUNTS };

static const struct cli_option options[] = {
    {'d', "decode", NULL, "decode"},
    {'l', "list", NULL, "list and verify encoded files"},
    {'c', "count", NULL, "print COUNT VALUE for each run of equal elements"},
    {'u', "unique", NULL, "write the first element of each run"},
    {CODE_VALUES, "values", "FILE", "write the first elements of runs to FILE"},
    {CODE_COUNTS, "counts", "FILE", "write the lengths of runs (u64) to FILE"},
    {'k', "key", "KEY[,...]",
     "compare only KEY, a field's name or OFFSET:TYPE;\nrepeat for more keys; not when encoding"},
    {0},
};

static bool handle(void *state, int code, const char *argument)
{
    struct rle *rle = state;
    switch (code) {
    case 'd': rle->decode = true; break;
    case 'l': rle->list = true; break;
    case 'c': rle->count = true; break;
    case 'u': rle->unique = true; break;
    case CODE_VALUES: rle->values = argument; break;
    case CODE_COUNTS: rle->counts = argument; break;
    case 'k':
        if (rle->key_count == KEYS_MAX)
            fail_usage("--key: more than %d keys", KEYS_MAX);
        rle->keys[rle->key_count++] = argument;
        break;
    default: return false;
    }
    return true;
}

static const struct cli_tool tool = {
    .name = "gpurle",
    .synopsis = "gpurle [OPTION]... [FILE]...",
    .summary = "Encode runs of equal elements of binary data, elements of a type, records, .npy\n"
               "arrays, gzipped or not; or decode, list or count them.\n"
               "Without FILE, or if FILE is -, read standard input.",
    .options = options,
    .handle = handle,
};

/* Options that contradict each other. */
static void refuse_contradictions(const struct rle *rle)
{
    const struct common *common = &rle->common;
    bool keyed = rle->key_count > 0, columns = rle->values != NULL || rle->counts != NULL;
    bool encoded = rle->decode || rle->list; /* the input is */
    const char *name = rle->decode ? "--decode" : "--list", *column = rle->values != NULL ? "--values" : "--counts";
    const struct cli_pair pairs[] = {
        {rle->decode, rle->list, "--decode", "--list"},
        {rle->decode, rle->count, "--decode", "--count"},
        {rle->decode, rle->unique, "--decode", "--unique"},
        {rle->decode, columns, "--decode", column},
        {rle->list, rle->count, "--list", "--count"},
        {rle->list, rle->unique, "--list", "--unique"},
        {rle->list, columns, "--list", column},
        {rle->count, rle->unique, "--count", "--unique"},
        {rle->count, columns, "--count", column},
        {rle->unique, columns, "--unique", column},
        {encoded, common->type != NULL, name, "--type"},
        {encoded, common->format != NULL, name, "--format"},
        {encoded, common->big_endian, name, "--endian"},
        {encoded, common->skip > 0, name, "--skip"},
        {encoded, keyed, name, "--key"},
        {rle->list, common->output != NULL, "--list", "--output"},
        {rle->list, common->gzip, "--list", "--gzip"},
        {rle->list, common->raw, "--list", "--raw"},
        {rle->count, common->gzip, "--count", "--gzip"},
        {rle->count, common->raw, "--count", "--raw"},
        {columns, common->output != NULL, column, "--output"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
    if (keyed && !rle->count && !rle->unique && !columns)
        fail_usage("--key is for --count, --unique, --values and --counts: what is encoded comes back whole");
}

static void run(const struct rle *rle, char *const *paths, size_t count, struct stats *stats)
{
    if (rle->decode)
        decode_files(rle, paths, count, stats);
    else if (rle->list)
        list_files(rle, paths, count, stats);
    else if (rle->count)
        print_runs(rle, paths, count, stats);
    else if (rle->unique || rle->values != NULL || rle->counts != NULL)
        write_columns(rle, paths, count, stats);
    else
        encode_files(rle, paths, count, stats);
}

int main(int argc, char **argv)
{
    device_wait_passively(argv);
    struct rle rle = {.common = COMMON_DEFAULTS};
    struct stats stats;
    cli_start(tool.name);
    stats_start(&stats);
    int first = cli_parse(argc, argv, &tool, &rle, common_options, common_handle, &rle.common);
    refuse_contradictions(&rle);
    size_t count;
    char *const *paths = cli_files(argc, argv, first, false, &count);
    progress_start(&rle.common);

    run(&rle, paths, count, &stats);
    if (rle.common.verbose)
        say(NULL, "%llu elements%s%s%s%s", (unsigned long long)stats.elements, stats.device[0] != '\0' ? " on " : "",
            stats.device, stats.algorithm[0] != '\0' ? ", algorithm " : "", stats.algorithm);
    stats_exit(&stats, &rle.common, STATUS_DONE);
}
