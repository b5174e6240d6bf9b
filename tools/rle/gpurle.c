/* gpurle.c - gpurle's options. */
#include "common/tool.h"
#include "rle.h"

enum { CODE_VALUES = 384, CODE_COUNTS };

static const struct cli_option options[] = {
    {'d', "decode", NULL, "decode encoded files"},
    {'l', "list", NULL, "verify encoded files, and print what they hold"},
    {'c', "count", NULL, "print COUNT VALUE for each run of equal elements"},
    {'u', "unique", NULL, "write the first element of each run"},
    {CODE_VALUES, "values", "FILE", "write the first elements of runs to FILE"},
    {CODE_COUNTS, "counts", "FILE", "write the lengths of runs (u64) to FILE"},
    {'k', "key", "KEY[,...]",
     "compare only KEY, a field's name or OFFSET:TYPE;\nmay be repeated for further keys; not for encoding"},
    {0},
};

static bool handle(void *state, int code, const char *argument)
{
    struct rle_request *request = state;
    switch (code) {
    case 'd': request->decode = true; break;
    case 'l': request->list = true; break;
    case 'c': request->count = true; break;
    case 'u': request->unique = true; break;
    case CODE_VALUES: request->values = argument; break;
    case CODE_COUNTS: request->counts = argument; break;
    case 'k':
        if (request->key_count == KEYS_MAX)
            fail_usage("--key: more than %d keys", KEYS_MAX);
        request->keys[request->key_count++] = argument;
        break;
    default: return false;
    }
    return true;
}

/* Options that contradict each other. */
static bool refuse_contradictions(void *state)
{
    const struct rle_request *request = state;
    const struct common *common = &request->common;
    bool keyed = request->key_count > 0, columns = request->values != NULL || request->counts != NULL;
    bool encoded = (request->decode && !common->from_text) || request->list; /* the input is a container */
    const char *name = request->decode ? "--decode" : "--list",
               *column = request->values != NULL ? "--values" : "--counts";
    const struct cli_pair pairs[] = {
        {request->decode, request->list, "--decode", "--list"},
        {request->decode, request->count, "--decode", "--count"},
        {request->decode, request->unique, "--decode", "--unique"},
        {request->decode, columns, "--decode", column},
        {request->list, request->count, "--list", "--count"},
        {request->list, request->unique, "--list", "--unique"},
        {request->list, columns, "--list", column},
        {request->count, request->unique, "--count", "--unique"},
        {request->count, columns, "--count", column},
        {request->unique, columns, "--unique", column},
        {encoded, common->type != NULL, name, "--type"},
        {encoded, common->format != NULL, name, "--format"},
        {encoded, common->big_endian, name, "--endian"},
        {encoded, common->skip > 0, name, "--skip"},
        {encoded || request->decode, keyed, name, "--key"},
        {request->list, common->from_text, "--list", "--from-text"},
        {request->list, common->to_text, "--list", "--to-text"},
        {request->list, common->output != NULL, "--list", "--output"},
        {request->list, common->gzip, "--list", "--gzip"},
        {request->list, common->zstd, "--list", "--zstd"},
        {request->list, common->raw, "--list", "--raw"},
        {request->count, common->gzip, "--count", "--gzip"},
        {request->count, common->zstd, "--count", "--zstd"},
        {request->count, common->raw, "--count", "--raw"},
        {columns, common->output != NULL, column, "--output"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
    if (keyed && !request->count && !request->unique && !columns && !common->to_text)
        fail_usage(
            "--key is for --count, --unique, --values, --counts and --to-text: what is encoded comes back whole");
    return false;
}

static int run(const void *state, char *const *paths, size_t count, struct job *job)
{
    const struct rle_request *request = state;
    if (request->decode)
        (request->common.from_text ? read_pairs : decode_files)(request, paths, count, job);
    else if (request->list)
        list_files(request, paths, count, job);
    else if (request->count)
        print_runs(request, paths, count, job);
    else if (request->unique || request->values != NULL || request->counts != NULL)
        write_columns(request, paths, count, job);
    else if (request->common.to_text)
        write_pairs(request, paths, count, job);
    else
        encode_files(request, paths, count, job);
    return STATUS_DONE;
}

static const struct tool tool = {
    .cli = {.name = "gpurle",
            .synopsis = "gpurle [OPTION]... [FILE]...",
            .summary = "Encode runs of equal elements of binary data, elements of a type, records, .npy\n"
                       "arrays, gzipped or not; or decode, list or count them.\n"
                       "Without FILE, or where FILE is -, read standard input.",
            .options = options,
            .handle = handle},
    .in_blocks = true,
    .ranks = true,
    .check = refuse_contradictions,
    .run = run,
};

int main(int argc, char **argv)
{
    struct rle_request request = {.common = COMMON_DEFAULTS};
    return tool_main(argc, argv, &tool, &request, &request.common);
}
