/* cli.c - see cli.h. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "help.h"
#include "memory.h"
#include "scankit.h"

#define CLEAN_UPS 4
#define OPTIONS 96

static const char *tool_name = "scankit";
static void (*clean_ups[CLEAN_UPS])(void);
static void (*last_words)(void);
static pthread_mutex_t message_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- messages, and the way out ---- */

static void vsay(const char *subject, const char *format, va_list arguments)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(stderr, "%s: %s%s%s\n", tool_name, subject == NULL ? "" : subject, subject == NULL ? "" : ": ", text);
    fflush(stderr);
}

void say(const char *subject, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsay(subject, format, arguments);
    va_end(arguments);
}

void cli_at_failure(void (*clean_up)(void))
{
    for (int i = 0; i < CLEAN_UPS; i++)
        if (clean_ups[i] == NULL || clean_ups[i] == clean_up) {
            clean_ups[i] = clean_up;
            return;
        }
}

void cli_last_words(void (*say_more)(void))
{
    last_words = say_more;
}

static void run_clean_ups(void)
{
    for (int i = 0; i < CLEAN_UPS && clean_ups[i] != NULL; i++)
        clean_ups[i]();
}

/* The first thread that fails ends the process. Others wait here for the end. */
static void begin_failure(void)
{
    pthread_mutex_lock(&message_lock);
    run_clean_ups();
}

static _Noreturn void end_failure(void)
{
    if (last_words != NULL)
        last_words();
    fflush(stderr);
    _exit(STATUS_TROUBLE);
}

void fail(const char *subject, const char *format, ...)
{
    va_list arguments;
    begin_failure();
    va_start(arguments, format);
    vsay(subject, format, arguments);
    va_end(arguments);
    end_failure();
}

void fail_usage(const char *format, ...)
{
    va_list arguments;
    begin_failure();
    va_start(arguments, format);
    vsay(NULL, format, arguments);
    va_end(arguments);
    fprintf(stderr, "Try '%s --help' for more information.\n", tool_name);
    end_failure();
}

/* ---- the start ---- */

/* If the caller closed one of descriptors 0 to 2, the next file would get its number. /dev/null takes it, opened so
 * that its use still fails. */
static void occupy(int descriptor, int flags)
{
    if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF && open("/dev/null", flags) != descriptor)
        _exit(STATUS_TROUBLE);
}

/* Tools end by _exit(). Only a library calls exit(): libgomp does if it cannot start a thread, with status 1, which
 * would mean "no" here. */
static void end_by_library(void)
{
    begin_failure();
    say(NULL, "stopped: a library could not go on");
    end_failure();
}

/* Nothing here takes a lock. */
void fail_in_handler(const char *const texts[], size_t count)
{
    bool written = true;
    run_clean_ups();
    for (size_t i = 0; i < count + 2; i++) {
        const char *text = i == 0 ? tool_name : i <= count ? texts[i - 1] : "\n";
        written = written && write(STDERR_FILENO, text, strlen(text)) >= 0;
    }
    _exit(STATUS_TROUBLE);
}

/* The same for abort(), which LLVM's OpenMP calls. The caller may hold any lock. */
static void end_by_abort(int number)
{
    static const char *const text = ": stopped: a library could not go on";
    (void)number;
    fail_in_handler(&text, 1);
}

