/* names.c - types, operators, algorithms and errors have names that lead back to them, and the facts that the header
 * lists. */
#include <string.h>

#include "support/oracle.h"
#include "support/tap.h"

static void types(void)
{
    static const char *const wrong[] = {"", "u", "u128", "U8", "u8 ", " u8", "bytes", "bytes4", "f128", "float"};
    tap_begin("types: names and sizes");
    for (int i = 0; i < ORACLE_TYPES; i++) {
        scankit_type type = (scankit_type)i, back = SCANKIT_BYTES;
        tap_case("type %d", i);
        TAP_CHECK(scankit_type_size(type) == oracle_size(type));
        TAP_CHECK(scankit_type_from_name(&back, scankit_type_name(type)) == SCANKIT_OK && back == type);
    }
    tap_case("bytes and beyond");
    TAP_CHECK(scankit_type_size(SCANKIT_BYTES) == 0);
    TAP_CHECK(strcmp(scankit_type_name(SCANKIT_BYTES), "bytes") == 0);
    TAP_CHECK(scankit_type_name((scankit_type)99) == NULL && scankit_type_size((scankit_type)99) == 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        scankit_type type;
        tap_case("\"%s\"", wrong[i]);
        TAP_CHECK(scankit_type_from_name(&type, wrong[i]) == SCANKIT_E_ARGUMENT);
    }
    tap_end();
}

static void operators(void)
{
    scankit_operator op;
    tap_begin("operators: names, and which types have them");
    for (int i = 0; i < ORACLE_OPERATORS; i++) {
        tap_case("operator %d", i);
        TAP_CHECK(scankit_operator_from_name(&op, scankit_operator_name((scankit_operator)i)) == SCANKIT_OK);
        TAP_CHECK((int)op == i);
        for (int type = 0; type < ORACLE_TYPES; type++) {
            tap_case("%s of %s", scankit_operator_name(op), scankit_type_name((scankit_type)type));
            TAP_CHECK((scankit_operator_applies(op, (scankit_type)type) == 1) ==
                      oracle_applies(op, (scankit_type)type));
        }
        TAP_CHECK(scankit_operator_applies(op, SCANKIT_BYTES) == 0);
    }
    tap_case("unknown ones");
    TAP_CHECK(scankit_operator_name((scankit_operator)ORACLE_OPERATORS) == NULL);
    TAP_CHECK(scankit_operator_from_name(&op, "summ") == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_operator_from_name(&op, "") == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_operator_applies((scankit_operator)99, SCANKIT_U8) == 0);
    tap_end();
}

static void algorithms(void)
{
    scankit_algorithm algorithm;
    tap_begin("algorithms: names");
    for (int i = 0; i < ORACLE_ALGORITHMS; i++) {
        TAP_CHECK(scankit_algorithm_from_name(&algorithm, scankit_algorithm_name((scankit_algorithm)i)) == SCANKIT_OK);
        TAP_CHECK((int)algorithm == i);
    }
    TAP_CHECK(scankit_algorithm_name((scankit_algorithm)ORACLE_ALGORITHMS) == NULL);
    TAP_CHECK(scankit_algorithm_from_name(&algorithm, "quick") == SCANKIT_E_ARGUMENT);
    tap_end();
}

int main(void)
{
    types();
    operators();
    algorithms();
    tap_begin("errors: texts");
#define X(name, text) TAP_CHECK(strcmp(scankit_error_string(SCANKIT_##name), text) == 0);
    SCANKIT_ERRORS(X)
#undef X
    TAP_CHECK(scankit_error_string((scankit_error)99) != NULL);
    tap_end();
    tap_ok(strspn(scankit_version(), "0123456789.") == strlen(scankit_version()), "version %s", scankit_version());
    return tap_finish();
}
