/* options.h - the options that all tools have in common. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "cli.h"
#include "scankit.h"

/* The first line of text is none of an element. HEADER_KEEP: it is written too. */
enum text_header { HEADER_NONE, HEADER_SKIP, HEADER_KEEP };

struct common {
    const char *type, *format; /* NULL: not given */
    bool big_endian;
    const char *output; /* NULL: standard output, "-": the same even if that is a terminal */
    bool gzip, zstd;
    int gzip_level, zstd_level;
    const char *device;   /* "auto" and what scankit_open() knows */
    unsigned parallel;    /* 0: all processors */
    size_t buffer_size;   /* 0: what is available */
    size_t device_memory; /* 0: device_percent of the GPU's; if that is 0 too, what is available */
    unsigned device_percent;
    size_t skip;
    bool from_text, to_text; /* elements are lines of text */
    bool to_arrow;
    const char *column_name; /* of the column to read, or its number; NULL: not given */
    size_t column;           /* of the first field in text, from 1; 0: not given */
    char delimiter;          /* 0: not given */
    enum text_header header;
    bool raw, sync, quiet, verbose, calibrate;
    int progress; /* -1: on a terminal */
    int mpi;      /* 1: ranks of MPI, even if no launcher says so; -1: none; 0: as the launcher says */
    bool shards;  /* of ranks of MPI: a file a rank */
    bool stats;
    const char *stats_file; /* NULL: standard error */
};

/* The names of all types, each with a space behind it. */
#define TYPE_NAME(enumerator, name, ctype, kind) #name " "
#define TYPE_NAMES SCANKIT_TYPES(TYPE_NAME)

#define COMMON_DEFAULTS                                                    \
    {                                                                      \
        .gzip_level = 1, .zstd_level = 1, .device = "auto", .progress = -1 \
    }

/* The options of every tool; with `ranks`, also the ones for ranks of MPI. */
const struct cli_option *common_options(bool ranks);

/* Refuses common options that contradict each other, or need others. Completes them: the number of
 * --column, and whether the name of the output means Arrow's format. */
void common_check(struct common *common, bool in_place);

/* For cli_parse(); the state is a struct common. */
bool common_handle(void *state, int code, const char *argument);

#endif
