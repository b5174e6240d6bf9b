/* merge.c - merge of two sorted arrays, of pairs and of records. */
#include "internal.h"

/* Encodes both arrays into one column of words, a's then b's. */
static scankit_error encode_both(scankit_context *context, const sk_elements *a, const sk_elements *b,
                                 const sk_word *word, unsigned word_size, void *words)
{
    const sk_elements *parts[] = {a, b};
    char *to = words;
    for (int i = 0; i < 2; i++) {
        if (parts[i]->n > 0)
            SK_TRY(context->backend->encode(context->device, word, parts[i]->stride, parts[i]->data, word_size, to,
                                            parts[i]->n));
        to += parts[i]->n * word_size;
    }
    return SCANKIT_OK;
}

/* Keys that are whole words: encoded, merged, decoded in place. With values beside them where the shape has some. */
static scankit_error merge_plain(scankit_context *context, sk_piece piece, sk_shape shape, sk_const_columns a,
                                 size_t na, sk_const_columns b, size_t nb, sk_columns out)
{
    const sk_backend *backend = context->backend;
    sk_device *device = context->device;
    bool done = false;
    if (shape.value_size == 0)
        SK_TRY(backend->merge_values(device, &piece, a.keys, na, b.keys, nb, out.keys, &done));
    if (done)
        return SCANKIT_OK;
    if (sk_piece_is_identity(&piece))
        return backend->merge(device, shape, a, na, b, nb, out);
    sk_word word = {.count = 1, .piece = {piece}};
    sk_elements keys_a = {a.keys, shape.key_size, na}, keys_b = {b.keys, shape.key_size, nb};
    char *words;
    SK_TRY(sk_take(context, na + nb, shape.key_size, &words));
    SK_TRY(encode_both(context, &keys_a, &keys_b, &word, shape.key_size, words));
    a.keys = words;
    b.keys = words + na * shape.key_size;
    SK_TRY(backend->merge(device, shape, a, na, b, nb, out));
    return backend->decode(device, &piece, out.keys, out.keys, na + nb);
}

/* The positions, counted through a and on through b, in merged order: keys of at most 8 bytes. */
static scankit_error merge_index(scankit_context *context, const sk_elements *a, const sk_elements *b,
                                 const sk_word *word, unsigned word_size, unsigned index_size, void **index)
{
    const sk_backend *backend = context->backend;
    size_t n = a->n + b->n;
    char *words, *merged, *from;
    SK_TRY(sk_take(context, n, index_size, index));
    SK_TRY(sk_take(context, n, index_size, &from));
    SK_TRY(sk_take(context, n, word_size, &words));
    SK_TRY(sk_take(context, n, word_size, &merged));
    SK_TRY(encode_both(context, a, b, word, word_size, words));
    SK_TRY(backend->iota(context->device, index_size, 0, from, n));
    sk_const_columns of_a = {words, from}, of_b = {words + a->n * word_size, from + a->n * index_size};
    return backend->merge(context->device, (sk_shape){word_size, index_size}, of_a, a->n, of_b, b->n,
                          (sk_columns){merged, *index});
}

static scankit_error gather_both(scankit_context *context, size_t size, const void *a, size_t na, const void *b,
                                 size_t nb, unsigned index_size, const void *index, void *out)
{
    return context->backend->gather(context->device, size, a, na, b, index_size, index, out, na + nb);
}

/* Keys of more than a word: a stable sort of a with b behind it is a stable merge. */
static scankit_error merge_by_sort(scankit_context *context, const sk_elements *a, const sk_elements *b,
                                   const scankit_key *keys, size_t key_count, void *out)
{
    const sk_backend *backend = context->backend;
    size_t size = a->stride, n = a->n + b->n;
    unsigned index_size = sk_index_size(n);
    char *both;
    void *index;
    SK_TRY(sk_take(context, n, size, &both));
    SK_TRY(sk_take(context, n, index_size, &index));
    if (a->n > 0)
        SK_TRY(backend->copy(context->device, both, a->data, a->n * size));
    if (b->n > 0)
        SK_TRY(backend->copy(context->device, both + a->n * size, b->data, b->n * size));
    sk_elements elements = {both, size, n};
    SK_TRY(sk_sort_index(context, &elements, keys, key_count, (sk_bits){0, 0}, SCANKIT_AUTO, index_size, index));
    return sk_permute(context, size, both, out, n, index_size, index);
}

scankit_error sk_merge_elements(scankit_context *context, const sk_elements *a, const sk_elements *b,
                                const scankit_key *keys, size_t key_count, void *out)
{
    size_t mark = sk_arena_mark(&context->device->workspace), bytes = sk_keys_size(keys, key_count);
    unsigned index_size = sk_index_size(a->n + b->n);
    sk_word word = sk_keys_word(keys, key_count, 0);
    void *index;
    scankit_error error;
    if (bytes > 8) {
        error = merge_by_sort(context, a, b, keys, key_count, out);
        goto done;
    }
    SK_TRY_GOTO(merge_index(context, a, b, &word, bytes <= 4 ? 4 : 8, index_size, &index));
    error = gather_both(context, a->stride, a->data, a->n, b->data, b->n, index_size, index, out);
done:
    sk_arena_reset(&context->device->workspace, mark);
    return error;
}

