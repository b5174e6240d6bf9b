/* predicate.c - the public functions that compile predicates. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "join/join.h"
#include "parse.h"
#include "predicate.h"
#include "registers.h"

typedef struct sk_compiler {
    sk_fault fault;
    sk_reader reader;
    sk_graph graph;
} sk_compiler;

/* Adds the program in which tests are joined, if it is another and fits the registers, as numbers live longer there. */
static bool add_joined(sk_graph *g, unsigned result, scankit_predicate *predicate)
{
    const sk_fault before = *g->fault;
    unsigned joined = sk_join_tests(g, result);
    if (!sk_failed(g->fault) && joined != result)
        predicate->joined = sk_assemble(g, joined, predicate->program.element_size);
    if (g->fault->error == SCANKIT_E_SYNTAX)
        *g->fault = before;
    if (predicate->joined != NULL)
        predicate->program.joined = &predicate->joined->program;
    return !sk_failed(g->fault);
}

/* Text to tokens to nodes to a program; NULL after an error. */
static scankit_predicate *translate(sk_compiler *c, const sk_scope *scope, const char *text, bool repeats)
{
    static _Atomic uint64_t last_id;
    sk_reader_open(&c->reader, text, &c->fault);
    sk_graph_open(&c->graph, repeats, &c->fault);
    if (sk_failed(&c->fault))
        return NULL;
    unsigned result = sk_as_truth(&c->graph, sk_parse(&c->reader, &c->graph, scope));
    if (sk_failed(&c->fault))
        return NULL;
    size_t size = scope->layout != NULL ? scankit_layout_size(scope->layout) : scankit_type_size(scope->type);
    scankit_predicate *predicate = sk_assemble(&c->graph, result, size);
    if (predicate == NULL)
        return NULL;
    predicate->program.id = atomic_fetch_add(&last_id, 1) + 1;
    if (add_joined(&c->graph, result, predicate))
        return predicate;
    scankit_predicate_destroy(predicate);
    return NULL;
}

static void close_compiler(sk_compiler *c)
{
    sk_graph_close(&c->graph);
    sk_reader_close(&c->reader);
}

static scankit_error compile(scankit_predicate **predicate, const sk_scope *scope, const char *text, size_t *where,
                             const char **reason)
{
    sk_compiler *c = calloc(1, sizeof *c);
    if (c == NULL)
        return SCANKIT_E_MEMORY;
    *predicate = translate(c, scope, text, false);
    if (c->fault.lacks_registers) {
        close_compiler(c);
        memset(c, 0, sizeof *c);
        *predicate = translate(c, scope, text, true);
    }
    sk_fault fault = c->fault;
    close_compiler(c);
    free(c);
    if (fault.error == SCANKIT_E_SYNTAX && where != NULL)
        *where = fault.where;
    if (fault.error == SCANKIT_E_SYNTAX && reason != NULL)
        *reason = fault.reason;
    return fault.error;
}

scankit_error scankit_predicate_compile(scankit_predicate **predicate, scankit_type type, const char *text,
                                        size_t *where, const char **reason)
{
    if (predicate == NULL)
        return SCANKIT_E_ARGUMENT;
    *predicate = NULL;
    if (text == NULL || scankit_type_size(type) == 0)
        return SCANKIT_E_ARGUMENT;
    return compile(predicate, &(sk_scope){.type = type}, text, where, reason);
}

scankit_error scankit_predicate_compile_records(scankit_predicate **predicate, const scankit_layout *layout,
                                                const char *text, size_t *where, const char **reason)
{
    if (predicate == NULL)
        return SCANKIT_E_ARGUMENT;
    *predicate = NULL;
    if (text == NULL || scankit_layout_size(layout) == 0)
        return SCANKIT_E_ARGUMENT;
    return compile(predicate, &(sk_scope){.layout = layout, .type = SCANKIT_BYTES}, text, where, reason);
}

void scankit_predicate_destroy(scankit_predicate *predicate)
{
    if (predicate != NULL)
        free(predicate->joined);
    free(predicate);
}

size_t scankit_predicate_element_size(const scankit_predicate *predicate)
{
    return predicate == NULL ? 0 : predicate->program.element_size;
}
