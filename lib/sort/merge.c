/* merge.c - merge of two sorted arrays or k, of pairs and of records: checks arguments, composes. */
#include <stdlib.h>

#include "internal.h"

/* The arrays that are not empty, k of them, with n elements in all. Lists are host memory. */
typedef struct sequences {
    size_t k, n;
    size_t *counts;
    const void **keys, **values;
    sk_const_columns *columns;
    void *memory; /* of the lists */
} sequences;

const char *sk_wrong_arrays(size_t k, const void *const *arrays, const size_t *counts, size_t size, size_t *n)
{
    *n = 0;
    if (k > 0 && (arrays == NULL || counts == NULL))
        return "no lists of k arrays and k counts";
    for (size_t i = 0; i < k; i++) {
        if (!sk_is_array(arrays[i], counts[i], size))
            return "an array that is none of that many elements";
        if (__builtin_add_overflow(*n, counts[i], n))
            return "too many elements";
    }
    return NULL;
}

/* values may be NULL. */
static scankit_error open_sequences(size_t k, const void *const *keys, const void *const *values, const size_t *counts,
                                    sequences *m)
{
    size_t each = sizeof *m->counts + sizeof *m->keys + sizeof *m->values + sizeof *m->columns;
    *m = (sequences){.memory = calloc(k, each)};
    if (m->memory == NULL)
        return SCANKIT_E_MEMORY;
    m->columns = m->memory;
    m->keys = (const void **)(m->columns + k);
    m->values = m->keys + k;
    m->counts = (size_t *)(m->values + k);
    for (size_t i = 0; i < k; i++) {
        if (counts[i] == 0)
            continue;
        m->counts[m->k] = counts[i];
        m->keys[m->k] = keys[i];
        m->values[m->k] = values == NULL ? NULL : values[i];
        m->columns[m->k] = (sk_const_columns){m->keys[m->k], m->values[m->k]};
        m->n += counts[i];
        m->k++;
    }
    return SCANKIT_OK;
}

/* Encodes all arrays into one column of words, one array after the other. */
static scankit_error encode_all(scankit_context *context, const sequences *m, const sk_word *word, size_t stride,
                                unsigned word_size, char *words)
{
    for (size_t i = 0; i < m->k; i++) {
        SK_TRY(context->backend->encode(context->device, word, stride, m->keys[i], word_size, words, m->counts[i]));
        words += m->counts[i] * word_size;
    }
    return SCANKIT_OK;
}

/* *all = the arrays one directly after the other: where they lie already, or a copy in workspace. */
static scankit_error join(scankit_context *context, const sequences *m, const void *const *begins, size_t size,
                          const void **all)
{
    uintptr_t end = (uintptr_t)begins[0];
    size_t i = 0;
    while (i < m->k && (uintptr_t)begins[i] == end)
        end += m->counts[i++] * size;
    *all = begins[0];
    if (i == m->k)
        return SCANKIT_OK;
    char *to;
    SK_TRY(sk_take(context, m->n, size, &to));
    *all = to;
    for (i = 0; i < m->k; i++) {
        SK_TRY(context->backend->copy(context->device, to, begins[i], m->counts[i] * size));
        to += m->counts[i] * size;
    }
    return SCANKIT_OK;
}

/* out[i] = element index[i] of the arrays, counted through one after the other. */
static scankit_error gather(scankit_context *context, const sequences *m, const void *const *begins, size_t size,
                            unsigned index_size, const void *index, void *out)
{
    sk_device *device = context->device;
    const void *all;
    if (m->k == 2)
        return context->backend->gather(device, size, begins[0], m->counts[0], begins[1], index_size, index, out, m->n);
    SK_TRY(join(context, m, begins, size, &all));
    return context->backend->gather(device, size, all, m->n, NULL, index_size, index, out, m->n);
}

/* ---- merges by the backend: it has other kernels for two arrays ---- */

static scankit_error merge_columns(scankit_context *context, sk_shape shape, const sequences *m, sk_columns out)
{
    const sk_const_columns *in = m->columns;
    if (m->k == 2)
        return context->backend->merge(context->device, shape, in[0], m->counts[0], in[1], m->counts[1], out);
    return context->backend->merge_many(context->device, shape, m->k, in, m->counts, out);
}

static scankit_error merge_values(scankit_context *context, const sk_piece *piece, const sequences *m, void *out,
                                  bool *done)
{
    const sk_backend *backend = context->backend;
    const void *const *in = m->keys;
    if (m->k == 2)
        return backend->merge_values(context->device, piece, in[0], m->counts[0], in[1], m->counts[1], out, done);
    return backend->merge_many_values(context->device, piece, m->k, in, m->counts, out, done);
}

