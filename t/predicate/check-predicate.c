/* check-predicate.c - see check-predicate.h */
#include "check-predicate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/oracle.h"
#include "support/tap.h"

#define COPIES 37 /* of a fact's element */

struct answer {
    uint64_t *positions;
    char *elements;
    size_t count;
};

static struct answer expect(const predicate_case *c, bool invert)
{
    size_t size = c->subject->element_size;
    struct answer a = {data_allocate(c->n, sizeof *a.positions), data_allocate(c->n, size), 0};
    for (size_t k = 0; k < c->n; k++)
        if (oracle_matches(c->tree, (const char *)c->elements + k * size, c->first + k) != invert) {
            memcpy(a.elements + a.count * size, (const char *)c->elements + k * size, size);
            a.positions[a.count++] = c->first + k;
        }
    return a;
}

static void forget(struct answer *a)
{
    free(a->positions);
    free(a->elements);
}

const char *predicate_one_line(const char *text, char *line, size_t room)
{
    size_t length = 0;
    for (; text[length] != '\0' && length + 1 < room; length++)
        line[length] = (char)(text[length] < ' ' ? ' ' : text[length]);
    line[length] = '\0';
    return line;
}

static void describe(const predicate_case *c, const char *text)
{
    char layout[160], line[300];
    subject_describe(c->subject, layout, sizeof layout);
    tap_case("%s, n %zu first %llu %s: %s", layout, c->n, (unsigned long long)c->first,
             c->evaluation == SCANKIT_COMPILE ? "compiled" : "interpreted",
             predicate_one_line(text, line, sizeof line));
}

static scankit_predicate *compiled(const predicate_case *c, const char *text)
{
    scankit_predicate *predicate = NULL;
    size_t where = 0;
    const char *reason = "";
    scankit_error error = subject_compile(c->subject, text, &predicate, &where, &reason);
    if (error != SCANKIT_OK)
        tap_fail("%s at %zu: %s", scankit_error_string(error), where, reason);
    return error == SCANKIT_OK ? predicate : NULL;
}

/* ---- the smallest wrong part ---- */

/* True if the library gives the part the oracle's value. */
static bool agrees(device *d, const predicate_case *c, const expression *part, const void *element, uint64_t position)
{
    random_state random = random_seeded(1);
    char *text = expression_print(part, true, &random), *whole = data_allocate(strlen(text) + 64, 1);
    value v = oracle_evaluate(part, element, position);
    if (v.kind == VALUE_F64 && isnan(v.f))
        sprintf(whole, "isnan(%s)", text);
    else if (v.kind == VALUE_F64 && isinf(v.f))
        sprintf(whole, "isinf(%s)", text);
    else if (v.kind == VALUE_F64)
        sprintf(whole, "(%s) == %.17e", text, v.f);
    else if (v.kind == VALUE_U64)
        sprintf(whole, "(%s) == %llu", text, (unsigned long long)v.u);
    else if (v.i == INT64_MIN)
        sprintf(whole, "(%s) == -%lld - 1", text, (long long)INT64_MAX);
    else
        sprintf(whole, "(%s) == %lld", text, (long long)v.i);
    scankit_predicate *predicate = compiled(c, whole);
    scankit_compact_options options = {.first = position, .evaluation = c->evaluation};
    size_t count = 0;
    const void *in = device_put(d, 0, element, c->subject->element_size, 0);
    bool agree = predicate != NULL &&
                 scankit_split_predicate(d->context, predicate, in, NULL, NULL, 1, &options, &count) == SCANKIT_OK &&
                 count == 1;
    scankit_predicate_destroy(predicate);
    free(text);
    free(whole);
    return agree;
}

static const expression *wrong_part(device *d, const predicate_case *c, const expression *e, const void *element,
                                    uint64_t position)
{
    const expression *wrong = NULL;
    for (int part = 0; part < 3 && wrong == NULL; part++)
        if (e->part[part] != NULL && e->part[part]->kind != VALUE_BYTES)
            wrong = wrong_part(d, c, e->part[part], element, position);
    return wrong != NULL || agrees(d, c, e, element, position) ? wrong : e;
}

static void show_value(char *text, size_t room, value v)
{
    switch (v.kind) {
    case VALUE_I64: snprintf(text, room, "%lld", (long long)v.i); break;
    case VALUE_U64: snprintf(text, room, "%llu (unsigned)", (unsigned long long)v.u); break;
    case VALUE_F64: snprintf(text, room, "%.17g", v.f); break;
    default: snprintf(text, room, "\"%.*s\"", (int)v.bytes.size, (const char *)v.bytes.data);
    }
}

