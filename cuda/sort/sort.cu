// sort.cu - the entry of the sorts: it runs what choose.h names. Radix sort and the merge sorts are here, over the
// passes of split.cu, merge.cu and chunk_sort.cu.
#include <utility>

#include "common/copy.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "sort/choose/report.cuh"
#include "sort/chunk_sort.cuh"
#include "sort/few_words.cuh"
#include "sort/keys.cuh"
#include "sort/many/merge_many.cuh"
#include "sort/merge/merge.cuh"
#include "sort/merged_parts.cuh"
#include "sort/narrow/narrow.cuh"
#include "sort/pairs/pairs.cuh"
#include "sort/radix/pass_states.cuh"
#include "sort/radix/split.cuh"
#include "sort/wide_pairs.cuh"
#include "sort/words.cuh"

// The arguments of a sort, and a second array.
struct sorting {
    cuda_device *gpu;
    sk_shape shape;
    sk_const_columns in;
    sk_columns out, other;
    size_t n;
    unsigned begin_bit, end_bit;
    const sk_piece *order; // of keys that are numbers, with values; NULL: keys are words

    bool is_in_place() const
    {
        return in.keys == out.keys || (shape.value_size > 0 && in.values == out.values);
    }
    bool has_whole_keys() const
    {
        return end_bit - begin_bit == 8 * shape.key_size;
    }
};

static sk_const_columns read_only(sk_columns columns)
{
    return {columns.keys, columns.values};
}

static scankit_error copy_columns(const sorting &sort, sk_const_columns from, sk_columns to)
{
    TRY(copy_array(sort.gpu, from.keys, to.keys, sort.n * sort.shape.key_size));
    return copy_array(sort.gpu, from.values, to.values, sort.n * sort.shape.value_size);
}

// Passes go back and forth between out and other. True if the first pass writes to out, so that the last one does too;
// but no pass writes onto its own input.
static bool starts_at_out(const sorting &sort, unsigned passes)
{
    return sort.in.keys == sort.other.keys || (passes % 2 == 1 && !sort.is_in_place());
}

// ---- radix: one split per digit, least significant digit first ----

struct active_digits {
    digit_range range;
    unsigned count, position[8]; // of digits that are not the same in all keys
    unsigned long long *begin;   // of each digit, RADIX per position of the range
    unsigned done;               // passes: 0 or 1, to the other arrays
    pass_states states;
};

static active_digits known_digits(const sorting &sort, const counted_digits &counted)
{
    active_digits digits = {{sort.begin_bit, sort.end_bit}, 0, {}, counted.begin, counted.has_begun, {}};
    for (unsigned p = 0; p < digits.range.count(); p++)
        if (!(counted.constant >> p & 1))
            digits.position[digits.count++] = p;
    return digits;
}

static scankit_error find_digits(const sorting &sort, workspace *scratch, active_digits *digits)
{
    cuda_device *gpu = sort.gpu;
    digit_range range = {sort.begin_bit, sort.end_bit};
    unsigned long long *counts, host[8 * RADIX];
    static_assert(sizeof host <= RESULT_BYTES, "counts are fetched at once");
    char *places;
    size_t bytes = split_places_bytes(sort.shape.key_size);
    if (!scratch->take(&places, bytes))
        return SCANKIT_E_MEMORY;
    counts = reinterpret_cast<unsigned long long *>(places);
    bool may_wait = !gpu->captures && !sk_rehearses(&gpu->base);
    bool waits = may_wait && worth_a_wait(range.count(), sort.n * sort.shape.key_size);
    if (waits) {
        TRY(split_count(gpu, sort.shape.key_size, sort.in.keys, sort.n, range, counts, sort.order));
        TRY(cuda_fetch(gpu, host, counts, range.count() * RADIX * sizeof *counts));
        TRY(split_offsets(gpu, counts, range.count()));
    } else if (!sk_rehearses(&gpu->base)) {
        CHECK(cudaMemsetAsync(places, 0, bytes, gpu->stream));
        TRY(split_places(gpu, sort.shape.key_size, sort.in.keys, sort.n, range, counts, sort.order));
    }
    *digits = {range, 0, {}, counts, 0, {}};
    for (unsigned p = 0; p < range.count(); p++) {
        bool constant = false;
        for (unsigned d = 0; d < RADIX && waits; d++)
            constant = constant || host[p * RADIX + d] == sort.n;
        if (!constant)
            digits->position[digits->count++] = p;
    }
    return SCANKIT_OK;
}