/* Two arrays of whole keys, with values of 1, 2, 4 or 8 bytes. *done false: not merged. */
static scankit_error merge_pairs(scankit_context *context, const sk_piece *piece, size_t value_size, const sequences *m,
                                 sk_columns out, bool *done)
{
    const sk_const_columns *in = m->columns;
    *done = false;
    if (!sk_are_words(value_size, m->values[0], out.values) || !sk_are_aligned(value_size, m->values[1], NULL))
        return SCANKIT_OK;
    return context->backend->merge_pairs(context->device, piece, (unsigned)value_size, in[0], m->counts[0], in[1],
                                         m->counts[1], out, done);
}

/* The positions, counted through one array after the other, in merged order: keys of at most 8 bytes. */
static scankit_error merge_index(scankit_context *context, const sequences *m, const sk_word *word, size_t stride,
                                 unsigned word_size, unsigned index_size, void **index)
{
    const sk_backend *backend = context->backend;
    char *words, *merged, *from;
    SK_TRY(sk_take(context, m->n, index_size, index));
    SK_TRY(sk_take(context, m->n, index_size, &from));
    SK_TRY(sk_take(context, m->n, word_size, &words));
    SK_TRY(sk_take(context, m->n, word_size, &merged));
    SK_TRY(encode_all(context, m, word, stride, word_size, words));
    SK_TRY(backend->iota(context->device, index_size, 0, from, m->n));
    for (size_t i = 0, at = 0; i < m->k; at += m->counts[i++])
        m->columns[i] = (sk_const_columns){words + at * word_size, from + at * index_size};
    return merge_columns(context, (sk_shape){word_size, index_size}, m, (sk_columns){merged, *index});
}

/* ---- keys and pairs ---- */

/* What a merge is asked. value_size is 0 for keys alone. */
typedef struct merge_task {
    scankit_type type;
    size_t k;
    const void *const *keys, *const *values;
    const size_t *counts;
    sk_columns out;
    size_t value_size;
    const scankit_sort_options *options;
} merge_task;

/* Why the task makes no sense, or NULL. */
static const char *wrong_task(const merge_task *task, sk_bits *bits, size_t *n)
{
    size_t size = scankit_type_size(task->type);
    if (size == 0)
        return "no such type";
    if (!sk_options_bits(task->type, task->options, bits))
        return "the range of key bits is not one that the type has";
    const char *wrong = sk_wrong_arrays(task->k, task->keys, task->counts, size, n);
    if (wrong == NULL && task->value_size > 0)
        wrong = sk_wrong_arrays(task->k, task->values, task->counts, task->value_size, n);
    if (wrong != NULL)
        return wrong;
    if (!sk_is_array(task->out.keys, *n, size) ||
        (task->value_size > 0 && !sk_is_array(task->out.values, *n, task->value_size)))
        return "the output is no array of that many elements";
    return NULL;
}

static scankit_error copy_one(scankit_context *context, const sequences *m, size_t size, size_t value_size,
                              sk_columns out)
{
    SK_TRY(context->backend->copy(context->device, out.keys, m->keys[0], m->n * size));
    if (value_size == 0)
        return SCANKIT_OK;
    return context->backend->copy(context->device, out.values, m->values[0], m->n * value_size);
}

/* Keys that are whole words: encoded, merged, decoded in place. With values beside them where the shape has some. */
static scankit_error merge_plain(scankit_context *context, sk_piece piece, sk_shape shape, const sequences *m,
                                 sk_columns out)
{
    bool done = false;
    if (m->k == 1)
        return copy_one(context, m, shape.key_size, shape.value_size, out);
    if (shape.value_size == 0)
        SK_TRY(merge_values(context, &piece, m, out.keys, &done));
    if (done)
        return SCANKIT_OK;
    if (sk_piece_is_identity(&piece))
        return merge_columns(context, shape, m, out);
    sk_word word = {.count = 1, .piece = {piece}};
    char *words;
    SK_TRY(sk_take(context, m->n, shape.key_size, &words));
    SK_TRY(encode_all(context, m, &word, shape.key_size, shape.key_size, words));
    for (size_t i = 0, at = 0; i < m->k; at += m->counts[i++])
        m->columns[i].keys = words + at * shape.key_size;
    SK_TRY(merge_columns(context, shape, m, out));
    return context->backend->decode(context->device, &piece, out.keys, out.keys, m->n);
}

