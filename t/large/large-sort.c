/* large-sort.c - sorts of more than 2^30 keys, which a GPU sorts in parts: see large.c. The result is in
 * order, and has the sum and the XOR of the input. */
#include "large.h"

typedef struct checksum {
    uint64_t sum, bits;
} checksum;

/* size: 4 or 8 bytes of a key. */
static checksum checksum_of(const void *keys, size_t size, size_t n)
{
    const scankit_type type = size == 4 ? SCANKIT_U32 : SCANKIT_U64;
    checksum check = {0, 0};
    (void)DEVICE_DID(dev, scankit_reduce(ctx, type, SCANKIT_SUM, keys, &check.sum, n));
    (void)DEVICE_DID(dev, scankit_reduce(ctx, type, SCANKIT_XOR, keys, &check.bits, n));
    return check;
}

/* About half of the values are equal, so that a sort goes by digits. */
static uint64_t skewed_value(size_t i)
{
    const uint64_t value = random_value(i);
    return value % 2 == 0 ? 7 : value;
}

/* Two random elements of 4 bytes are a random one of 8. */
static void check_sort(scankit_type type, size_t n, bool in_place, int descending, bool skewed)
{
    const scankit_sort_options options = {.descending = descending};
    const size_t size = scankit_type_size(type);
    size_t first = 0;
    tap_case("%s, %zu keys, in place %d, descending %d", scankit_type_name(type), n, in_place, descending);
    char *in = bulk_allocate(n * size), *out = in_place ? in : bulk_allocate(n * size);
    bulk_fill(in, 4, size / 4 * n, skewed ? skewed_value : random_value);
    checksum before = checksum_of(in, size, n);
    if (DEVICE_DID(dev, scankit_sort(ctx, type, in, out, n, &options))) {
        checksum after = checksum_of(out, size, n);
        TAP_CHECK(after.sum == before.sum && after.bits == before.bits);
        TAP_CHECK(DEVICE_DID(dev, scankit_is_sorted(ctx, type, out, n, &options, &first)) && first == n);
        if (!in_place) {
            checksum input = checksum_of(in, size, n);
            TAP_CHECK(input.sum == before.sum && input.bits == before.bits);
        }
    }
    scankit_free(ctx, in);
    if (!in_place)
        scankit_free(ctx, out);
}

/* Two parts, the second one shorter; and four. */
static const size_t two = ((size_t)1 << 30) + ((size_t)1 << 24) + 5, four = ((size_t)1 << 31) + 77;

void large_sort(void)
{
    if (!bulk_suffices(5 * four * 8, "sort of more than 2^30 keys of 8 bytes"))
        return;
    tap_begin("%s: sort of more than 2^30 keys of 8 bytes", dev->name);
    check_sort(SCANKIT_U64, two, false, 0, false);
    check_sort(SCANKIT_F64, two, true, 1, false);
    check_sort(SCANKIT_I64, four, true, 0, false);
    check_sort(SCANKIT_U64, four, false, 1, false);
    tap_end();
}

void large_sort_narrow(void)
{
    if (!bulk_suffices(5 * four * 4, "sort of more than 2^30 keys of 4 bytes"))
        return;
    tap_begin("%s: sort of more than 2^30 keys of 4 bytes", dev->name);
    check_sort(SCANKIT_U32, two, false, 0, false);
    check_sort(SCANKIT_F32, two, true, 1, false);
    check_sort(SCANKIT_I32, four, true, 0, false);
    check_sort(SCANKIT_U32, four, false, 1, false);
    check_sort(SCANKIT_U32, two, false, 0, true);
    check_sort(SCANKIT_I32, four, true, 1, true);
    tap_end();
}