static scankit_error split_by_digit(const sorting &sort, const active_digits &digits, unsigned i, sk_const_columns in,
                                    sk_columns out, pass_ends ends)
{
    unsigned p = digits.position[i];
    ends.read = i == 0 ? sort.order : nullptr;
    ends.write = i + 1 == digits.count ? sort.order : nullptr;
    return split_pass(sort.gpu, sort.shape, in, out, sort.n, digits.range, p, digits.begin + p * RADIX, ends,
                      {nullptr, digits.states.of(i)});
}

static scankit_error split_columns(const sorting &sort, const active_digits &digits)
{
    sk_const_columns at = digits.done > 0 ? read_only(sort.other) : sort.in;
    bool to_out = starts_at_out(sort, digits.count) != (digits.done > 0);
    for (unsigned i = digits.done; i < digits.count; i++, to_out = !to_out) {
        sk_columns to = to_out ? sort.out : sort.other;
        TRY(split_by_digit(sort, digits, i, at, to, {}));
        at = read_only(to);
    }
    return copy_columns(sort, at, sort.out);
}

// With records between the passes, in two arrays by turns.
static scankit_error split_records(const sorting &sort, const active_digits &digits, void *more)
{
    sk_const_columns at = digits.done > 0 ? read_only(sort.other) : sort.in;
    for (unsigned i = digits.done; i < digits.count; i++) {
        bool last = i + 1 == digits.count;
        sk_columns to = last ? sort.out : sk_columns{i % 2 == 0 ? sort.other.keys : more, nullptr};
        TRY(split_by_digit(sort, digits, i, at, to, {i > 0, !last}));
        at = read_only(to);
    }
    return SCANKIT_OK;
}

static scankit_error radix(const sorting &sort, const counted_digits &counted)
{
    cuda_device *gpu = sort.gpu;
    workspace scratch(gpu);
    active_digits digits;
    report(gpu, sort_algorithm::RADIX);
    if (counted.begin != nullptr)
        digits = known_digits(sort, counted);
    else
        TRY(find_digits(sort, &scratch, &digits));
    void *more = nullptr;
    bool records = digits.count > 1 && split_has_records(gpu, sort.shape);
    if (records && digits.count > 2)
        records = scratch.take_bytes(&more, sort.n, sort.shape.key_size + sort.shape.value_size);
    if (records != counted.as_records)
        digits.done = 0;
    size_t state_bytes = aligned_state_bytes(split_state_bytes(gpu, sort.shape, sort.n));
    if (counted.states != nullptr && digits.done == counted.has_begun)
        digits.states = {counted.states, state_bytes};
    else
        TRY(clear_states(gpu, scratch, digits.count, digits.range.count(), state_bytes, &digits.states));
    return records ? split_records(sort, digits, more) : split_columns(sort, digits);
}

// ---- chunk-merge and network-merge: sorted chunks, merged two or four at a time, and in the end many at a time ----

// Elements per chunk.
static size_t chunk_size(sk_shape shape)
{
    return chunk_size(shape.key_size, shape.value_size);
}

// Runs of `run` elements become runs twice as long at each level.
static unsigned merge_levels(size_t run, size_t n)
{
    unsigned levels = 0;
    for (; run < n; run *= 2)
        levels++;
    return levels;
}

static scankit_error radix_chunks(const sorting &sort, sk_columns out)
{
    rank_by way;
    TRY(split_way(sort.gpu, &way));
    return sort_chunks(sort.gpu, sort.shape, sort.in, out, sort.n, {sort.begin_bit, sort.end_bit}, sort.order, nullptr,
                       way);
}

enum class chunks_by { RADIX, NETWORK };

// Whole keys alone. The passes go back and forth between out and other, and end in out. A chunk may be sorted onto
// itself, so this works in place too.
static scankit_error merge_sorted_keys(const sorting &sort, chunks_by way)
{
    cuda_device *gpu = sort.gpu;
    unsigned size = sort.shape.key_size;
    size_t run = way == chunks_by::NETWORK ? key_chunk(size) : chunk_size(sort.shape);
    unsigned levels = merge_levels(run, sort.n);
    // Four runs at a time are two levels in one pass. The last pass takes as many levels as leave an even number; if
    // there is none, the first pass is one level.
    unsigned last = sort.n >= MERGE_MANY_LEAST ? MANY_LEVELS - (levels - MANY_LEVELS) % 2 : 0;
    bool by_four = sort.n >= MERGE_FOUR_LEAST;
    levels -= last;
    unsigned passes = (by_four ? (levels + 1) / 2 : levels) + (last > 0);
    int runs = by_four && levels % 2 == 0 ? 4 : 2;
    void *at = passes % 2 == 0 ? sort.out.keys : sort.other.keys;
    void *to = passes % 2 == 0 ? sort.other.keys : sort.out.keys;
    if (way == chunks_by::NETWORK)
        TRY(sort_key_chunks(gpu, size, sort.in.keys, at, sort.n));
    else
        TRY(radix_chunks(sort, {at, nullptr}));
    for (size_t longest = run << levels; run < longest; run *= runs, runs = by_four ? 4 : 2, std::swap(at, to))
        TRY(merge_key_runs(gpu, size, at, to, sort.n, run, runs));
    return last > 0 ? merge_many_runs(gpu, sort.shape, {at, nullptr}, {to, nullptr}, sort.n, run) : SCANKIT_OK;
}

