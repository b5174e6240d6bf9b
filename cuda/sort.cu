// sort.cu - sort: three algorithms over the passes of split.cu, merge.cu and grid/chunk_sort.cuh, and the choice among
// them.
#include <utility>

#include "arena.cuh"
#include "check.cuh"
#include "grid/chunk_sort.cuh"
#include "hybrid.cuh"
#include "merge.cuh"
#include "shape.cuh"
#include "split.cuh"

// One sort: what is asked, and a second array to move to.
struct sorting {
    cuda_device *gpu;
    sk_shape shape;
    sk_const_columns in;
    sk_columns out, other;
    size_t n;
    unsigned begin_bit, end_bit;

    bool is_in_place() const
    {
        return in.keys == out.keys || (shape.value_size > 0 && in.values == out.values);
    }
};

static sk_const_columns read_only(sk_columns columns)
{
    return {columns.keys, columns.values};
}

static scankit_error copy_columns(const sorting &sort, sk_const_columns from, sk_columns to)
{
    cuda_device *gpu = sort.gpu;
    if (from.keys != to.keys)
        CHECK(cudaMemcpyAsync(to.keys, from.keys, sort.n * sort.shape.key_size, cudaMemcpyDeviceToDevice, gpu->stream));
    if (sort.shape.value_size > 0 && from.values != to.values)
        CHECK(cudaMemcpyAsync(to.values, from.values, sort.n * sort.shape.value_size, cudaMemcpyDeviceToDevice,
                              gpu->stream));
    return SCANKIT_OK;
}

// Passes go to and fro between out and other. The first goes where an even number of passes is left before out - but
// never onto its own input.
static bool starts_at_out(const sorting &sort, unsigned passes)
{
    return passes % 2 == 1 && !sort.is_in_place();
}

// ---- radix: a split a digit, least significant first ----

// Splits by the positions p of [first, end) whose digits are not all the same; ends in out or other, said by *result.
static scankit_error split_by_digits(const sorting &sort, digit_range digits, sk_const_columns *result)
{
    cuda_device *gpu = sort.gpu;
    workspace scratch(gpu);
    unsigned long long *counts, host[8 * RADIX];
    static_assert(sizeof host <= RESULT_BYTES, "counts are fetched at once");
    if (!scratch.take(&counts, sort.shape.key_size * RADIX))
        return SCANKIT_E_MEMORY;
    TRY(split_count(gpu, sort.shape.key_size, sort.in.keys, sort.n, digits, counts));
    TRY(cuda_fetch(gpu, host, counts, digits.count() * RADIX * sizeof *counts));
    TRY(split_offsets(gpu, counts, digits.count()));

    unsigned active[8], passes = 0;
    for (unsigned p = 0; p < digits.count(); p++) {
        bool constant = false;
        for (unsigned d = 0; d < RADIX; d++)
            constant = constant || host[p * RADIX + d] == sort.n;
        if (!constant)
            active[passes++] = p;
    }
    *result = sort.in;
    bool to_out = starts_at_out(sort, passes);
    for (unsigned i = 0; i < passes; i++, to_out = !to_out) {
        sk_columns to = to_out ? sort.out : sort.other;
        TRY(split_pass(gpu, sort.shape, *result, to, sort.n, digits, active[i], counts + active[i] * RADIX));
        *result = read_only(to);
    }
    return SCANKIT_OK;
}

static scankit_error radix(const sorting &sort)
{
    sort.gpu->base.algorithm = "radix";
    sk_const_columns result;
    TRY(split_by_digits(sort, {sort.begin_bit, sort.end_bit}, &result));
    return copy_columns(sort, result, sort.out);
}

// ---- on chip ----

