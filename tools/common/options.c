/* options.c - see options.h. */
#include "options.h"

#include <string.h>

enum {
    CODE_ENDIAN = 256,
    CODE_CALIBRATE,
    CODE_DEVICE_MEMORY,
    CODE_ZSTD,
    CODE_PARALLEL,
    CODE_SKIP,
    CODE_PROGRESS,
    CODE_NO_PROGRESS,
    CODE_VERBOSE,
    CODE_STATS,
    CODE_RAW,
    CODE_SYNC,
    CODE_MPI,
    CODE_NO_MPI,
    CODE_SHARDS,
    CODE_FROM_TEXT,
    CODE_TO_TEXT,
    CODE_TO,
    CODE_COLUMN,
    CODE_DELIMITER,
    CODE_HEADER,
};

/* Only tools that work as ranks of MPI have the first ones. */
#define RANKS_OPTIONS 3

static const struct cli_option options[] = {
    {CODE_MPI, "mpi", NULL, "work as a rank of MPI; by default if mpirun or srun\nstarted several"},
    {CODE_NO_MPI, "no-mpi", NULL, "work alone even if mpirun or srun started several"},
    {CODE_SHARDS, "shards", NULL, "ranks of MPI: read and write a file a rank; %r in FILEs\nis the rank's number"},
    {'t', "type", "TYPE", "raw input has this type, one of\n" TYPE_NAMES},
    {'f', "format", "NAME:TYPE[,...]", "raw input is packed records with these fields;\nbytesN is N opaque bytes"},
    {CODE_ENDIAN, "endian", "little|big", "the byte order of raw numbers, by default little"},
    {CODE_FROM_TEXT, "from-text", NULL,
     "input is text: a line for each element, a number\nof TYPE, or FORMAT's fields in columns"},
    {CODE_TO_TEXT, "to-text", NULL, "write text: a line for each element"},
    {CODE_TO, "to", "arrow",
     "write an Arrow file, or stream to standard output;\nthe default if FILE of --output ends in .arrow, .feather\nor "
     ".ipc"},
    {CODE_COLUMN, "column", "N|NAME",
     "the number, or first field, is column N of a line;\nof an Arrow file the elements are column NAME"},
    {CODE_DELIMITER, "delimiter", "C", "columns are separated by C, by default a tab (\\t)"},
    {CODE_HEADER, "header", "skip|keep", "the first line of each text input is a header;\nkeep: write its columns too"},
    {'o', "output", "FILE", "write to FILE, which may be an input; FILE is\nreplaced only when the output is complete"},
    {'z', "gzip", "[LEVEL]", "compress the output (gzip, in BGZF blocks);\nLEVEL is 0 to 9, by default 1"},
    {CODE_ZSTD, "zstd", "[LEVEL]", "compress the output (zstd);\nLEVEL is 1 to 19, by default 1"},
    {'d', "device", "DEVICE", "compute there, by default auto; one of\nauto cpu cuda cuda:N"},
    {'S', "buffer-size", "SIZE", "use at most SIZE of the machine's memory;\nSIZE may end in K M G T %"},
    {CODE_DEVICE_MEMORY, "device-memory", "SIZE", "use at most SIZE of the GPU's memory"},
    {CODE_CALIBRATE, "calibrate", NULL, "measure the devices' speed, by which auto\nchooses, and exit"},
    {CODE_PARALLEL, "parallel", "N", "use N processors"},
    {CODE_SKIP, "skip", "BYTES", "skip BYTES at the start of each input"},
    {CODE_RAW, "raw", NULL, "write no .npy header"},
    {CODE_SYNC, "sync", NULL, "write every output to disk before the tool ends,\nnot only one that replaces a file"},
    {CODE_STATS, "stats", "[FILE]", "write statistics, a JSON object, to FILE or\nstandard error"},
    {CODE_PROGRESS, "progress", NULL, "show progress even without a terminal"},
    {CODE_NO_PROGRESS, "no-progress", NULL, "show no progress, even on a terminal"},
    {'q', "quiet", NULL, "print errors only"},
    {CODE_VERBOSE, "verbose", NULL, "print what was done, and on which device"},
    {0},
};

const struct cli_option *common_options(bool ranks)
{
    return ranks ? options : options + RANKS_OPTIONS;
}