static scankit_error merge_widened(scankit_context *context, sk_piece piece, sk_shape shape, const sequences *m,
                                   sk_columns out)
{
    sk_widened wide;
    if (m->k == 1)
        return copy_one(context, m, shape.key_size, shape.value_size, out);
    SK_TRY(sk_widen_many(context, &piece, shape, m->k, m->counts, m->keys, m->values, out, false, &wide));
    for (size_t i = 0; i < m->k; i++)
        m->columns[i] = (sk_const_columns){m->keys[i], m->values[i]};
    SK_TRY(merge_plain(context, wide.piece, wide.shape, m, wide.out));
    return sk_narrow(context, &wide, out, m->n);
}

/* Merges positions by the bits that count, then gathers keys and values. */
static scankit_error merge_positions(scankit_context *context, const merge_task *task, sk_piece piece, sk_bits bits,
                                     const sequences *m)
{
    size_t size = piece.size;
    unsigned index_size = sk_index_size(m->n);
    sk_word word = {.count = 1, .piece = {piece}};
    void *index;
    if (m->k == 1)
        return copy_one(context, m, size, task->value_size, task->out);
    word.piece[0].mask &= sk_bits_mask(bits);
    SK_TRY(merge_index(context, m, &word, size, size <= 4 ? 4 : 8, index_size, &index));
    SK_TRY(gather(context, m, m->keys, size, index_size, index, task->out.keys));
    if (task->value_size == 0)
        return SCANKIT_OK;
    return gather(context, m, m->values, task->value_size, index_size, index, task->out.values);
}

/* True if a backend can merge the task's keys and values as they are: values are words. */
static bool are_columns(const merge_task *task, const sequences *m, size_t size)
{
    if (task->value_size == 0)
        return true;
    for (size_t i = 0; i < m->k; i++)
        if (!sk_is_columns(size, task->value_size, m->values[i], task->out.values))
            return false;
    return true;
}

/* Or when they are widened. */
static bool can_be_widened(const scankit_context *context, const merge_task *task, const sequences *m, sk_shape shape)
{
    for (size_t i = 0; i < m->k; i++)
        if (!sk_can_be_widened(context, shape, m->values[i], task->out.values))
            return false;
    return true;
}

static scankit_error merge(scankit_context *context, const char *function, const merge_task *task)
{
    sk_bits bits;
    size_t n;
    if (context == NULL)
        return SCANKIT_E_ARGUMENT;
    const char *wrong = wrong_task(task, &bits, &n);
    if (wrong != NULL)
        return sk_refuse(context, function, wrong);
    if (n == 0)
        return SCANKIT_OK;
    scankit_key key = sk_plain_key(task->type, task->options);
    sk_piece piece = sk_piece_of_key(&key);
    size_t mark = sk_arena_mark(&context->device->workspace);
    sequences m;
    scankit_error error;
    SK_TRY_GOTO(open_sequences(task->k, task->keys, task->value_size > 0 ? task->values : NULL, task->counts, &m));
    const bool is_whole = bits.begin == 0 && bits.end == 8u * piece.size;
    const sk_shape shape = {piece.size, (unsigned)task->value_size};
    bool is_merged = false;
    if (is_whole && m.k == 2)
        SK_TRY_GOTO(merge_pairs(context, &piece, task->value_size, &m, task->out, &is_merged));
    if (is_merged)
        goto done;
    if (is_whole && are_columns(task, &m, piece.size))
        error = merge_plain(context, piece, shape, &m, task->out);
    else if (is_whole && can_be_widened(context, task, &m, shape))
        error = merge_widened(context, piece, shape, &m, task->out);
    else
        error = merge_positions(context, task, piece, bits, &m);
done:
    sk_arena_reset(&context->device->workspace, mark);
    free(m.memory);
    return sk_finish(context, function, error);
}

scankit_error scankit_merge(scankit_context *context, scankit_type type, const void *a, size_t na, const void *b,
                            size_t nb, void *out, const scankit_sort_options *options)
{
    const void *const keys[] = {a, b};
    const size_t counts[] = {na, nb};
    const merge_task task = {type, 2, keys, NULL, counts, {out, NULL}, 0, options};
    return merge(context, __func__, &task);
}

