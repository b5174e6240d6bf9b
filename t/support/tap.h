/* tap.h - the Test Anything Protocol for the test programs.
 *
 * A test line is either one fact, tap_ok(), or one property over many cases:
 *
 *     tap_begin("%s: u32: sum", device);
 *     for (...) {
 *         tap_case("n %zu", n);           the current case, printed if it fails
 *         if (wrong)
 *             tap_fail("element %zu", i);
 *     }
 *     tap_end();
 *
 * The plan is printed at the end: a program that dies on the way has none, and counts as failed. One thread at a time.
 */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>

#define TAP_FORMAT(string, first) __attribute__((format(printf, string, first)))

bool tap_ok(bool pass, const char *format, ...) TAP_FORMAT(2, 3);
void tap_skip(const char *reason, const char *format, ...) TAP_FORMAT(2, 3);
void tap_diag(const char *format, ...) TAP_FORMAT(1, 2);
_Noreturn void tap_bail_out(const char *format, ...) TAP_FORMAT(1, 2);

void tap_begin(const char *format, ...) TAP_FORMAT(1, 2);
void tap_case(const char *format, ...) TAP_FORMAT(1, 2);
void tap_fail(const char *format, ...) TAP_FORMAT(1, 2);
void tap_end(void);

/* Fails the current case unless the condition holds. */
#define TAP_CHECK(condition)                   \
    do {                                       \
        if (!(condition))                      \
            tap_fail("false: %s", #condition); \
    } while (0)

/* Prints the plan. Returns the program's exit status. */
int tap_finish(void);

#endif
