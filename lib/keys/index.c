/* index.c - positions in sorted order, and elements moved to them. Sorts of records, and of pairs that a backend does
 * not move itself, sort positions first. */
#include "internal.h"

/* Sorts (word, index) pairs by one word more, the next more significant one: the words of the elements in their present
 * order are fetched, then sorted with their indices, stably. */
static scankit_error sort_by_word(scankit_context *context, const sk_elements *elements, const sk_word *word,
                                  sk_bits bits, bool first, unsigned index_size, void *index,
                                  scankit_algorithm algorithm)
{
    const sk_backend *backend = context->backend;
    sk_device *device = context->device;
    size_t n = elements->n;
    unsigned word_size = bits.end <= 32 ? 4 : 8;
    void *words, *ordered;
    SK_TRY(sk_take(context, n, word_size, &words));
    SK_TRY(backend->encode(device, word, elements->stride, elements->data, word_size, words, n));
    ordered = words;
    if (!first) {
        SK_TRY(sk_take(context, n, word_size, &ordered));
        SK_TRY(backend->gather(device, word_size, words, n, NULL, index_size, index, ordered, n));
    }
    return backend->sort(device, (sk_shape){word_size, index_size}, (sk_const_columns){ordered, index},
                         (sk_columns){ordered, index}, NULL, n, bits.begin, bits.end, algorithm);
}

/* A word's bits that count. */
static sk_bits bits_of_word(sk_bits bits, size_t bytes)
{
    return bits.end != 0 ? bits : (sk_bits){0, (unsigned)(8 * bytes)};
}

scankit_error sk_refine_index(scankit_context *context, const sk_elements *elements, const scankit_key *keys,
                              size_t key_count, sk_bits bits, scankit_algorithm algorithm, bool first,
                              unsigned index_size, void *index)
{
    size_t bytes = sk_keys_size(keys, key_count);
    size_t words = (bytes + 7) / 8;
    for (size_t w = words; w-- > 0;) {
        size_t mark = sk_arena_mark(&context->device->workspace);
        sk_word word = sk_keys_word(keys, key_count, w);
        sk_bits part = bits_of_word(bits, w + 1 < words ? 8 : bytes - 8 * w);
        scankit_error error =
            sort_by_word(context, elements, &word, part, first && w + 1 == words, index_size, index, algorithm);
        sk_arena_reset(&context->device->workspace, mark);
        SK_TRY(error);
    }
    return SCANKIT_OK;
}

scankit_error sk_sort_index(scankit_context *context, const sk_elements *elements, const scankit_key *keys,
                            size_t key_count, sk_bits bits, scankit_algorithm algorithm, unsigned index_size,
                            void *index)
{
    SK_TRY(context->backend->iota(context->device, index_size, 0, index, elements->n));
    return sk_refine_index(context, elements, keys, key_count, bits, algorithm, true, index_size, index);
}

scankit_error sk_widen_index(scankit_context *context, const void *index, uint64_t *positions, size_t n)
{
    scankit_key narrow = {.type = SCANKIT_U32};
    sk_word widened = {.count = 1, .piece = {sk_piece_of_key(&narrow)}};
    return context->backend->encode(context->device, &widened, 4, index, 8, positions, n);
}

/* Elements gathered between two reports. */
#define GATHER_BYTES ((size_t)8 << 20)

/* out[i] = in[index[i]] for i < n, in pieces, with a report after each. */
static scankit_error gather(scankit_context *context, size_t size, const void *in, void *out, size_t n,
                            unsigned index_size, const void *index)
{
    const sk_backend *backend = context->backend;
    sk_progress *progress = &context->device->progress;
    bool reports = backend->is_host && progress->ready != NULL;
    size_t step = reports ? GATHER_BYTES / size + 1 : n;
    for (size_t done = 0; done < n; done += step) {
        size_t part = n - done < step ? n - done : step;
        SK_TRY(backend->gather(context->device, size, in, n, NULL, index_size, (const char *)index + done * index_size,
                               (char *)out + done * size, part));
        if (reports && !sk_rehearses(context->device))
            sk_report(progress, done + part);
    }
    return SCANKIT_OK;
}

scankit_error sk_permute(scankit_context *context, size_t size, const void *in, void *out, size_t n,
                         unsigned index_size, const void *index)
{
    const sk_backend *backend = context->backend;
    if (in != out)
        return gather(context, size, in, out, n, index_size, index);
    void *moved;
    SK_TRY(sk_take(context, n, size, &moved));
    SK_TRY(backend->gather(context->device, size, in, n, NULL, index_size, index, moved, n));
    return backend->copy(context->device, out, moved, n * size);
}

/* Positions of keys of one word, if the backend sorts these faster than pairs. */
static scankit_error sort_short(scankit_context *context, const sk_elements *elements, const scankit_key *keys,
                                size_t key_count, sk_bits bits, uint64_t *positions, bool *done)
{
    sk_word word = sk_keys_word(keys, key_count, 0);
    sk_bits part = bits_of_word(bits, sk_keys_size(keys, key_count));
    return context->backend->sort_positions(context->device, &word, elements->stride, elements->data, part.begin,
                                            part.end, positions, elements->n, done);
}

scankit_error sk_positions(scankit_context *context, const sk_elements *elements, const scankit_key *keys,
                           size_t key_count, sk_bits bits, scankit_algorithm algorithm, uint64_t *positions)
{
    unsigned index_size = sk_index_size(elements->n);
    if (index_size == 8)
        return sk_sort_index(context, elements, keys, key_count, bits, algorithm, 8, positions);
    bool done = false;
    if (algorithm == SCANKIT_AUTO && sk_keys_size(keys, key_count) <= 8)
        SK_TRY(sort_short(context, elements, keys, key_count, bits, positions, &done));
    if (done)
        return SCANKIT_OK;
    void *index;
    SK_TRY(sk_take(context, elements->n, 4, &index));
    SK_TRY(sk_sort_index(context, elements, keys, key_count, bits, algorithm, 4, index));
    return sk_widen_index(context, index, positions, elements->n);
}