void cli_start(const char *name)
{
    tool_name = name;
    atexit(end_by_library);
    signal(SIGABRT, end_by_abort);
    occupy(STDIN_FILENO, O_WRONLY);
    occupy(STDOUT_FILENO, O_RDONLY);
    occupy(STDERR_FILENO, O_RDWR);
    signal(SIGXFSZ, SIG_IGN); /* so that write() fails past the limit of a file's size */

    /* A merge may have thousands of inputs. */
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

/* ---- options ---- */

/* The code of a long option also holds its table. */
#define TABLE_SHIFT 16
#define CODE_MASK ((1 << TABLE_SHIFT) - 1)

enum { CODE_HELP = 512, CODE_VERSION, CODE_LIST_OPTIONS };

static const struct cli_option last_options[] = {
    {CODE_HELP, "help", NULL, "print this help"},
    {CODE_VERSION, "version", NULL, "print the version"},
    {CODE_LIST_OPTIONS, "list-options", NULL, "print all options, for the completion of shells"},
    {0},
};

void cli_end_text(void)
{
    if (fflush(stdout) != 0 || ferror(stdout) || close(STDOUT_FILENO) != 0)
        fail("standard output", "cannot write: %s", strerror(errno));
}

/* Converts the tables for getopt_long(). The leading ':' makes it tell a missing argument from an unknown option. */
static void convert(const struct cli_option *tables[TABLES], struct option *longs, char *shorts)
{
    *shorts++ = ':';
    for (int t = 0; t < TABLES; t++)
        for (const struct cli_option *option = tables[t]; option->code != 0; option++) {
            if (!option_has_name(tables, t, option))
                continue;
            int kind = option->argument == NULL ? 0 : option->argument[0] == '[' ? 2 : 1;
            *longs++ = (struct option){option->name, kind, NULL, option->code | t << TABLE_SHIFT};
            if (option_has_letter(tables, t, option)) {
                *shorts++ = (char)option->code;
                for (int i = 0; i < kind && option->argument[1] != '='; i++)
                    *shorts++ = ':';
            }
        }
    *longs = (struct option){0};
    *shorts = '\0';
}

static _Noreturn void refuse_option(int code, const char *text)
{
    const char *what = code == ':' ? "needs an argument" : "is not known, or takes no argument";
    if (optopt > 0 && optopt < 256 && strncmp(text, "--", 2) != 0)
        fail_usage("option -%c %s", optopt, what);
    fail_usage("option '%s' %s", text, what);
}

int cli_parse(int argc, char **argv, const struct cli_tool *tool, void *state, const struct cli_option *more,
              bool (*handle_more)(void *state, int code, const char *argument), void *more_state)
{
    const struct cli_option *tables[TABLES] = {tool->options, more, last_options};
    struct option longs[OPTIONS];
    char shorts[3 * OPTIONS];
    convert(tables, longs, shorts);
    opterr = 0;
    for (int found; (found = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        int code = found & CODE_MASK, table = found >> TABLE_SHIFT;
        if (code == '?' || code == ':')
            refuse_option(code, argv[optind - 1]);
        if (code == CODE_HELP)
            help_print(tool, tables);
        else if (code == CODE_LIST_OPTIONS)
            help_list_options(tables);
        else if (code == CODE_VERSION)
            printf("%s (scankit) %s\n", tool->name, scankit_version());
        if (code == CODE_HELP || code == CODE_VERSION || code == CODE_LIST_OPTIONS) {
            cli_end_text();
            _exit(STATUS_DONE);
        }
        if (table > 0 || !tool->handle(state, code, optarg))
            handle_more(more_state, code, optarg);
    }
    return optind;
}

void cli_exclude(const struct cli_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (pairs[i].a && pairs[i].b)
            fail_usage("%s and %s exclude each other", pairs[i].name_a, pairs[i].name_b);
}

char *const *cli_files(int argc, char **argv, int first, bool in_place, size_t *count)
{
    static char standard_input[] = "-";
    static char *no_files[] = {standard_input};
    char *const *files = first < argc ? argv + first : no_files;
    *count = first < argc ? (size_t)(argc - first) : 1;
    size_t standard = 0;
    for (size_t i = 0; i < *count; i++)
        standard += strcmp(files[i], "-") == 0;
    if (standard > 1)
        fail_usage("standard input is named twice");
    if (in_place && standard > 0)
        fail_usage("--in-place needs files");
    return files;
}

/* ---- numbers and memory ---- */

uint64_t cli_number(const char *option, const char *text, uint64_t low, uint64_t high)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value < low || value > high)
        fail_usage("--%s takes a number from %llu to %llu, not '%s'", option, (unsigned long long)low,
                   (unsigned long long)high, text);
    return value;
}

unsigned cli_percent(const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    bool good = text[0] >= '0' && text[0] <= '9' && strcmp(end, "%") == 0 && value <= 100;
    return good ? (unsigned)value : 0;
}

size_t cli_size(const char *option, const char *text)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    bool good = text[0] >= '0' && text[0] <= '9' && errno == 0;
    const char *unit = *end == '\0' ? NULL : strchr(units, *end);
    if (cli_percent(text) > 0)
        return (size_t)((double)host_total() * cli_percent(text) / 100);
    int shift = unit == NULL ? 0 : 10 * (int)(unit - units + 1);
    if (!good || end[unit != NULL] != '\0' || value > SIZE_MAX >> shift)
        fail_usage("--%s takes a number of bytes, with K, M, G, T or %% behind it, not '%s'", option, text);
    return (size_t)value << shift;
}

const char *bytes_text(uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    static _Thread_local char room[8][48];
    static _Thread_local unsigned turn;
    char *text = room[turn++ % 8];
    int unit = -1;
    double value = (double)bytes;
    for (; value >= 1024; value /= 1024)
        unit++;
    if (unit < 0)
        snprintf(text, sizeof room[0], "%d bytes", (int)bytes);
    else
        snprintf(text, sizeof room[0], "%.1f %s (%llu bytes)", value, units[unit], (unsigned long long)bytes);
    return text;
}

void *get_memory(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL)
        fail(NULL, "out of memory: cannot allocate %s", bytes_text(bytes));
    return memory;
}

char *copy_text(const char *text)
{
    return strcpy(get_memory(strlen(text) + 1), text);
}
