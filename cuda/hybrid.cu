// hybrid.cu - the sort of keys alone: counted by their leading bits, brought into buckets by those in one pass or two,
// and each bucket sorted on chip. Data in order is found before it moves; data whose buckets would not fit is left to
// others.
#include "hybrid.cuh"

#include "arena.cuh"
#include "check.cuh"
#include "grid/bucket_sort.cuh"

namespace
{

constexpr unsigned ONE_PASS_BITS = 10;     // as many bins as a pass has
constexpr unsigned MOST_BITS = COUNT_BITS; // more are counted in groups, of which no test has seen two yet
constexpr size_t MEAN_BUCKET = 4150;       // of uniform keys; chance makes no bucket larger than a tile

// What is counted and found out, cleared together; buckets' counts follow.
struct findings {
    unsigned descends, largest, part_count, crowded;
};

template <class K, class Order> struct key_sort {
    cuda_device *gpu;
    Order order;
    const K *in;
    K *out;
    size_t n;
    bucket_plan plan;
    findings *found = nullptr;
    unsigned *counts = nullptr, *crowded = nullptr;
    bucket_places places = {};
    K *other = nullptr;

    bool few() const
    {
        return n < size_t(gpu->processors) * 2 * SCATTER_THREADS * SCATTER_ITEMS<K>;
    }
    size_t tile() const
    {
        return SCATTER_THREADS * (few() ? SCATTER_ITEMS_FEW : SCATTER_ITEMS<K>);
    }
    size_t tiles() const
    {
        return (n - 1) / tile() + 1;
    }
};

// Leading bits after which buckets of uniform keys fit, split in two passes where one has too few bins.
bucket_plan plan_for(size_t n, unsigned key_bits)
{
    unsigned bits = 1;
    while (n >> bits > MEAN_BUCKET)
        bits++;
    return {key_bits, bits, bits <= ONE_PASS_BITS ? 0 : (bits + 1) / 2};
}

template <class K, class Order> bool take_memory(workspace &scratch, key_sort<K, Order> *sort)
{
    size_t buckets = sort->plan.count(), uppers = size_t(1) << sort->plan.upper;
    char *cleared;
    bucket_places &places = sort->places;
    if (!scratch.take(&cleared, sizeof(findings) + buckets * sizeof(unsigned)) ||
        !scratch.take(&places.start, buckets + 1) || !scratch.take(&places.lower_cursor, buckets) ||
        !scratch.take(&places.upper_cursor, uppers) || !scratch.take(&sort->crowded, buckets) ||
        !scratch.take(&sort->other, sort->n))
        return false;
    sort->found = reinterpret_cast<findings *>(cleared);
    sort->counts = reinterpret_cast<unsigned *>(cleared + sizeof(findings));
    places.part_count = &sort->found->part_count;
    places.largest = &sort->found->largest;
    return sort->plan.upper == 0 || scratch.take(&places.parts, sort->tiles() + uppers);
}

template <class K, class Order> scankit_error count(const key_sort<K, Order> &sort)
{
    cuda_device *gpu = sort.gpu;
    constexpr size_t EACH = COUNT_THREADS * COUNT_VECTORS * 16 / sizeof(K);
    size_t steps = (sort.n - 1) / EACH + 1, processors = size_t(gpu->processors);
    unsigned blocks = unsigned(steps < processors ? steps : processors), bits = sort.plan.bits;
    CHECK(cudaMemsetAsync(sort.found, 0, sizeof(findings) + sort.plan.count() * sizeof(unsigned), gpu->stream));
    see_descent<<<2 * blocks, COUNT_THREADS, 0, gpu->stream>>>(sort.in, sort.n, sort.order, &sort.found->descends);
    CHECK_LAUNCH();
    unsigned counted = bits < COUNT_BITS ? bits : COUNT_BITS;
    size_t room = sizeof(uint16_t) << counted;
    CHECK(cudaFuncSetAttribute(count_buckets<K, Order>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(room)));
    for (unsigned group = 0; group < 1u << (bits - counted); group++) {
        count_buckets<<<blocks, COUNT_THREADS, room, gpu->stream>>>(sort.in, sort.n, sort.order, sort.plan, group,
                                                                    sort.counts);
        CHECK_LAUNCH();
    }
    place_buckets<<<1u << sort.plan.upper, PLACE_THREADS, 0, gpu->stream>>>(sort.counts, sort.plan,
                                                                            unsigned(sort.tile()), sort.places);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

template <int ITEMS, class K, class Order>
scankit_error scatter_once(cuda_device *gpu, size_t tiles, const K *in, K *out, Order order, const scatter_pass &pass)
{
    constexpr int BYTES = sizeof(typename scatter_tile<K, ITEMS>::shared_memory);
    CHECK(cudaFuncSetAttribute(scatter_keys<ITEMS, K, Order>, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
    scatter_keys<ITEMS><<<unsigned(tiles), SCATTER_THREADS, BYTES, gpu->stream>>>(in, out, order, pass);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// In one pass to other, or in two to other and out; *at says where they are.
template <int ITEMS, class K, class Order> scankit_error scatter_all(const key_sort<K, Order> &sort, K **at)
{
    const bucket_plan &plan = sort.plan;
    const bucket_places &places = sort.places;
    scatter_pass first = {sort.n, plan.shift(), 1u << plan.bits, 0, nullptr, nullptr, nullptr, places.lower_cursor};
    *at = sort.other;
    if (plan.upper == 0)
        return scatter_once<ITEMS>(sort.gpu, sort.tiles(), sort.in, sort.other, sort.order, first);
    first.shift = plan.key_bits - plan.upper;
    first.bins = 1u << plan.upper;
    first.cursor = places.upper_cursor;
    TRY(scatter_once<ITEMS>(sort.gpu, sort.tiles(), sort.in, sort.other, sort.order, first));
    scatter_pass second = {sort.n,       plan.shift(),      1u << plan.lower(), plan.lower(),
                           places.parts, places.part_count, places.start,       places.lower_cursor};
    *at = sort.out;
    return scatter_once<ITEMS>(sort.gpu, sort.tiles() + (size_t(1) << plan.upper), sort.other, sort.out,
                               integer_order<K>{0}, second);
}

template <class K, class Order> scankit_error sort_all(const key_sort<K, Order> &sort, const K *from)
{
    cuda_device *gpu = sort.gpu;
    unsigned rest = sort.plan.shift(), *crowded = &sort.found->crowded;
    const unsigned *start = sort.places.start;
    sort_buckets<<<unsigned(sort.plan.count()), bucket_tile<K>::THREADS, 0, gpu->stream>>>(
        from, sort.out, start, sort.order, rest, crowded, sort.crowded);
    CHECK_LAUNCH();
    constexpr int BYTES = sizeof(typename sort_tile<K, no_value>::shared_memory);
    CHECK(cudaFuncSetAttribute(sort_crowded<K, Order>, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
    sort_crowded<<<2 * gpu->processors, SORT_THREADS, BYTES, gpu->stream>>>(from, sort.out, start, sort.order, rest,
                                                                            crowded, sort.crowded);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

template <class K, class Order>
scankit_error run(cuda_device *gpu, Order order, const K *in, K *out, size_t n, bool *done)
{
    key_sort<K, Order> sort = {gpu, order, in, out, n, plan_for(n, 8 * sizeof(K))};
    workspace scratch(gpu);
    *done = false;
    if (sort.plan.bits > MOST_BITS || gpu->shared_most < sizeof(uint16_t) << COUNT_BITS)
        return SCANKIT_OK;
    if (!take_memory(scratch, &sort))
        return SCANKIT_E_MEMORY;
    TRY(count(sort));
    findings found;
    TRY(cuda_fetch(gpu, &found, sort.found, sizeof found));
    *done = !found.descends || found.largest <= bucket_tile<K>::SIZE;
    if (!found.descends) {
        gpu->base.algorithm = "sorted";
        if (in != out)
            CHECK(cudaMemcpyAsync(out, in, n * sizeof(K), cudaMemcpyDeviceToDevice, gpu->stream));
        return SCANKIT_OK;
    }
    if (!*done)
        return SCANKIT_OK;
    gpu->base.algorithm = "hybrid";
    K *at;
    TRY(sort.few() ? scatter_all<SCATTER_ITEMS_FEW>(sort, &at) : scatter_all<SCATTER_ITEMS<K>>(sort, &at));
    return sort_all(sort, at);
}

template <class K>
scankit_error run_in_order(cuda_device *gpu, const sk_piece &piece, const void *in, void *out, size_t n, bool *done)
{
    const K *from = static_cast<const K *>(in);
    K *to = static_cast<K *>(out), flip = piece.descending ? K(~K(0)) : 0;
    if (piece.kind == SK_PIECE_FLOAT)
        return run(gpu, float_order<K>{flip}, from, to, n, done);
    if (piece.kind == SK_PIECE_SIGNED)
        flip ^= SK_SIGN_BIT(K);
    return run(gpu, integer_order<K>{flip}, from, to, n, done);
}

} // namespace

scankit_error hybrid_sort(cuda_device *gpu, const sk_piece &piece, const void *in, void *out, size_t n, bool *done)
{
    return piece.size == 4 ? run_in_order<uint32_t>(gpu, piece, in, out, n, done)
                           : run_in_order<uint64_t>(gpu, piece, in, out, n, done);
}