static char delimiter_of(const char *text)
{
    bool tab = strcmp(text, "\\t") == 0;
    if (!tab && (strlen(text) != 1 || strchr("\r\n\"\\+-.", *text) != NULL || (*text >= '0' && *text <= '9') ||
                 (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z')))
        fail_usage("--delimiter takes a character that no number has, or \\t, not '%s'", text);
    return tab ? '\t' : *text;
}

static enum text_header header_of(const char *text)
{
    if (strcmp(text, "skip") == 0)
        return HEADER_SKIP;
    if (strcmp(text, "keep") != 0)
        fail_usage("--header takes skip or keep, not '%s'", text);
    return HEADER_KEEP;
}

static bool names_arrow(const char *path)
{
    static const char *const suffixes[] = {".arrow", ".feather", ".ipc"};
    for (size_t i = 0; path != NULL && i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t length = strlen(path), suffix = strlen(suffixes[i]);
        if (length > suffix && strcmp(path + length - suffix, suffixes[i]) == 0)
            return true;
    }
    return false;
}

void common_check(struct common *common, bool in_place)
{
    if (common->from_text && common->column_name != NULL)
        common->column = (size_t)cli_number("column", common->column_name, 1, 1000000);
    const struct cli_pair pairs[] = {
        {common->gzip, common->zstd, "--gzip", "--zstd"},
        {common->to_text, common->raw, "--to-text", "--raw"},
        {common->to_arrow, common->to_text, "--to", "--to-text"},
        {common->to_arrow, common->raw, "--to", "--raw"},
        {common->to_arrow, in_place, "--to", "--in-place"},
        {in_place && common->to_text, common->skip > 0, "--in-place --to-text", "--skip"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
    common->to_arrow |= names_arrow(common->output) && !common->to_text && !common->raw;
    if (!common->from_text && common->header != HEADER_NONE)
        fail_usage("--header requires --from-text");
    if (!common->to_text && common->header == HEADER_KEEP)
        fail_usage("--header=keep requires --to-text");
    if (!common->from_text && !common->to_text && common->delimiter != '\0')
        fail_usage("--delimiter requires --from-text or --to-text");
    if (in_place && common->from_text != common->to_text)
        fail_usage("--in-place takes --from-text and --to-text together: a file keeps its format");
}

bool common_handle(void *state, int code, const char *argument)
{
    struct common *common = state;
    switch (code) {
    case 't': common->type = argument; break;
    case 'f': common->format = argument; break;
    case 'o': common->output = argument; break;
    case 'z':
        common->gzip = true;
        common->gzip_level = argument == NULL ? 1 : (int)cli_number("gzip", argument, 0, 9);
        break;
    case CODE_ZSTD:
        common->zstd = true;
        common->zstd_level = argument == NULL ? 1 : (int)cli_number("zstd", argument, 1, 19);
        break;
    case 'd': common->device = argument; break;
    case 'S': common->buffer_size = cli_size("buffer-size", argument); break;
    case CODE_DEVICE_MEMORY:
        common->device_percent = cli_percent(argument);
        common->device_memory = common->device_percent > 0 ? 0 : cli_size("device-memory", argument);
        break;
    case CODE_CALIBRATE: common->calibrate = true; break;
    case CODE_PARALLEL: common->parallel = (unsigned)cli_number("parallel", argument, 1, 4096); break;
    case CODE_SKIP: common->skip = cli_size("skip", argument); break;
    case CODE_FROM_TEXT: common->from_text = true; break;
    case CODE_TO_TEXT: common->to_text = true; break;
    case CODE_TO:
        common->to_arrow = strcmp(argument, "arrow") == 0;
        if (!common->to_arrow)
            fail_usage("--to takes arrow, not '%s'", argument);
        break;
    case CODE_COLUMN: common->column_name = argument; break;
    case CODE_DELIMITER: common->delimiter = delimiter_of(argument); break;
    case CODE_HEADER: common->header = header_of(argument); break;
    case CODE_RAW: common->raw = true; break;
    case CODE_SYNC: common->sync = true; break;
    case CODE_STATS:
        common->stats = true;
        common->stats_file = argument;
        break;
    case CODE_PROGRESS: common->progress = 1; break;
    case CODE_NO_PROGRESS: common->progress = 0; break;
    case 'q': common->quiet = true; break;
    case CODE_VERBOSE: common->verbose = true; break;
    case CODE_MPI: common->mpi = 1; break;
    case CODE_NO_MPI: common->mpi = -1; break;
    case CODE_SHARDS: common->shards = true; break;
    case CODE_ENDIAN:
        common->big_endian = strcmp(argument, "big") == 0;
        if (!common->big_endian && strcmp(argument, "little") != 0)
            fail_usage("--endian takes little or big, not '%s'", argument);
        break;
    default: return false;
    }
    return true;
}
