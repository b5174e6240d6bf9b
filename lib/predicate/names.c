/* names.c - what the names of a predicate mean. */
#include "names.h"
#include "number.h"

bool sk_find_field(const sk_scope *scope, const sk_token *name, scankit_field *field)
{
    if (scope->layout == NULL) {
        *field = (scankit_field){.type = scope->type, .size = scankit_type_size(scope->type)};
        return sk_is_named(name, "x");
    }
    for (size_t i = 0; i < scankit_layout_count(scope->layout) && name->size > 0; i++) {
        *field = *scankit_layout_field(scope->layout, i);
        if (sk_is_named(name, field->name))
            return true;
    }
    return false;
}

sk_value sk_named_value(sk_graph *g, const sk_scope *scope, const sk_token *name)
{
    scankit_field field;
    if (sk_find_field(scope, name, &field))
        return sk_field_value(g, &field, name->at);
    if (name->kind == SK_TOKEN_NAME && sk_is_named(name, "i"))
        return sk_position_value(g, name->at);
    sk_wrong(g->fault, name->at,
             scope->layout == NULL ? "only x and i have a value here" : "there is no field of that name");
    return sk_integer_value(g, 0, SK_SIGNED, name->at);
}

const sk_function *sk_find_function(const sk_token *name)
{
    static const sk_function functions[] = {
        {"abs", 1, .one = sk_abs},
        {"isnan", 1, .one = sk_is_nan},
        {"isinf", 1, .one = sk_is_infinite},
        {"min", 2, .two = sk_extreme, .op = SK_OP_MIN},
        {"max", 2, .two = sk_extreme, .op = SK_OP_MAX},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (sk_is_named(name, functions[i].name))
            return &functions[i];
    return NULL;
}
