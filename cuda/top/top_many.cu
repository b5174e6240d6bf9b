// top_many.cu - the first elements in order, in three launches that the host does not wait between: a sample gives a
// threshold and the edges of buckets, the elements that pass the threshold are moved to the buckets, and each bucket is
// sorted by a block. So the elements that pass are moved twice.
#include "top/top_many.cuh"

#include "common/lookback_state.cuh"
#include "compact/choose.h"
#include "device/arena.cuh"
#include "device/launch.cuh"
#include "top/sort_taken.cuh"

// Entries of a bucket on average, as planned, and at most if there are not enough buckets; sampled elements of a cell.
constexpr unsigned TAKEN_MEAN = 1024, TAKEN_MEAN_MOST = 1280, CELL_SAMPLES = 8;

// False if too many buckets would be needed, or if the blocks of the sample would keep too few keys.
static bool plan_for(const sk_top_first &what, unsigned room, plan_sizes *sizes)
{
    unsigned place = unsigned(what.place), cells = place / CELL_SAMPLES > 0 ? place / CELL_SAMPLES : 1;
    *sizes = {(uint64_t(what.n) << 32) / what.samples,
              unsigned(what.samples),
              place,
              unsigned(what.end),
              unsigned(room / what.stride / 2) + 4,
              cells,
              1};
    unsigned kept = sizes->blocks() * sizes->kept(), most = (PLAN_BUCKETS - EDGES_BELOW) / cells;
    size_t found = place * what.stride, each = (found / cells - 1) / TAKEN_MEAN + 1;
    sizes->end = sizes->end < kept ? sizes->end : kept;
    sizes->each = unsigned(each < most ? each : most);
    return place > 0 && place < sizes->end && most > 0 && found / sizes->buckets() <= TAKEN_MEAN_MOST;
}

template <class E> static bucket_rooms<E> rooms_for(const sk_top_first &what, const plan_sizes &sizes, unsigned room)
{
    bucket_rooms<E> rooms = {nullptr, room, sizes.buckets(), 1, what.found, unsigned(what.found_room)};
    while (2 * rooms.half < rooms.buckets)
        rooms.half *= 2;
    return rooms;
}

template <class U, bool POSITIONS>
static scankit_error take_many(cuda_device *gpu, const sk_top_first &what, sk_top_end *end)
{
    using K = typename element_order<U>::key_type;
    using E = top_entry<U, POSITIONS>;
    using tile = taken_tile<U, POSITIONS>;
    const auto *in = static_cast<const U *>(what.in);
    const element_order<U> order(*what.order);
    workspace scratch(gpu);
    lookback_state<tile_count> state;
    bucket_plan<K> *plan;
    plan_sizes sizes;
    K *kept;
    E *spare;
    if (!plan_for(what, tile::SIZE, &sizes))
        return SCANKIT_OK;
    bucket_rooms<E> rooms = rooms_for<E>(what, sizes, tile::SIZE);
    if (!scratch.take(&plan, 1) || !scratch.take(&kept, PLAN_KEPT) || !scratch.take(&spare, tile::SIZE) ||
        !scratch.take(&rooms.first, size_t(rooms.buckets) * rooms.room))
        return SCANKIT_E_MEMORY;
    TRY(take_state(gpu, 0, &state));
    END_REHEARSAL(gpu);
    report(gpu, compact_algorithm::COLLECT);
    E *out = POSITIONS ? reinterpret_cast<E *>(what.positions) : static_cast<E *>(what.elements);
    TRY(launch(gpu, plan_buckets<U>, sizes.blocks(), TOP_THREADS, PLAN_ROOM<K>, in, sizes, order, POSITIONS, kept, plan,
               state.tickets));
    TRY(take_state(gpu, 0, &state));
    unsigned blocks = collect_blocks<U>(gpu->processors, what.n, TAKE_BLOCKS<U, POSITIONS>);
    TRY(launch(gpu, collect_buckets<U, POSITIONS>, blocks, COLLECT_THREADS, sizeof(collect_memory<U, POSITIONS>), in,
               what.n, sizes, order, plan, rooms, unsigned(what.k), state.tickets));
    TRY(launch(gpu, sort_taken<U, POSITIONS>, rooms.buckets, tile::THREADS, sizeof(bucket_memory<tile>), rooms, plan,
               what.n, sizes.counted(), unsigned(what.k), entry_order<U, POSITIONS>{order}, spare, out,
               static_cast<sk_top_end *>(cuda_result(gpu))));
    TRY(cuda_wait_result(gpu, end, sizeof *end));
    if (end->found > 0)
        return launch(gpu, gather_taken<U, POSITIONS>, rooms.buckets, TOP_THREADS, 0, rooms, plan,
                      entry_order<U, POSITIONS>{order});
    return SCANKIT_OK;
}

scankit_error top_many(cuda_device *gpu, const sk_top_first &what, sk_top_end *end)
{
    if (what.n > UINT32_MAX)
        return SCANKIT_OK;
    bool positions = what.positions != nullptr;
    if (what.element_size == 8)
        return positions ? SCANKIT_OK : take_many<uint64_t, false>(gpu, what, end);
    if (what.element_size == 4)
        return positions ? take_many<uint32_t, true>(gpu, what, end) : take_many<uint32_t, false>(gpu, what, end);
    return SCANKIT_OK;
}
