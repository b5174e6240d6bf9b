// pairs.cuh - the stable sort of pairs by buckets.
#ifndef SK_CUDA_PAIRS_CUH
#define SK_CUDA_PAIRS_CUH

#include "device/arena.cuh"
#include "sort/choose/choose.h"

// What radix sort need not find out again.
struct counted_digits {
    unsigned long long *begin = nullptr; // of each digit, RADIX per position; or NULL
    unsigned constant = 0;               // bit p: all keys have the same digit at position p
    bool has_begun = false;              // the pass by position 0 went to the other arrays
    bool as_records = false;             // and left records there
    char *states = nullptr;              // of all passes, cleared but for the one that has begun; or NULL
};

// Sorts n keys of 4 or 8 bytes by request.bits bits from begin_bit on, with values of 4 or 8 bytes beside them, and
// keys of 4 bytes also with values of 1, 2 and 16. in may be out; other is a second array. If radix sort is better,
// *done is false, in is unchanged and *counted says what is known, in memory of `scratch`. order: of the keys; NULL:
// they are words. Waits for the counts.
scankit_error bucket_sort_pairs(cuda_device *gpu, const sort_request &request, sk_const_columns in, sk_columns out,
                                sk_columns other, unsigned begin_bit, const sk_piece *order, workspace &scratch,
                                counted_digits *counted, bool *done);

#endif
