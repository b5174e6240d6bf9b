/* help.h - the tables of options as text: --help, and --list-options for the completion of shells. */
#ifndef HELP_H
#define HELP_H

#include "cli.h"

/* The tables of a tool. If two have the same letter or name, the first one gets it. */
#define TABLES 3

/* True if the option of this table can be given by its letter, or by its name. */
bool option_has_letter(const struct cli_option *tables[TABLES], int table, const struct cli_option *option);
bool option_has_name(const struct cli_option *tables[TABLES], int table, const struct cli_option *option);

void help_print(const struct cli_tool *tool, const struct cli_option *tables[TABLES]);

/* A line for each option, of six fields with tabs between them: -LETTER, --NAME, the argument ("none", "required" or
 * "optional"), its name, its values with spaces between them, and the help. A field without content is "-". */
void help_list_options(const struct cli_option *tables[TABLES]);

#endif
