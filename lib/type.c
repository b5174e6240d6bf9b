/* type.c - names and facts of types, operators and algorithms, all from the lists of scankit.h. */
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "internal.h"

static const char *const types[] = {
#define X(enumerator, name, ctype, kind) [SCANKIT_##enumerator] = #name,
    SCANKIT_TYPES(X)
#undef X
        [SCANKIT_BYTES] = "bytes",
};

static const char *const operators[] = {
#define X(enumerator, name) [SCANKIT_##enumerator] = #name,
    SCANKIT_OPERATORS(X)
#undef X
};

static const char *const algorithms[] = {
#define X(enumerator, name, text) [SCANKIT_##enumerator] = name,
    SCANKIT_ALGORITHMS(X)
#undef X
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

const char *scankit_version(void)
{
    return PACKAGE_VERSION;
}

size_t scankit_type_size(scankit_type type)
{
    return sk_type_size(type);
}

const char *scankit_type_name(scankit_type type)
{
    return (size_t)type < COUNT(types) ? types[type] : NULL;
}

const char *scankit_operator_name(scankit_operator op)
{
    return (size_t)op < COUNT(operators) ? operators[op] : NULL;
}

const char *scankit_algorithm_name(scankit_algorithm algorithm)
{
    return (size_t)algorithm < COUNT(algorithms) ? algorithms[algorithm] : NULL;
}

scankit_error scankit_type_from_name(scankit_type *type, const char *name)
{
    for (size_t i = 0; type != NULL && name != NULL && i < COUNT(types); i++)
        if (sk_type_size((scankit_type)i) > 0 && strcmp(types[i], name) == 0) {
            *type = (scankit_type)i;
            return SCANKIT_OK;
        }
    return SCANKIT_E_ARGUMENT;
}

float scankit_f16_to_f32(scankit_f16 half)
{
    return sk_f32_from_f16(half);
}

scankit_f16 scankit_f16_from_f32(float value)
{
    return sk_f16_from_f32(value);
}

/* The index of a name in a list, or the list's length. */
static size_t find_name(const char *const *list, size_t count, const char *name)
{
    size_t i = 0;
    while (i < count && (name == NULL || strcmp(list[i], name) != 0))
        i++;
    return i;
}

scankit_error scankit_operator_from_name(scankit_operator *op, const char *name)
{
    size_t i = find_name(operators, COUNT(operators), name);
    if (op == NULL || i == COUNT(operators))
        return SCANKIT_E_ARGUMENT;
    *op = (scankit_operator)i;
    return SCANKIT_OK;
}

scankit_error scankit_algorithm_from_name(scankit_algorithm *algorithm, const char *name)
{
    size_t i = find_name(algorithms, COUNT(algorithms), name);
    if (algorithm == NULL || i == COUNT(algorithms))
        return SCANKIT_E_ARGUMENT;
    *algorithm = (scankit_algorithm)i;
    return SCANKIT_OK;
}

/* The operators of a canonical type, as a set of bits, from the same lists that the backends are made of. */
#define BIT(T, op) | 1u << SK_OP_##op

static const unsigned operators_of[] = {
#define X(enumerator, name, ctype, kind) [SCANKIT_##enumerator] = 0u SK_OPERATORS_##kind(BIT, name),
    SCANKIT_TYPES(X)
#undef X
};

int scankit_operator_applies(scankit_operator op, scankit_type type)
{
    if ((size_t)op >= COUNT(operators) || (size_t)type >= COUNT(operators_of))
        return 0;
    scankit_type canonical = sk_canonical_type(type, op);
    if (canonical != type && op == SCANKIT_AFFINE)
        return 0;
    return (operators_of[canonical] >> op & 1u) != 0;
}

scankit_error sk_type_parse(const char *text, size_t length, scankit_type *type, size_t *size)
{
    char name[SK_NAME_ROOM];
    if (length == 0 || length >= sizeof name)
        return SCANKIT_E_SYNTAX;
    memcpy(name, text, length);
    name[length] = '\0';
    if (scankit_type_from_name(type, name) == SCANKIT_OK) {
        *size = scankit_type_size(*type);
        return SCANKIT_OK;
    }
    if (strncmp(name, "bytes", 5) != 0 || strspn(name + 5, "0123456789") != length - 5 || length == 5)
        return SCANKIT_E_SYNTAX;
    *type = SCANKIT_BYTES;
    *size = strtoul(name + 5, NULL, 10);
    return *size >= 1 && *size <= SK_MAX_BYTES_FIELD ? SCANKIT_OK : SCANKIT_E_SYNTAX;
}
