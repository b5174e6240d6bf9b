/* order_of.c - see order_of.h. */
#include "order_of.h"

/* A range of bits is compared as an unsigned integer. */
static void compare_bits(const sk_order *order, sk_bits bits, scankit_key *key, sk_ordering *ordering)
{
    static const scankit_type is_signed[] = {SCANKIT_I8, SCANKIT_I16, SCANKIT_I32, SCANKIT_I64};
    static const scankit_type is_unsigned[] = {SCANKIT_U8, SCANKIT_U16, SCANKIT_U32, SCANKIT_U64};
    ordering->mask = sk_bits_mask(bits);
    for (size_t i = 0; i < sizeof is_signed / sizeof *is_signed; i++)
        if (order->type == is_signed[i]) {
            key->type = is_unsigned[i];
            ordering->flip = (uint64_t)1 << (8 * ordering->size - 1);
        }
}

bool sk_ordering_of(const sk_order *order, scankit_key *key, sk_ordering *ordering, const char **wrong)
{
    if (order->record_size > 0) {
        *ordering = (sk_ordering){.size = order->record_size, .keys = order->keys, .key_count = order->key_count};
        *wrong = sk_wrong_keys(order->record_size, order->keys, order->key_count);
        return *wrong == NULL;
    }
    sk_bits bits;
    *wrong = scankit_type_size(order->type) == 0 ? "no such type"
             : !sk_options_bits(order->type, order->options, &bits)
                 ? "the range of key bits is not one that the type has"
                 : NULL;
    if (*wrong != NULL)
        return false;
    *key = sk_plain_key(order->type, order->options);
    *ordering = (sk_ordering){.size = scankit_type_size(order->type), .keys = key, .key_count = 1};
    if (bits.begin > 0 || bits.end < 8 * ordering->size)
        compare_bits(order, bits, key, ordering);
    return true;
}
