/* bytes.c - comparisons of opaque bytes, word by word: big-endian numbers compare as their bytes do. */
#include "bytes.h"

static scankit_type word_type(size_t size)
{
    return size == 8 ? SCANKIT_U64 : size == 4 ? SCANKIT_U32 : size == 2 ? SCANKIT_U16 : SCANKIT_U8;
}

/* The word of 1, 2, 4 or 8 bytes at a position; zeros past the end. */
static unsigned word_node(sk_graph *g, const sk_value *bytes, size_t position, size_t size)
{
    if (bytes->text == NULL && position < bytes->size)
        return sk_emit_load(g, word_type(size), bytes->offset + position, size > 1);
    uint64_t word = 0;
    for (size_t i = position; i < position + size; i++)
        word = word << 8 | (i < bytes->size ? (uint8_t)bytes->text[i] : 0);
    return sk_emit_constant(g, size == 8 ? SK_U64 : SK_U32, word);
}

/* The size of the largest word at a position that passes the end of neither field. */
static size_t word_size(const sk_value *a, const sk_value *b, size_t position)
{
    size_t size = 8;
    for (int i = 0; i < 2; i++) {
        const sk_value *bytes = i == 0 ? a : b;
        while (bytes->text == NULL && position < bytes->size && size > bytes->size - position)
            size /= 2;
    }
    return size;
}

unsigned sk_compare_bytes(sk_graph *g, sk_operation op, const sk_value *a, const sk_value *b)
{
    bool orders = op == SK_OP_LT || op == SK_OP_LE;
    unsigned equal = sk_emit_truth(g, true), less = sk_emit_truth(g, false);
    size_t end = a->size > b->size ? a->size : b->size;
    for (size_t position = 0, size; position < end && !sk_failed(g->fault); position += size) {
        size = word_size(a, b, position);
        unsigned word_a = word_node(g, a, position, size), word_b = word_node(g, b, position, size);
        if (orders) {
            unsigned below = sk_emit(g, size == 8 ? SK_STEP_LT_U64 : SK_STEP_LT_U32, word_a, word_b);
            less = sk_emit(g, SK_STEP_OR_B8, less, sk_emit(g, SK_STEP_AND_B8, equal, below));
        }
        unsigned same = sk_emit(g, size == 8 ? SK_STEP_EQ_U64 : SK_STEP_EQ_U32, word_a, word_b);
        equal = sk_emit(g, SK_STEP_AND_B8, equal, same);
    }
    switch (op) {
    case SK_OP_LT: return less;
    case SK_OP_LE: return sk_emit(g, SK_STEP_OR_B8, less, equal);
    case SK_OP_EQ: return equal;
    default: return sk_emit(g, SK_STEP_NOT_B8, equal, 0);
    }
}

bool sk_bytes_word(sk_graph *g, const sk_value *field, sk_value *word)
{
    size_t size = field->size;
    if (field->text != NULL || (size != 1 && size != 2 && size != 4 && size != 8))
        return false;
    sk_kind kind = size == 8 ? SK_UNSIGNED : SK_SIGNED;
    *word = sk_computed_value(g, word_node(g, field, 0, size), kind, sk_integer_range(false, size), field->at);
    return true;
}

bool sk_text_word(const sk_value *text, size_t size, uint64_t *word)
{
    *word = 0;
    for (size_t i = 0; i < size; i++)
        *word = *word << 8 | (i < text->size ? (uint8_t)text->text[i] : 0);
    return text->size <= size;
}
