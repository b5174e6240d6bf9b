/* descent.c - where elements first go down by any keys: encoded as words, which the backend compares. */
#include "internal.h"

/* Elements are encoded a block at a time, so that checking needs little memory: bytes of words. On a CPU these stay in
 * its caches, and the first blocks are small: most arrays that are not sorted go down early. */
#define BLOCK_BYTES ((size_t)1 << 25)
#define HOST_BLOCK_BYTES ((size_t)1 << 21)
#define HOST_FIRST_BYTES ((size_t)1 << 13)

static scankit_error first_descent_in(scankit_context *context, const sk_elements *block, const scankit_key *keys,
                                      size_t key_count, sk_bits bits, size_t *first)
{
    const sk_backend *backend = context->backend;
    size_t bytes = sk_keys_size(keys, key_count), columns = (bytes + 7) / 8;
    unsigned word_size = bytes <= 4 ? 4 : 8;
    char *words;
    SK_TRY(sk_take(context, block->n, columns * word_size, &words));
    for (size_t c = 0; c < columns; c++) {
        sk_word word = sk_keys_word(keys, key_count, c);
        if (bits.end != 0)
            word.piece[0].mask &= sk_bits_mask(bits);
        SK_TRY(backend->encode(context->device, &word, block->stride, block->data, word_size,
                               words + c * block->n * word_size, block->n));
    }
    return backend->first_descent(context->device, word_size, (unsigned)columns, words, block->n, first);
}

scankit_error sk_first_descent(scankit_context *context, const sk_elements *elements, const scankit_key *keys,
                               size_t key_count, sk_bits bits, size_t *first)
{
    size_t n = elements->n, columns = (sk_keys_size(keys, key_count) + 7) / 8;
    bool grows = context->backend->is_host && !sk_rehearses(context->device);
    size_t most = (context->backend->is_host ? HOST_BLOCK_BYTES : BLOCK_BYTES) / (8 * columns) + 1;
    size_t step = grows ? HOST_FIRST_BYTES / (8 * columns) + 1 : most;
    *first = n;
    for (size_t begin = 0; begin + 1 < n; begin += step, step = 2 * step < most ? 2 * step : most) {
        sk_elements block = *elements;
        block.data = (const char *)elements->data + begin * elements->stride;
        block.n = n - begin > step ? step + 1 : n - begin; /* one more: the next block's first against our last */
        size_t mark = sk_arena_mark(&context->device->workspace), found;
        scankit_error error = first_descent_in(context, &block, keys, key_count, bits, &found);
        sk_arena_reset(&context->device->workspace, mark);
        SK_TRY(error);
        if (sk_rehearses(context->device))
            break; /* this block is the largest */
        if (found < block.n) {
            *first = begin + found;
            break;
        }
    }
    return SCANKIT_OK;
}