// With values, or by some bits of the keys.
static scankit_error merge_sorted_columns(const sorting &sort)
{
    cuda_device *gpu = sort.gpu;
    size_t run = chunk_size(sort.shape);
    unsigned levels = merge_levels(run, sort.n);
    unsigned last = sort.n >= MERGE_MANY_LEAST && sort.has_whole_keys() ? MANY_LEVELS : 0;
    levels -= last;
    bool at_out = (levels + (last > 0)) % 2 == 0;
    TRY(radix_chunks(sort, at_out ? sort.out : sort.other));
    size_t longest = run << levels;
    for (; run < longest; run *= 2, at_out = !at_out)
        TRY(merge_runs(gpu, sort.shape, read_only(at_out ? sort.out : sort.other), at_out ? sort.other : sort.out,
                       sort.n, run, sort.begin_bit, sort.end_bit));
    return last > 0 ? merge_many_runs(gpu, sort.shape, read_only(sort.other), sort.out, sort.n, run) : SCANKIT_OK;
}

static scankit_error chunk_merge(const sorting &sort)
{
    report(sort.gpu, sort_algorithm::CHUNK_MERGE);
    return sort.shape.value_size == 0 && sort.has_whole_keys() ? merge_sorted_keys(sort, chunks_by::RADIX)
                                                               : merge_sorted_columns(sort);
}

static scankit_error network_merge(const sorting &sort)
{
    report(sort.gpu, sort_algorithm::NETWORK_MERGE);
    return merge_sorted_keys(sort, chunks_by::NETWORK);
}

// ---- the choice ----

static scankit_error run(const sorting &sort, const sort_request &request)
{
    sort_algorithm algorithm = choose_sort(request);
    bool done = false;
    if (algorithm == sort_algorithm::CHUNK_MERGE)
        return chunk_merge(sort);
    if (algorithm == sort_algorithm::NETWORK_MERGE)
        return network_merge(sort);
    if (algorithm == sort_algorithm::BLOCK_RANGES) {
        report(sort.gpu, algorithm);
        if (request.bits == 64)
            return sort_wide_pairs(sort.gpu, request.value_size, sort.in, sort.out, sort.n, sort.order);
        return sort_few_words(sort.gpu, request, sort.in, sort.out, sort.begin_bit, sort.order);
    }
    if (algorithm == sort_algorithm::WORDS) {
        TRY(sort_words(sort.gpu, request, sort.in, sort.out, sort.other, sort.begin_bit, sort.order));
        report(sort.gpu, algorithm); // after the one of the words
        return SCANKIT_OK;
    }
    workspace scratch(sort.gpu);
    counted_digits counted;
    if (algorithm != sort_algorithm::RADIX && !sort.gpu->captures) // the host waits for counts of pairs
        TRY(bucket_sort_pairs(sort.gpu, request, sort.in, sort.out, sort.other, sort.begin_bit, sort.order, scratch,
                              &counted, &done));
    return done ? SCANKIT_OK : radix(sort, counted);
}

static scankit_error with_other(sorting sort, const sort_request &request)
{
    // One array, with room for records too. Values begin at a multiple of 256 bytes.
    constexpr size_t ROOM = 256;
    workspace scratch(sort.gpu);
    const sk_shape &shape = sort.shape;
    if (!scratch.take_bytes(&sort.other.keys, sort.n + ROOM, shape.key_size + shape.value_size))
        return SCANKIT_E_MEMORY;
    sort.other.values = static_cast<char *>(sort.other.keys) + (sort.n * shape.key_size + ROOM - 1) / ROOM * ROOM;
    return run(sort, request);
}

static sort_request request_of(const sorting &sort, scankit_algorithm algorithm)
{
    const sk_shape &shape = sort.shape;
    return {sort.n,    shape.key_size,     shape.value_size,           sort.end_bit - sort.begin_bit, false,
            algorithm, sort.is_in_place(), sort.other.keys != nullptr, sort.gpu->shared_most};
}

scankit_error cuda_sort(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, void *spare, size_t n,
                        unsigned begin_bit, unsigned end_bit, scankit_algorithm algorithm)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    sorting sort = {gpu, shape, in, out, {spare, nullptr}, n, begin_bit, end_bit, nullptr};
    sort_request request = request_of(sort, algorithm);
    return spare != nullptr ? run(sort, request) : with_other(sort, request);
}