/* ---- the public functions ---- */

/* What a merge is asked. value_size is 0 for keys alone. */
typedef struct merge_task {
    scankit_type type;
    sk_const_columns a, b;
    size_t na, nb;
    sk_columns out;
    size_t value_size;
    const scankit_sort_options *options;
} merge_task;

static bool has_arrays(const merge_task *task, size_t n, size_t size, bool values)
{
    const void *a = values ? task->a.values : task->a.keys, *b = values ? task->b.values : task->b.keys;
    return sk_is_array(a, task->na, size) && sk_is_array(b, task->nb, size) &&
           sk_is_array(values ? task->out.values : task->out.keys, n, size);
}

/* Why the task makes no sense, or NULL. */
static const char *wrong_merge(const merge_task *task, sk_bits *bits, size_t *n)
{
    size_t size = scankit_type_size(task->type);
    if (size == 0)
        return "no such type";
    if (!sk_options_bits(task->type, task->options, bits))
        return "the range of key bits is not one that the type has";
    if (__builtin_add_overflow(task->na, task->nb, n) || !has_arrays(task, *n, size, false))
        return "no arrays of na, nb and na + nb keys";
    if (task->value_size > 0 && !has_arrays(task, *n, task->value_size, true))
        return "no arrays of na, nb and na + nb values";
    return NULL;
}

/* True if a backend can merge the task's keys and values as they are: the whole key counts, and values are words. */
static bool merges_columns(const merge_task *task, size_t size, sk_bits bits)
{
    if (bits.begin > 0 || bits.end < 8 * size)
        return false;
    return task->value_size == 0 || (sk_is_columns(size, task->value_size, task->a.values, task->out.values) &&
                                     sk_is_columns(size, task->value_size, task->b.values, task->out.values));
}

/* Merges positions by the bits that count, then gathers keys and values. */
static scankit_error merge_positions(scankit_context *context, const merge_task *task, sk_piece piece, sk_bits bits)
{
    size_t size = piece.size, na = task->na, nb = task->nb;
    unsigned index_size = sk_index_size(na + nb);
    sk_elements of_a = {task->a.keys, size, na}, of_b = {task->b.keys, size, nb};
    sk_word word = {.count = 1, .piece = {piece}};
    void *index;
    word.piece[0].mask &= sk_bits_mask(bits);
    SK_TRY(merge_index(context, &of_a, &of_b, &word, size <= 4 ? 4 : 8, index_size, &index));
    SK_TRY(gather_both(context, size, task->a.keys, na, task->b.keys, nb, index_size, index, task->out.keys));
    if (task->value_size == 0)
        return SCANKIT_OK;
    return gather_both(context, task->value_size, task->a.values, na, task->b.values, nb, index_size, index,
                       task->out.values);
}

static scankit_error merge(scankit_context *context, const char *function, const merge_task *task)
{
    sk_bits bits;
    size_t n;
    if (context == NULL)
        return SCANKIT_E_ARGUMENT;
    const char *wrong = wrong_merge(task, &bits, &n);
    if (wrong != NULL)
        return sk_refuse(context, function, wrong);
    if (n == 0)
        return SCANKIT_OK;
    scankit_key key = sk_plain_key(task->type, task->options);
    sk_piece piece = sk_piece_of_key(&key);
    sk_shape shape = {piece.size, (unsigned)task->value_size};
    size_t mark = sk_arena_mark(&context->device->workspace);
    scankit_error error;
    if (merges_columns(task, piece.size, bits))
        error = merge_plain(context, piece, shape, task->a, task->na, task->b, task->nb, task->out);
    else
        error = merge_positions(context, task, piece, bits);
    sk_arena_reset(&context->device->workspace, mark);
    return sk_finish(context, function, error);
}

scankit_error scankit_merge(scankit_context *context, scankit_type type, const void *a, size_t na, const void *b,
                            size_t nb, void *out, const scankit_sort_options *options)
{
    const merge_task task = {
        .type = type, .a = {a, NULL}, .b = {b, NULL}, .na = na, .nb = nb, .out = {out, NULL}, .options = options};
    return merge(context, __func__, &task);
}

scankit_error scankit_merge_pairs(scankit_context *context, scankit_type type, const void *keys_a, const void *values_a,
                                  size_t na, const void *keys_b, const void *values_b, size_t nb, void *keys_out,
                                  size_t value_size, void *values_out, const scankit_sort_options *options)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(value_size > 0, "values of no bytes");
    const merge_task task = {.type = type,
                             .a = {keys_a, values_a},
                             .b = {keys_b, values_b},
                             .na = na,
                             .nb = nb,
                             .out = {keys_out, values_out},
                             .value_size = value_size,
                             .options = options};
    return merge(context, __func__, &task);
}