scankit_error scankit_merge_pairs(scankit_context *context, scankit_type type, const void *keys_a, const void *values_a,
                                  size_t na, const void *keys_b, const void *values_b, size_t nb, void *keys_out,
                                  size_t value_size, void *values_out, const scankit_sort_options *options)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(value_size > 0, "values of no bytes");
    const void *const keys[] = {keys_a, keys_b}, *const values[] = {values_a, values_b};
    const size_t counts[] = {na, nb};
    const merge_task task = {type, 2, keys, values, counts, {keys_out, values_out}, value_size, options};
    return merge(context, __func__, &task);
}

scankit_error scankit_merge_many(scankit_context *context, scankit_type type, size_t k, const void *const *arrays,
                                 const size_t *counts, void *out, const scankit_sort_options *options)
{
    const merge_task task = {type, k, arrays, NULL, counts, {out, NULL}, 0, options};
    return merge(context, __func__, &task);
}

scankit_error scankit_merge_many_pairs(scankit_context *context, scankit_type type, size_t k, const void *const *keys,
                                       const void *const *values, const size_t *counts, void *keys_out,
                                       size_t value_size, void *values_out, const scankit_sort_options *options)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(value_size > 0, "values of no bytes");
    const merge_task task = {type, k, keys, values, counts, {keys_out, values_out}, value_size, options};
    return merge(context, __func__, &task);
}

/* ---- records ---- */

/* True if all arrays are aligned as plain keys: see sk_is_plain_record(). */
static bool are_plain(const sequences *m, size_t record_size, const scankit_key *keys, size_t key_count, void *out)
{
    uintptr_t all = (uintptr_t)out;
    for (size_t i = 0; i < m->k; i++)
        all |= (uintptr_t)m->keys[i];
    return sk_is_plain_record(record_size, keys, key_count, all);
}

/* A stable sort of arrays that lie one after the other is a stable merge. */
static scankit_error merge_by_sort(scankit_context *context, const sk_record_order *order, const sequences *m,
                                   void *out)
{
    unsigned index_size = sk_index_size(m->n);
    sk_elements elements = {NULL, order->record_size, m->n};
    void *index;
    SK_TRY(join(context, m, m->keys, order->record_size, &elements.data));
    SK_TRY(sk_take(context, m->n, index_size, &index));
    SK_TRY(sk_sort_index(context, &elements, order->keys, order->key_count, (sk_bits){0, 0}, SCANKIT_AUTO, index_size,
                         index));
    return context->backend->gather(context->device, order->record_size, elements.data, m->n, NULL, index_size, index,
                                    out, m->n);
}

/* Merges words and positions, then gathers the records. */
static scankit_error merge_by_index(scankit_context *context, const sk_record_order *order, const sequences *m,
                                    void *out)
{
    unsigned index_size = sk_index_size(m->n);
    bool small = sk_keys_size(order->keys, order->key_count) <= 4;
    void *index;
    SK_TRY(merge_index(context, m, &order->word[0], order->record_size, small ? 4 : 8, index_size, &index));
    return gather(context, m, m->keys, order->record_size, index_size, index, out);
}

static scankit_error merge_records(scankit_context *context, const sk_record_order *order, const sequences *m,
                                   void *out)
{
    bool done = false;
    if (m->k == 1)
        return copy_one(context, m, order->record_size, 0, (sk_columns){out, NULL});
    if (are_plain(m, order->record_size, order->keys, order->key_count, out)) {
        sk_piece piece = sk_piece_of_key(&order->keys[0]);
        return merge_plain(context, piece, (sk_shape){piece.size, 0}, m, (sk_columns){out, NULL});
    }
    SK_TRY(context->backend->merge_many_records(context->device, order, m->k, m->keys, m->counts, out, &done));
    if (done)
        return SCANKIT_OK;
    return order->words == 1 ? merge_by_index(context, order, m, out) : merge_by_sort(context, order, m, out);
}

scankit_error sk_merge_records(scankit_context *context, size_t record_size, const scankit_key *keys, size_t key_count,
                               size_t k, const void *const *begins, const size_t *counts, void *out)
{
    sk_record_order order = {.record_size = record_size,
                             .key_count = key_count,
                             .keys = keys,
                             .words = (sk_keys_size(keys, key_count) + 7) / 8,
                             .compare = scankit_compare};
    for (size_t w = 0; w < order.words && w < SK_ORDER_WORDS; w++)
        order.word[w] = sk_keys_word(keys, key_count, w);
    size_t mark = sk_arena_mark(&context->device->workspace);
    sequences m;
    scankit_error error;
    SK_TRY_GOTO(open_sequences(k, begins, NULL, counts, &m));
    error = merge_records(context, &order, &m, out);
done:
    sk_arena_reset(&context->device->workspace, mark);
    free(m.memory);
    return error;
}