// Merges of chunks compare words.
static bool merges_chunks(const sorting &sort, const sort_request &request)
{
    return choose_sort(request) == sort_algorithm::CHUNK_MERGE && sort.n > chunk_size(sort.shape);
}

// Whether the algorithm that is chosen has kernels for values of that size.
static bool can_move(const sort_request &request)
{
    sort_algorithm algorithm = choose_sort(request);
    unsigned size = request.value_size;
    bool is_odd = request.key_size < 4 ? size == 16 : size != 4 && size != 8;
    return !is_odd || request.key_size == 4 || algorithm == sort_algorithm::BLOCK_RANGES ||
           (request.key_size == 8 && algorithm == sort_algorithm::CHUNK_MERGE);
}

scankit_error cuda_sort_pairs(sk_device *device, const sk_piece *piece, unsigned value_size, sk_const_columns in,
                              sk_columns out, size_t n, scankit_algorithm algorithm, bool *done)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    sk_shape shape = {piece->size, value_size};
    sorting sort = {gpu, shape, in, out, {}, n, 0, 8u * piece->size, piece};
    sort_request request = request_of(sort, algorithm);
    *done = piece->kind != SK_PIECE_BYTES && !piece->swap && can_move(request) && !merges_chunks(sort, request);
    return *done ? with_other(sort, request) : SCANKIT_OK;
}

// Whether the algorithm sorts words, which keys become first if they are no numbers.
static bool sorts_words(sort_algorithm algorithm, const sort_request &request)
{
    return algorithm == sort_algorithm::RADIX || algorithm == sort_algorithm::CHUNK_MERGE ||
           algorithm == sort_algorithm::NETWORK_MERGE || !request.are_numbers;
}

// Not *done: the caller rehearses a sort of words too, which may come instead.
static scankit_error rehearse_values(cuda_device *gpu, const sort_request &request, const sk_piece &piece,
                                     const void *in, void *out, void *spare, bool *done)
{
    sort_algorithm choice = choose_sort(request);
    if (choice == sort_algorithm::HYBRID_MERGE)
        TRY(sort_merged_parts(gpu, piece, in, out, request.n, done));
    else if (!sorts_words(choice, request))
        TRY(sort_keys(gpu, request, piece, in, out, spare));
    *done = request.are_numbers && (choice == sort_algorithm::BLOCK_RANGES || choice == sort_algorithm::SAMPLE);
    return SCANKIT_OK;
}

// Keys of 1 and 2 bytes.
static scankit_error sort_narrow_values(cuda_device *gpu, const sort_request &request, const sk_piece &piece,
                                        const void *in, void *out, void *spare)
{
    if (choose_sort(request) == sort_algorithm::COUNTING) {
        report(gpu, sort_algorithm::COUNTING);
        return sort_by_counts(gpu, piece, in, out, request.n);
    }
    sorting sort = {gpu, {piece.size, 0}, {in, nullptr}, {out, nullptr}, {spare, nullptr}, request.n,
                    0,   request.bits,    &piece};
    return spare != nullptr ? run(sort, request) : with_other(sort, request);
}

scankit_error cuda_sort_values(sk_device *device, const sk_piece *piece, const void *in, void *out, void *spare,
                               size_t n, scankit_algorithm algorithm, bool *done)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    bool are_numbers = piece->kind != SK_PIECE_BYTES && !piece->swap;
    sort_request request = {
        n, piece->size, 0, 8u * piece->size, are_numbers, algorithm, in == out, spare != nullptr, gpu->shared_most};
    if (piece->size < 4 && are_numbers && algorithm == SCANKIT_AUTO) {
        *done = true;
        return sort_narrow_values(gpu, request, *piece, in, out, spare);
    }
    sort_algorithm choice = choose_sort(request);
    // The sort of words needs no survey, for which the host would wait.
    if (gpu->captures && choice != sort_algorithm::BLOCK_RANGES && choice != sort_algorithm::SAMPLE)
        choice = sort_algorithm::RADIX;
    if (sk_rehearses(device))
        return rehearse_values(gpu, request, *piece, in, out, spare, done);
    if (choice == sort_algorithm::HYBRID_MERGE)
        return sort_merged_parts(gpu, *piece, in, out, n, done);
    *done = !sorts_words(choice, request);
    return *done ? sort_keys(gpu, request, *piece, in, out, spare) : SCANKIT_OK;
}

scankit_error cuda_sort_positions(sk_device *, const sk_word *, size_t, const void *, unsigned, unsigned, uint64_t *,
                                  size_t, bool *done)
{
    *done = false;
    return SCANKIT_OK;
}