static void show_part(device *d, const predicate_case *c, uint64_t position)
{
    random_state random = random_seeded(2);
    if (position - c->first >= c->n) {
        tap_diag("position %llu is none", (unsigned long long)position);
        return;
    }
    const char *element = (const char *)c->elements + (position - c->first) * c->subject->element_size;
    const expression *part = wrong_part(d, c, c->tree, element, position);
    char line[600], shown[64];
    if (part == NULL) {
        tap_diag("position %llu: each part is right by itself", (unsigned long long)position);
        return;
    }
    char *text = expression_print(part, false, &random);
    show_value(shown, sizeof shown, oracle_evaluate(part, element, position));
    tap_diag("wrong at position %llu: %s: should be %s", (unsigned long long)position,
             predicate_one_line(text, line, sizeof line), shown);
    free(text);
    for (int k = 0; k < 3 && part->part[k] != NULL; k++) {
        show_value(shown, sizeof shown, oracle_evaluate(part->part[k], element, position));
        tap_diag("  its operand %d is %s", k + 1, shown);
    }
}

/* ---- checks ---- */

/* The first position that only one of the two has. */
static uint64_t first_wrong(const uint64_t *got, size_t count, const struct answer *a)
{
    size_t k = 0;
    while (k < count && k < a->count && got[k] == a->positions[k])
        k++;
    if (k == count)
        return a->positions[k];
    return k == a->count || got[k] < a->positions[k] ? got[k] : a->positions[k];
}

static bool ask_positions(device *d, const predicate_case *c, const scankit_predicate *predicate,
                          const scankit_compact_options *options)
{
    struct answer a = expect(c, options->invert);
    size_t count = ~(size_t)0;
    const void *in = device_put(d, 0, c->elements, c->n * c->subject->element_size, 0);
    uint64_t *positions = device_put(d, 1, NULL, c->n * sizeof *positions, 0), *got = data_allocate(c->n, 8);
    scankit_error error = scankit_compact_positions(d->context, predicate, in, positions, c->n, options, &count);
    bool absent = error == SCANKIT_E_NO_DEVICE && c->evaluation == SCANKIT_COMPILE;
    if (!absent && device_did(d, error, "scankit_compact_positions")) {
        device_get(d, 1, got);
        if (count > c->n || count != a.count || memcmp(got, a.positions, count * 8) != 0) {
            tap_fail("%zu match, should be %zu%s", count, a.count, options->invert ? " (inverted)" : "");
            if (count <= c->n && c->n > 0)
                show_part(d, c, first_wrong(got, count, &a));
        }
    }
    free(got);
    forget(&a);
    return !absent;
}

static void ask_elements(device *d, const predicate_case *c, const scankit_predicate *predicate,
                         const scankit_compact_options *options)
{
    struct answer a = expect(c, options->invert);
    size_t count = ~(size_t)0, size = c->subject->element_size;
    const void *in = device_put(d, 0, c->elements, c->n * size, 0);
    void *out = device_put(d, 1, NULL, c->n * size, 0);
    if (DEVICE_DID(d, scankit_compact(d->context, predicate, in, out, c->n, options, &count))) {
        device_expect(d, 1, a.elements, a.count, size, "elements");
        device_expect(d, 0, c->elements, c->n, size, "input");
        if (count != a.count)
            tap_fail("%zu elements, should be %zu", count, a.count);
    }
    forget(&a);
}

bool check_predicate(device *d, const predicate_case *c, random_state *random)
{
    scankit_compact_options options = {.first = c->first, .evaluation = c->evaluation};
    bool there = true;
    for (int all_parentheses = 0; all_parentheses < 2 && there; all_parentheses++) {
        char *text = expression_print(c->tree, all_parentheses, random);
        describe(c, text);
        scankit_predicate *predicate = compiled(c, text);
        if (predicate != NULL) {
            options.invert = 0;
            there = ask_positions(d, c, predicate, &options);
            options.invert = 1;
            if (there)
                ask_elements(d, c, predicate, &options);
        }
        scankit_predicate_destroy(predicate);
        free(text);
    }
    return there;
}

void check_fact(device *d, const subject *s, const void *element, const char *text, bool expected)
{
    scankit_predicate *predicate = NULL;
    size_t where = 0, count = 0;
    const char *reason = "";
    char line[300], *copies = data_allocate(COPIES, s->element_size);
    tap_case("%s", predicate_one_line(text, line, sizeof line));
    for (size_t k = 0; k < COPIES; k++)
        memcpy(copies + k * s->element_size, element, s->element_size);
    scankit_error error = subject_compile(s, text, &predicate, &where, &reason);
    if (error != SCANKIT_OK) {
        tap_fail("%s at %zu: %s", scankit_error_string(error), where, reason);
    } else {
        const void *in = device_put(d, 0, copies, COPIES * s->element_size, 0);
        if (DEVICE_DID(d, scankit_split_predicate(d->context, predicate, in, NULL, NULL, COPIES, NULL, &count)) &&
            count != (expected ? COPIES : 0))
            tap_fail("%zu of %d match", count, COPIES);
        TAP_CHECK(scankit_predicate_element_size(predicate) == s->element_size);
        scankit_predicate_destroy(predicate);
    }
    free(copies);
}
