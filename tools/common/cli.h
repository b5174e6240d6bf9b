/* cli.h - the command line of every tool: messages, exit status, tables of options, numbers with units. */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit status. STATUS_NO: a check failed, or nothing was found. */
enum { STATUS_DONE = 0, STATUS_NO = 1, STATUS_TROUBLE = 2 };

#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#define NO_RETURN __attribute__((noreturn))

/* An option. code: its letter, or a number past 255 if it has none. argument: NULL if it takes none; [NAME] if the
 * argument is optional; [=NAME] if it is optional, and the letter takes none. The help text may hold line breaks. */
struct cli_option {
    int code;
    const char *name, *argument, *help;
};

/* What a tool's command line is. The table ends with code 0. A tool may take a letter from a common option. handle()
 * returns false for a code that is not the tool's own. */
struct cli_tool {
    const char *name, *synopsis, *summary;
    const struct cli_option *options;
    bool (*handle)(void *state, int code, const char *argument);
};

/* Prepares the process: name for messages, descriptors 0 to 2 in use, SIGXFSZ ignored, exit() caught. */
void cli_start(const char *name);

/* Parses options by the tool's table and by a second one with its own handler. Handles --help and --version. Returns
 * the index of the first operand. */
int cli_parse(int argc, char **argv, const struct cli_tool *tool, void *state, const struct cli_option *more,
              bool (*handle_more)(void *state, int code, const char *argument), void *more_state);

/* Closes standard output after text was printed there. Fails if not all of it was written. */
void cli_end_text(void);

/* Two options that exclude each other, and whether each was given. */
struct cli_pair {
    bool a, b;
    const char *name_a, *name_b;
};
void cli_exclude(const struct cli_pair *pairs, size_t count);

/* The operands, from argument `first` on, or "-", standard input, if there are none. Fails if "-" is given twice, or
 * together with in_place. */
char *const *cli_files(int argc, char **argv, int first, bool in_place, size_t *count);

/* Prints "gpusort: SUBJECT: message" on standard error; without a subject if it is NULL. */
void say(const char *subject, const char *format, ...) PRINTF_LIKE(2, 3);

/* Runs the clean-ups, prints the same, and ends the process with STATUS_TROUBLE. Any thread may call it. */
NO_RETURN void fail(const char *subject, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same from a signal's handler, for it is async-signal-safe: prints the tool's name and the texts, which begin with
 * ": ". Registered last words are not said. */
NO_RETURN void fail_in_handler(const char *const texts[], size_t count);

/* The same as fail() for a wrong command line; it also points to --help. */
NO_RETURN void fail_usage(const char *format, ...) PRINTF_LIKE(1, 2);

/* Registers a function that runs before a failure's message. It must be async-signal-safe. */
void cli_at_failure(void (*clean_up)(void));

/* Registers a function that runs after that message. */
void cli_last_words(void (*say_more)(void));

/* Parses a percentage from 1% to 100%. Returns 0 if the text is none. */
unsigned cli_percent(const char *text);

/* Parses a size: 123, 4K, 2G, 50% (of host_total()). Fails naming the option. */
size_t cli_size(const char *option, const char *text);

/* Parses a whole number from low to high. Fails naming the option. */
uint64_t cli_number(const char *option, const char *text, uint64_t low, uint64_t high);

/* "1.5 GiB (1610612736 bytes)". The text is valid for the next eight calls. */
const char *bytes_text(uint64_t bytes);

/* malloc() that fails instead of returning NULL. */
void *get_memory(size_t bytes);
char *copy_text(const char *text);

#endif
