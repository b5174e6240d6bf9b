/* cli.h - what every tool's command line shares: messages and exit codes, tables of options, numbers with units. */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit status. A check that said no is not trouble. */
enum { STATUS_DONE = 0, STATUS_NO = 1, STATUS_TROUBLE = 2 };

#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#define NO_RETURN __attribute__((noreturn))

/* An option: code is its letter, or a number past 255 where it has none. argument: NULL for none, in [] where it may be
 * left out, in [=] where it may and the letter never has one. A help text may hold line breaks. */
struct cli_option {
    int code;
    const char *name, *argument, *help;
};

/* A tool: tables end with code 0. A letter of its own may be one of the common options'. handle() answers false for a
 * code that is not its own. */
struct cli_tool {
    const char *name, *synopsis, *summary;
    const struct cli_option *options;
    bool (*handle)(void *state, int code, const char *argument);
};

/* Makes the process fit for a tool: its name for messages, descriptors 0 to 2 in use, no death by SIGXFSZ. */
void cli_start(const char *name);

/* Parses options by the tool's table and a second one with its handler; --help and --version are done here. Answers the
 * index of the first operand. */
int cli_parse(int argc, char **argv, const struct cli_tool *tool, void *state, const struct cli_option *more,
              bool (*handle_more)(void *state, int code, const char *argument), void *more_state);

/* Closes standard output after text has been printed there, and fails unless all of it has arrived. */
void cli_end_text(void);

/* Two options that exclude each other, and whether each was given. */
struct cli_pair {
    bool a, b;
    const char *name_a, *name_b;
};
void cli_exclude(const struct cli_pair *pairs, size_t count);

/* The operands behind the first `first` arguments, or "-", standard input, where there are none. That is refused twice,
 * and with in_place at all. */
char *const *cli_files(int argc, char **argv, int first, bool in_place, size_t *count);

/* Says "gpusort: SUBJECT: what" (no subject where NULL) on standard error. */
void say(const char *subject, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same, then ends the process with STATUS_TROUBLE, from any thread, after the clean-ups. */
NO_RETURN void fail(const char *subject, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same for a command line that makes no sense. */
NO_RETURN void fail_usage(const char *format, ...) PRINTF_LIKE(1, 2);

/* Has clean_up() called before a message ends the process. Async-signal-safe work only. */
void cli_at_failure(void (*clean_up)(void));

/* Has say_more() called behind that message. */
void cli_last_words(void (*say_more)(void));

/* 123, 4K, 2G, 50% (of the machine's memory); fails naming the option. */
size_t cli_size(const char *option, const char *text);

/* A whole number from low to high; fails naming the option. */
uint64_t cli_number(const char *option, const char *text, uint64_t low, uint64_t high);

/* "1.5 GiB (1610612736 bytes)", into room that lasts for eight calls. */
const char *bytes_text(uint64_t bytes);

/* Memory, or fail(). */
void *get_memory(size_t bytes);

#endif
