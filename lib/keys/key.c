/* key.c - keys of records: checks them, and turns them into words to sort by. A normalised key is the string of its
 * keys' bytes, each mapped so that it compares as unsigned bytes, cut into words of 8 bytes. */
#include <string.h>

#include "internal.h"

static size_t key_size(const scankit_key *key)
{
    return key->type == SCANKIT_BYTES ? key->size : sk_type_size(key->type);
}

const char *sk_wrong_keys(size_t record_size, const scankit_key *keys, size_t key_count)
{
    if (record_size == 0)
        return "records of no bytes";
    if (keys == NULL || key_count == 0 || key_count > SK_MAX_KEYS)
        return "there must be 1 to 64 keys";
    for (size_t i = 0, sum = 0; i < key_count; i++) {
        size_t size = key_size(&keys[i]);
        if (size == 0)
            return "a key of no known type or size";
        if (keys[i].offset > record_size || size > record_size - keys[i].offset)
            return "a key that reaches past the end of the record";
        if (size > SIZE_MAX / 2 - sum)
            return "keys of more bytes than an address space has";
        sum += size;
    }
    return NULL;
}

/* The mask of bytes [first, end) of a word, counted from its least significant. */
static uint64_t byte_mask(size_t first, size_t end)
{
    uint64_t below_end = end == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * end) - 1;
    return below_end & ~(((uint64_t)1 << 8 * first) - 1);
}

sk_piece sk_piece_of_key(const scankit_key *key)
{
    size_t size = key_size(key);
    sk_piece_kind kind = sk_kind_of(key->type);
    bool big_endian = key->big_endian && kind != SK_PIECE_BYTES;
    if (kind == SK_PIECE_BYTES && (size == 1 || size == 2 || size == 4 || size == 8)) {
        kind = SK_PIECE_UNSIGNED; /* such bytes are a big-endian number */
        big_endian = true;
    }
    return (sk_piece){
        .mask = byte_mask(0, size),
        .offset = key->offset,
        .size = (uint8_t)size,
        .kind = (uint8_t)kind,
        .swap = big_endian && size > 1,
        .descending = key->descending != 0,
    };
}

bool sk_piece_is_identity(const sk_piece *piece)
{
    return piece->kind == SK_PIECE_UNSIGNED && !piece->swap && !piece->descending && piece->shift == 0 &&
           piece->mask == byte_mask(0, piece->size);
}

size_t sk_keys_size(const scankit_key *keys, size_t count)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += key_size(&keys[i]);
    return size;
}

/* The part of a key, bytes [begin, end) of the normalised key, that falls into the word of bytes [from, to). */
static sk_piece cut_key(scankit_key key, size_t begin, size_t end, size_t from, size_t to)
{
    size_t first = begin > from ? begin : from, last = end < to ? end : to;
    if (key.type == SCANKIT_BYTES) { /* opaque bytes can be cut: read only this word's */
        key.offset += first - begin;
        key.size = last - first;
        end = last;
    }
    sk_piece piece = sk_piece_of_key(&key);
    piece.shift = (int8_t)(8 * ((int)(to - from) - (int)(end - from)));
    piece.mask = byte_mask(to - last, to - first);
    return piece;
}

sk_word sk_keys_word(const scankit_key *keys, size_t count, size_t index)
{
    size_t total = sk_keys_size(keys, count), from = 8 * index;
    size_t to = total - from > 8 ? from + 8 : total;
    sk_word word = {.count = 0};
    for (size_t i = 0, begin = 0, end; i < count; i++, begin = end) {
        end = begin + key_size(&keys[i]);
        if (begin < to && end > from)
            word.piece[word.count++] = cut_key(keys[i], begin, end, from, to);
    }
    return word;
}

bool sk_is_plain_record(size_t record_size, const scankit_key *keys, size_t key_count, uintptr_t memory)
{
    return key_count == 1 && keys[0].offset == 0 && sk_keys_size(keys, 1) == record_size && record_size <= 8 &&
           (record_size & (record_size - 1)) == 0 && (memory & (record_size - 1)) == 0;
}

/* ---- keys of plain elements ---- */

/* ---- comparison in host memory ---- */

/* The place of the value at `bytes` in its type's order. */
static uint64_t order_of(scankit_type type, int big_endian, const void *bytes)
{
    uint8_t raw[sizeof(uint64_t)];
    size_t size = scankit_type_size(type);
    memcpy(raw, bytes, size);
    for (size_t i = 0; big_endian && i < size / 2; i++) {
        uint8_t other = raw[i];
        raw[i] = raw[size - 1 - i];
        raw[size - 1 - i] = other;
    }
    uint64_t value = 0;
    memcpy(&value, raw, size); /* little endian, as all of the library assumes */
    switch (type) {
#define ORDER_unsigned(name) value
#define ORDER_signed(name) value ^ (uint64_t)1 << (8 * size - 1)
#define ORDER_half(name) ORDER_float(name)
#define ORDER_float(name) sk_order_##name((sk_bits_##name)value)
#define X(enumerator, name, ctype, kind) \
    case SCANKIT_##enumerator: return ORDER_##kind(name);
        SCANKIT_TYPES(X)
#undef X
    case SCANKIT_BYTES: break;
    }
    return value;
}

int scankit_compare(const scankit_key *keys, size_t key_count, const void *a, const void *b)
{
    for (size_t i = 0; i < key_count; i++) {
        const scankit_key *key = &keys[i];
        const char *at_a = (const char *)a + key->offset, *at_b = (const char *)b + key->offset;
        int order;
        if (key->type == SCANKIT_BYTES) {
            order = memcmp(at_a, at_b, key->size);
        } else {
            uint64_t of_a = order_of(key->type, key->big_endian, at_a);
            uint64_t of_b = order_of(key->type, key->big_endian, at_b);
            order = (of_a > of_b) - (of_a < of_b);
        }
        if (order != 0)
            return key->descending ? -order : order;
    }
    return 0;
}
