// merged_parts.cu - see merged_parts.cuh.
#include "sort/merged_parts.cuh"

#include "device/arena.cuh"
#include "device/check.cuh"
#include "sort/choose/choose.h"
#include "sort/choose/report.cuh"
#include "sort/keys.cuh"

namespace
{

// Parts of equal size; the last one may be shorter. Merges double the size.
struct parts {
    size_t n, each, key_size;
    size_t begin(size_t part) const
    {
        return part * each < n ? part * each : n;
    }
    size_t count(size_t part) const
    {
        return begin(part + 1) - begin(part);
    }
    template <class P> P *at(P *keys, size_t part) const
    {
        return keys + begin(part) * key_size;
    }
};

// Keys of 4 bytes have few digits: where the first part would be sorted by these, so is all of it, and *by_digits is
// true.
scankit_error sort_parts(cuda_device *gpu, const sk_piece &piece, const parts &p, const char *in, char *out,
                         bool *by_digits)
{
    *by_digits = false;
    for (size_t i = 0; p.begin(i) < p.n && !*by_digits; i++) {
        const char *from = p.at(in, i);
        char *to = p.at(out, i);
        sort_request request = {p.count(i),   piece.size, 0,     8u * piece.size, true,
                                SCANKIT_AUTO, from == to, false, gpu->shared_most};
        TRY(sort_keys(gpu, request, piece, from, to, nullptr, piece.size == 4 && i == 0 ? by_digits : nullptr));
    }
    return SCANKIT_OK;
}

scankit_error merge_parts(cuda_device *gpu, const sk_piece &piece, const parts &p, const char *from, char *to)
{
    bool done;
    for (size_t i = 0; p.begin(i) < p.n; i += 2)
        TRY(cuda_merge_values(&gpu->base, &piece, p.at(from, i), p.count(i), p.at(from, i + 1), p.count(i + 1),
                              p.at(to, i), &done));
    return SCANKIT_OK;
}

} // namespace

scankit_error sort_merged_parts(cuda_device *gpu, const sk_piece &piece, const void *in, void *out, size_t n,
                                bool *done)
{
    workspace scratch(gpu);
    void *other;
    size_t count = merged_parts(n);
    parts p = {n, (n + count - 1) / count, piece.size};
    *done = scratch.take_bytes(&other, n, piece.size);
    if (!*done)
        return SCANKIT_OK;
    // The last merge goes to the output, so two parts are sorted into the other array, and four into the output.
    char *arrays[2] = {static_cast<char *>(other), static_cast<char *>(out)};
    int to = count == 2 ? 0 : 1;
    bool by_digits;
    scankit_error error = sort_parts(gpu, piece, p, static_cast<const char *>(in), arrays[to], &by_digits);
    *done = error != SCANKIT_E_MEMORY && !by_digits;
    if (error != SCANKIT_OK || by_digits)
        return *done ? error : SCANKIT_OK;
    for (; p.each < n; p.each *= 2, to = 1 - to)
        TRY(merge_parts(gpu, piece, p, arrays[to], arrays[1 - to]));
    report(gpu, sort_algorithm::HYBRID_MERGE);
    return SCANKIT_OK;
}
