/* predicate.c - predicates: compiled from text. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "predicate.h"

#define TEXT_LIMIT ((size_t)1 << 16)

static scankit_error start(sk_compiler **compiler, const char *text)
{
    size_t length = strnlen(text, TEXT_LIMIT + 1);
    *compiler = calloc(1, sizeof **compiler);
    if (*compiler == NULL)
        return SCANKIT_E_MEMORY;
    sk_compiler *c = *compiler;
    c->node_count = 1;
    c->nodes[0] = (sk_node){.code = SK_NODE_CONSTANT};
    c->text = text;
    if (length > TEXT_LIMIT) {
        c->where = TEXT_LIMIT;
        c->reason = "the text is longer than 64 KiB";
        return SCANKIT_E_SYNTAX;
    }
    c->length = length;
    c->bytes = malloc(length + 1);
    c->scratch = malloc(length + 16); /* digits, e, a sign, ten digits of an exponent, and '\0' */
    return c->bytes == NULL || c->scratch == NULL ? SCANKIT_E_MEMORY : SCANKIT_OK;
}

static void finish(sk_compiler *c)
{
    if (c != NULL) {
        free(c->bytes);
        free(c->scratch);
        free(c->ranges);
    }
    free(c);
}

static scankit_error translate(sk_compiler *c, size_t element_size, scankit_predicate **predicate)
{
    sk_value value = sk_parse(c);
    unsigned result = sk_as_truth(c, value);
    return c->error != SCANKIT_OK ? c->error : sk_assemble(c, result, element_size, predicate);
}

/* layout: NULL for elements of the type. */
static scankit_error compile(scankit_predicate **predicate, const scankit_layout *layout, scankit_type type,
                             const char *text, size_t *where, const char **reason)
{
    static _Atomic uint64_t last_id;
    sk_compiler *c = NULL;
    scankit_error error;
    SK_TRY_GOTO(start(&c, text));
    c->layout = layout;
    c->type = type;
    SK_TRY_GOTO(translate(c, layout != NULL ? scankit_layout_size(layout) : scankit_type_size(type), predicate));
    (*predicate)->program.id = atomic_fetch_add(&last_id, 1) + 1;
done:
    if (error == SCANKIT_E_SYNTAX && where != NULL)
        *where = c->where;
    if (error == SCANKIT_E_SYNTAX && reason != NULL)
        *reason = c->reason;
    finish(c);
    return error;
}

scankit_error scankit_predicate_compile(scankit_predicate **predicate, scankit_type type, const char *text,
                                        size_t *where, const char **reason)
{
    if (predicate == NULL)
        return SCANKIT_E_ARGUMENT;
    *predicate = NULL;
    if (text == NULL || scankit_type_size(type) == 0)
        return SCANKIT_E_ARGUMENT;
    return compile(predicate, NULL, type, text, where, reason);
}

scankit_error scankit_predicate_compile_records(scankit_predicate **predicate, const scankit_layout *layout,
                                                const char *text, size_t *where, const char **reason)
{
    if (predicate == NULL)
        return SCANKIT_E_ARGUMENT;
    *predicate = NULL;
    if (text == NULL || scankit_layout_size(layout) == 0)
        return SCANKIT_E_ARGUMENT;
    return compile(predicate, layout, SCANKIT_BYTES, text, where, reason);
}

void scankit_predicate_destroy(scankit_predicate *predicate)
{
    free(predicate);
}

size_t scankit_predicate_element_size(const scankit_predicate *predicate)
{
    return predicate == NULL ? 0 : predicate->program.element_size;
}
