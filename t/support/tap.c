/* tap.c - see tap.h */
#include "tap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define DIAGNOSED_FAILURES 8 /* of one property; the others are only counted */

static struct {
    unsigned tests, failed;
    unsigned long cases, failures; /* of the open property */
    char name[256];
    char tried[512];
} tap;

static void report(bool pass, const char *name, const char *reason)
{
    tap.tests++;
    tap.failed += !pass;
    printf("%s %u - %s%s%s\n", pass ? "ok" : "not ok", tap.tests, name, reason != NULL ? " # skip " : "",
           reason != NULL ? reason : "");
    fflush(stdout);
}

#define PRINT_TO(text)                                      \
    do {                                                    \
        va_list arguments;                                  \
        va_start(arguments, format);                        \
        vsnprintf((text), sizeof(text), format, arguments); \
        va_end(arguments);                                  \
    } while (0)

bool tap_ok(bool pass, const char *format, ...)
{
    char name[256];
    PRINT_TO(name);
    report(pass, name, NULL);
    return pass;
}

void tap_skip(const char *reason, const char *format, ...)
{
    char name[256];
    PRINT_TO(name);
    report(true, name, reason);
}

void tap_diag(const char *format, ...)
{
    char text[1024];
    PRINT_TO(text);
    printf("# %s\n", text);
    fflush(stdout);
}

void tap_bail_out(const char *format, ...)
{
    char text[512];
    PRINT_TO(text);
    printf("Bail out!  %s\n", text);
    fflush(stdout);
    exit(EXIT_FAILURE);
}

void tap_begin(const char *format, ...)
{
    PRINT_TO(tap.name);
    tap.cases = tap.failures = 0;
    tap.tried[0] = '\0';
}

void tap_case(const char *format, ...)
{
    PRINT_TO(tap.tried);
    tap.cases++;
}

void tap_fail(const char *format, ...)
{
    if (tap.failures++ >= DIAGNOSED_FAILURES)
        return;
    char text[512];
    PRINT_TO(text);
    tap_diag("%s: %s%s%s", tap.name, tap.tried, tap.tried[0] != '\0' ? ": " : "", text);
}

void tap_end(void)
{
    if (tap.failures > 0)
        tap_diag("%s: %lu failures in %lu cases", tap.name, tap.failures, tap.cases);
    report(tap.failures == 0, tap.name, NULL);
}

int tap_finish(void)
{
    printf("1..%u\n", tap.tests);
    return tap.failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
