/* main.c - the sweep's options. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

static const struct {
    const char *name;
    void (*run)(void);
} groups[] = {
#define X(name) {#name, sweep_##name},
    SWEEP_GROUPS(X)
#undef X
};
#define GROUPS (sizeof groups / sizeof *groups)

static const char help[] = "Usage: sweep [OPTION]...\n"
                           "Measures a GPU's primitives beside CUB, over types, sizes and kinds of data: microseconds "
                           "of both, and how many times\n"
                           "as long CUB takes.\n\n"
                           "  --group=NAME     only this group of rows (see --list)\n"
                           "  --list           list the groups\n"
                           "  --most-log2=N    at most some 2^N elements (default 27)\n"
                           "  --below=RATIO    print only rows below this ratio (default: all)\n"
                           "  --help           print this help\n";

static void list_groups(void)
{
    for (size_t g = 0; g < GROUPS; g++)
        puts(groups[g].name);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"group", required_argument, NULL, 'g'},
                                            {"list", no_argument, NULL, 'l'},
                                            {"most-log2", required_argument, NULL, 'm'},
                                            {"below", required_argument, NULL, 'b'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    const char *group = NULL;
    long most_log2 = 27;
    double below = 1e9;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (c) {
        case 'g': group = optarg; break;
        case 'l': list_groups(); return 0;
        case 'm': most_log2 = strtol(optarg, NULL, 10); break;
        case 'b': below = strtod(optarg, NULL); break;
        case 'h': fputs(help, stdout); return 0;
        default: return 2;
        }
    }
    if (optind < argc || most_log2 < 10 || most_log2 > 30) {
        fputs(help, stderr);
        return 2;
    }
    const char *wrong = sweep_open((size_t)1 << most_log2, below);
    if (wrong != NULL) {
        fprintf(stderr, "sweep: %s\n", wrong);
        return 2;
    }
    bool found = false;
    for (size_t g = 0; g < GROUPS; g++) {
        if (group != NULL && strcmp(group, groups[g].name) != 0)
            continue;
        found = true;
        groups[g].run();
    }
    if (!found) {
        fprintf(stderr, "sweep: %s: no such group\n", group);
        return 2;
    }
    size_t rows, behind;
    sweep_tally(&rows, &behind);
    printf("%zu rows, %zu below 0.95\n", rows, behind);
    return 0;
}