template <class K, class V>
static scankit_error chunks(const sorting &sort, sk_const_columns in, sk_columns out, const unsigned long long *start,
                            size_t count, unsigned end_bit)
{
    cuda_device *gpu = sort.gpu;
    using memory = typename sort_tile<K, V>::shared_memory;
    CHECK(cudaFuncSetAttribute(sort_chunks<K, V>, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(memory)));
    sort_chunks<K, V><<<unsigned(count), SORT_THREADS, sizeof(memory), gpu->stream>>>(
        static_cast<const K *>(in.keys), static_cast<const V *>(in.values), static_cast<K *>(out.keys),
        static_cast<V *>(out.values), sort.n, start, sort.begin_bit, end_bit);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

static scankit_error sort_on_chip(const sorting &sort, sk_const_columns in, sk_columns out,
                                  const unsigned long long *start, size_t count, unsigned end_bit)
{
    return dispatch_shape(sort.shape, [&](auto key, auto value) {
        return chunks<decltype(key), decltype(value)>(sort, in, out, start, count, end_bit);
    });
}

// Elements that a block sorts.
static size_t chunk_size(sk_shape shape)
{
    size_t size = 0;
    dispatch_shape(shape, [&](auto key, auto value) {
        size = sort_tile<decltype(key), decltype(value)>::TILE;
        return SCANKIT_OK;
    });
    return size;
}

// ---- chunk-merge: sorted chunks, merged two and two or four at a time ----

// The passes go to and fro between out and other, and end in out. A chunk may be sorted onto itself, so this works in
// place too.
static scankit_error chunk_merge_keys(const sorting &sort)
{
    cuda_device *gpu = sort.gpu;
    unsigned size = sort.shape.key_size, levels = 0;
    size_t chunk = key_chunk(size);
    for (size_t run = chunk; run < sort.n; run *= 2)
        levels++;
    // Four at a time is two levels in one pass; an odd level is the first.
    bool by_four = sort.n >= MERGE_FOUR_LEAST;
    unsigned passes = by_four ? (levels + 1) / 2 : levels;
    int runs = by_four && levels % 2 == 0 ? 4 : 2;
    void *at = passes % 2 == 0 ? sort.out.keys : sort.other.keys;
    void *to = passes % 2 == 0 ? sort.other.keys : sort.out.keys;
    TRY(sort_key_chunks(gpu, size, sort.in.keys, at, sort.n));
    for (size_t run = chunk; run < sort.n; run *= runs, runs = by_four ? 4 : 2, std::swap(at, to))
        TRY(merge_key_runs(gpu, size, at, to, sort.n, run, runs));
    return SCANKIT_OK;
}

static scankit_error chunk_merge(const sorting &sort)
{
    cuda_device *gpu = sort.gpu;
    gpu->base.algorithm = "chunk-merge";
    if (sort.shape.value_size == 0 && sort.end_bit - sort.begin_bit == 8 * sort.shape.key_size)
        return chunk_merge_keys(sort);
    size_t chunk = chunk_size(sort.shape), count = (sort.n - 1) / chunk + 1;
    unsigned levels = 0;
    for (size_t run = chunk; run < sort.n; run *= 2)
        levels++;
    bool at_out = levels % 2 == 0;
    TRY(sort_on_chip(sort, sort.in, at_out ? sort.out : sort.other, nullptr, count, sort.end_bit));
    for (size_t run = chunk; run < sort.n; run *= 2, at_out = !at_out)
        TRY(merge_runs(gpu, sort.shape, read_only(at_out ? sort.out : sort.other), at_out ? sort.other : sort.out,
                       sort.n, run, sort.begin_bit, sort.end_bit));
    return SCANKIT_OK;
}

// ---- hybrid: split by the leading bits until a bucket fits on chip (Stehle and Jacobsen 2017) ----

// Leading bits after which buckets of uniform keys fit a chunk, with room for chance.
static unsigned leading_bits(size_t n, size_t chunk, unsigned bits)
{
    unsigned leading = 1;
    while (leading < bits && leading < 24 && n >> leading > chunk - chunk / 8)
        leading++;
    return leading;
}

static scankit_error count_buckets(const sorting &sort, const void *keys, unsigned bit, unsigned buckets,
                                   unsigned long long *start, unsigned long long *largest)
{
    cuda_device *gpu = sort.gpu;
    workspace scratch(gpu);
    unsigned long long *on_device;
    if (!scratch.take(&on_device, 1))
        return SCANKIT_E_MEMORY;
    CHECK(cudaMemsetAsync(on_device, 0, sizeof *on_device, gpu->stream));
    TRY(dispatch_word(sort.shape.key_size, [&](auto key) {
        using K = decltype(key);
        find_buckets<K><<<gpu->processors * 8, MAP_THREADS, 0, gpu->stream>>>(static_cast<const K *>(keys), sort.n, bit,
                                                                              buckets - 1, start);
        CHECK_LAUNCH();
        return SCANKIT_OK;
    }));
    largest_bucket<<<(buckets - 1) / MAP_THREADS + 1, MAP_THREADS, 0, gpu->stream>>>(start, buckets, on_device);
    CHECK_LAUNCH();
    return cuda_fetch(gpu, largest, on_device, sizeof *largest);
}

static scankit_error hybrid(const sorting &sort)
{
    size_t chunk = chunk_size(sort.shape);
    unsigned leading = leading_bits(sort.n, chunk, sort.end_bit - sort.begin_bit);
    unsigned bit = sort.end_bit - leading, buckets = 1u << leading;
    workspace scratch(sort.gpu);
    unsigned long long *start, largest;
    if (!scratch.take(&start, buckets + 1))
        return SCANKIT_E_MEMORY;
    sk_const_columns result;
    TRY(split_by_digits(sort, {bit, sort.end_bit}, &result));
    if (bit == sort.begin_bit) {
        sort.gpu->base.algorithm = "hybrid";
        return copy_columns(sort, result, sort.out);
    }
    TRY(count_buckets(sort, result.keys, bit, buckets, start, &largest));
    if (largest > chunk) {
        // Too many keys share their leading bits: go on with all digits. Equals have kept their order so far.
        sorting rest = sort;
        rest.in = result;
        if (result.keys == sort.other.keys) {
            TRY(copy_columns(sort, result, sort.out));
            rest.in = read_only(sort.out);
        }
        return radix(rest);
    }
    sort.gpu->base.algorithm = "hybrid";
    return sort_on_chip(sort, result, sort.out, start, buckets, bit);
}

// ---- the choice ----

// Measured on an H100: few elements are bound by the number of launches.
constexpr size_t FEW_ELEMENTS = size_t(1) << 17;

// Keys alone come here when hybrid_sort has left them, since too many have the same leading bits.
static scankit_algorithm fastest(const sorting &sort)
{
    if (sort.n <= FEW_ELEMENTS)
        return SCANKIT_CHUNK_MERGE;
    return sort.shape.value_size == 0 ? SCANKIT_RADIX : SCANKIT_HYBRID;
}

static scankit_error choose(const sorting &sort, scankit_algorithm algorithm)
{
    // Keys of one or two bytes are one or two digits: there is nothing to gain from chunks.
    if (sort.shape.key_size < 4)
        return radix(sort);
    if (algorithm == SCANKIT_AUTO)
        algorithm = fastest(sort);
    switch (algorithm) {
    case SCANKIT_CHUNK_MERGE: return chunk_merge(sort);
    case SCANKIT_RADIX: return radix(sort);
    default: return hybrid(sort);
    }
}

scankit_error cuda_sort(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                        unsigned begin_bit, unsigned end_bit, scankit_algorithm algorithm)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    workspace scratch(gpu);
    sorting sort = {gpu, shape, in, out, {}, n, begin_bit, end_bit};
    if (!scratch.take_bytes(&sort.other.keys, n, shape.key_size))
        return SCANKIT_E_MEMORY;
    if (shape.value_size > 0 && !scratch.take_bytes(&sort.other.values, n, shape.value_size))
        return SCANKIT_E_MEMORY;
    return choose(sort, algorithm);
}

scankit_error cuda_sort_values(sk_device *device, const sk_piece *piece, const void *in, void *out, size_t n,
                               scankit_algorithm algorithm, bool *done)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    bool wanted = algorithm == SCANKIT_HYBRID || (algorithm == SCANKIT_AUTO && n > FEW_ELEMENTS);
    *done = false;
    if (!wanted || piece->size < 4 || piece->kind == SK_PIECE_BYTES || piece->swap)
        return SCANKIT_OK;
    return hybrid_sort(gpu, *piece, in, out, n, done);
}
