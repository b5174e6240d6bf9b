/* help.c - see help.h. */
#include "help.h"

#include <stdio.h>
#include <string.h>

bool option_has_letter(const struct cli_option *tables[TABLES], int table, const struct cli_option *option)
{
    for (int t = 0; t < table; t++)
        for (const struct cli_option *other = tables[t]; other->code != 0; other++)
            if (other->code == option->code)
                return false;
    return option->code < 256;
}

bool option_has_name(const struct cli_option *tables[TABLES], int table, const struct cli_option *option)
{
    for (int t = 0; t < table; t++)
        for (const struct cli_option *other = tables[t]; other->code != 0; other++)
            if (strcmp(other->name, option->name) == 0)
                return false;
    return true;
}

static void print_option(const struct cli_option *option, bool letter)
{
    char left[64];
    const char *argument = option->argument == NULL ? "" : option->argument;
    int length = letter ? snprintf(left, sizeof left, "  -%c, ", option->code) : snprintf(left, sizeof left, "      ");
    const char *before = *argument == '[' ? "[=" : *argument == '\0' ? "" : "=";
    argument += *argument != '[' ? 0 : argument[1] == '=' ? 2 : 1;
    snprintf(left + length, sizeof left - (size_t)length, "--%s%s%s", option->name, before, argument);
    printf("%-30s", left);
    if (strlen(left) > 28)
        printf("\n%30s", "");
    for (const char *c = option->help; *c != '\0'; c++)
        if (*c == '\n')
            printf("\n%30s", "");
        else
            putchar(*c);
    putchar('\n');
}

void help_print(const struct cli_tool *tool, const struct cli_option *tables[TABLES])
{
    printf("Usage: %s\n%s\n\n", tool->synopsis, tool->summary);
    for (int t = 0; t < TABLES; t++)
        for (const struct cli_option *option = tables[t]; option->code != 0; option++)
            if (option_has_name(tables, t, option))
                print_option(option, option_has_letter(tables, t, option));
}

/* ---- for programs ---- */

/* Prints up to a character of `ends`, or "-" for nothing. A space stands for each character of `spaces`. */
static void print_words(const char *text, const char *ends, const char *spaces)
{
    size_t length = strcspn(text, ends);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    for (size_t i = 0; i < length; i++)
        putchar(strchr(spaces, text[i]) != NULL ? ' ' : text[i]);
    if (length == 0)
        putchar('-');
}

/* Values are what the help lists behind "one of", or what the argument says: "skip|keep". */
static void print_values(const struct cli_option *option, const char *argument)
{
    static const char before[] = "one of\n";
    const char *list = strstr(option->help, before);
    bool names = strpbrk(argument, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != NULL; /* of what the user chooses */
    if (list != NULL)
        print_words(list + strlen(before), "", "\n");
    else
        print_words(names ? "" : argument, "]", "|");
}

static void list_option(const struct cli_option *option, bool letter)
{
    const char *argument = option->argument == NULL ? "" : option->argument;
    bool optional = *argument == '[';
    printf(letter ? "-%c" : "-", option->code);
    printf("\t--%s\t%s\t", option->name, *argument == '\0' ? "none" : optional ? "optional" : "required");
    argument += optional ? (argument[1] == '=' ? 2 : 1) : 0;
    print_words(argument, optional ? "]" : "", "");
    putchar('\t');
    print_values(option, argument);
    putchar('\t');
    print_words(option->help, "", "\n\t");
    putchar('\n');
}

void help_list_options(const struct cli_option *tables[TABLES])
{
    for (int t = 0; t < TABLES; t++)
        for (const struct cli_option *option = tables[t]; option->code != 0; option++)
            if (option_has_name(tables, t, option))
                list_option(option, option_has_letter(tables, t, option));
}
