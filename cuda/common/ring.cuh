// ring.cuh - the persistent ring: a single pass over an array at the rate of a copy, for GPUs with bulk copies (sm_90
// and later). After Merrill and Garland 2016. One block per multiprocessor runs until there are no tiles left. The
// warps of a block have roles:
//
//     copier      takes tickets; starts bulk copies of tiles into the slots of a ring in shared memory, and out of them
//     consumers   reduce a tile; LAG tiles later, when its prefix is known, complete it
//     publisher   adds up the consumers' totals and publishes the tile's aggregate
//     looker      sums the published aggregates of all tiles before this one: the tile's prefix
//
// Why it is so: the latency of the look-back decides the speed of a scan. A block that processes one tile waits for it,
// and reaches 0.75 of a copy (u32 279 billion elements a second on an H100). Here a block loads and reduces the next
// tiles during that time, and reaches 0.99 (373 of 374). Each tile needs no block-wide barrier: roles hand tiles on
// through barriers of the slot. What was measured:
//
// - Without a lag a scan reaches 131, with 1, 2 and 3 tiles of 28 KB 211, 300 and 371. What counts are the bytes behind
//   and the bytes ahead: two tiles of 45 KB do as well as four of 28 KB. More of either takes slots from the other.
// - Where memory is faster, consumers wait for their own instructions. On an H200 ten of them compact 650, eight 590;
//   with twice the instructions eight compacted 510.
// - Prefixes are never published. A looker sums aggregates, so no tile waits for another tile's look-back. It keeps the
//   sum of whole groups of 128 tiles, and so reads each aggregate once (u64 142 to 180).
// - The looker's four loads must be in flight together, with their conditions in the loads (u64 180 to 185.6).
// - Each lane's vectors are contiguous, and their number is odd: so 16-byte accesses have no bank conflicts.
//
// There is no deadlock, whatever else the GPU runs: a block that has a ticket publishes its aggregate without waiting.
#ifndef SK_CUDA_RING_CUH
#define SK_CUDA_RING_CUH

#include "common/bulk.cuh"
#include "common/lookback.cuh"
#include "device/tuning.cuh"

// CONSUMERS: of a team. Teams take tiles in turn, and each is LAG tiles of its own behind.
template <int CONSUMER_WARPS, int LANE_VECTORS, int TILE_SLOTS, int TILES_BEHIND, int CONSUMER_TEAMS>
struct ring_shape {
    static constexpr int CONSUMERS = CONSUMER_WARPS, VECTORS = LANE_VECTORS, SLOTS = TILE_SLOTS, LAG = TILES_BEHIND,
                         TEAMS = CONSUMER_TEAMS, CONSUMING_WARPS = TEAMS * CONSUMERS;
    static constexpr int THREADS = (CONSUMING_WARPS + 3) * WARP;
    static_assert(SLOTS > TEAMS * LAG + 1);                // or the copier waits while all teams are behind
    static constexpr int PART_BYTES = VECTORS * WARP * 16; // a consumer's part of a tile
    static constexpr int TILE_BYTES = CONSUMERS * PART_BYTES;
};

constexpr unsigned NO_TILE = ~0u;

template <class T, int CONSUMERS> struct ring_slot {
    phase_barrier loaded;   // the tile, and its ticket
    phase_barrier reduced;  // the consumers' totals
    phase_barrier prefixed; // the tile's prefix
    phase_barrier done;     // the tile is complete, and its aggregate published
    lookback_ticket ticket; // tile NO_TILE: no tiles are left
    alignas(16) T totals[CONSUMERS];
    T before_tile;
};

constexpr unsigned RING_AHEAD = 16; // bytes before a tile that are copied with it, if `ahead` is set

template <class T, class Shape> struct ring_memory {
    struct {
        alignas(128) unsigned char before[128]; // RING_AHEAD bytes at its end
        unsigned char tile[Shape::TILE_BYTES];
    } in[Shape::SLOTS];
    ring_slot<T, Shape::CONSUMERS> slot[Shape::SLOTS];
};

// The tiles of an array begin at multiples of 16 bytes, so the first one begins up to 15 bytes before the array.
struct ring_arguments {
    const unsigned char *in; // the first tile, at a multiple of 16 bytes
    unsigned char *out;      // the same place of the output
    size_t low, high;        // the array's bytes, counted from `in`
    bool bulk_out;           // the copier stores whole tiles
    bool ahead;              // whole tiles are copied with RING_AHEAD bytes before them
};

// A tile or a consumer's part of one: it begins at `begin`, and its bytes [low, high) belong to the array.
struct ring_place {
    size_t begin;
    unsigned low, high;
};

__device__ __forceinline__ ring_place place_of(const ring_arguments &to, size_t begin, unsigned size)
{
    ring_place place = {begin, 0, size};
    if (begin < to.low)
        place.low = to.low - begin < size ? unsigned(to.low - begin) : size;
    if (begin + size > to.high)
        place.high = begin < to.high ? unsigned(to.high - begin) : 0;
    return place;
}

template <class Shape>
__device__ __forceinline__ ring_place part_of(const ring_arguments &to, size_t tile, unsigned warp, bool whole)
{
    size_t begin = tile * Shape::TILE_BYTES + warp * Shape::PART_BYTES;
    return whole ? ring_place{begin, 0, Shape::PART_BYTES} : place_of(to, begin, Shape::PART_BYTES);
}

// The copier loads and stores whole tiles. Each consumer loads and stores its part of other tiles.
template <class Shape> __device__ __forceinline__ bool is_whole(const ring_arguments &to, size_t tile)
{
    return tile * Shape::TILE_BYTES >= to.low && (tile + 1) * Shape::TILE_BYTES <= to.high;
}

// Walks over the slots: the current one, and the parity of its barriers.
template <int SLOTS> struct ring_position {
    unsigned slot = 0, parity = 0;
    __device__ __forceinline__ void advance()
    {
        if (++slot == SLOTS) {
            slot = 0;
            parity ^= 1;
        }
    }
};

// Goes on to the next tile of a team.
template <class Shape> __device__ __forceinline__ void next_of_team(ring_position<Shape::SLOTS> &position)
{
#pragma unroll
    for (int team = 0; team < Shape::TEAMS; team++)
        position.advance();
}

// With such an Op the publisher replaces each part's total by what is before the part in the tile. So a consumer waits
// for one barrier less, and adds nothing up. Op::sum_lanes(own) is the total of all lanes' parts, for each lane, and
// Op::before_lane(own) the total of the lanes below.
template <class Op> constexpr bool PUBLISHES_PARTS = requires(typename Op::type total)
{
    Op::before_lane(total);
};

template <class Op, class Shape> __device__ __forceinline__ void ring_open(ring_memory<typename Op::type, Shape> &ring)
{
    constexpr bool PARTS = PUBLISHES_PARTS<Op>;
    if (threadIdx.x < Shape::SLOTS) {
        auto &slot = ring.slot[threadIdx.x];
        slot.loaded.open(1);
        slot.reduced.open(Shape::CONSUMERS);
        slot.prefixed.open(PARTS ? 1 + Shape::CONSUMERS : 1);
        slot.done.open(PARTS ? Shape::CONSUMERS : Shape::CONSUMERS + 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        bulk_fence();
    }
    __syncthreads();
}

// ---- the roles ----

// One lane. Stores a tile as soon as it is done. Loads a slot again when all stores but the last one have read their
// slots, so one store is always in flight. If consumers store all tiles, loads a slot again as soon as its tile is
// done.
template <bool STORES, class T, class Shape>
__device__ __forceinline__ void ring_copy(const ring_arguments &to, ring_memory<T, Shape> &ring,
                                          unsigned long long *tickets)
{
    constexpr int TILE_BYTES = Shape::TILE_BYTES;
    unsigned tiles = unsigned((to.high - 1) / TILE_BYTES + 1), all = tiles + gridDim.x;
    ring_position<Shape::SLOTS> load, store;
    unsigned in_ring = 0; // tiles loaded but not yet stored
    auto store_next = [&] {
        auto &slot = ring.slot[store.slot];
        slot.done.wait(store.parity);
        size_t tile = slot.ticket.tile;
        if (STORES && to.bulk_out && is_whole<Shape>(to, tile))
            bulk_store(to.out + tile * TILE_BYTES, ring.in[store.slot].tile, TILE_BYTES);
        store.advance();
        in_ring--;
    };
    for (lookback_ticket ticket = take_one_ticket(tickets);; load.advance()) {
        auto &slot = ring.slot[load.slot];
        while (in_ring > Shape::SLOTS - (STORES ? 2 : 1))
            store_next();
        if (STORES)
            bulk_wait_read<1>();
        if (ticket.tile >= tiles) {
            end_with_ticket(tickets, ticket.tile, all);
            slot.ticket.tile = NO_TILE; // for one team
            slot.loaded.arrive();
            break;
        }
        slot.ticket = ticket;
        if (is_whole<Shape>(to, ticket.tile)) {
            unsigned ahead = to.ahead && ticket.tile > 0 ? RING_AHEAD : 0;
            slot.loaded.expect(TILE_BYTES + ahead);
            bulk_load(ring.in[load.slot].tile - ahead, to.in + size_t(ticket.tile) * TILE_BYTES - ahead,
                      TILE_BYTES + ahead, &slot.loaded);
        } else {
            slot.loaded.arrive(); // the consumers load it
        }
        in_ring++;
        ticket = take_one_ticket(tickets);
    }
    for (int team = 1; team < Shape::TEAMS; team++) { // each team finds a slot without a tile
        while (in_ring > Shape::SLOTS - 1 - team)
            store_next();
        load.advance();
        ring.slot[load.slot].ticket.tile = NO_TILE;
        ring.slot[load.slot].loaded.arrive();
    }
    while (in_ring > 0)
        store_next();
    if (STORES)
        bulk_wait_read<0>();
}

// The tile's total; and the prefix of a consumer's part.
template <class Op, int CONSUMERS>
__device__ __forceinline__ typename Op::type fold_totals(const typename Op::type (&totals)[CONSUMERS])
{
    typename Op::type all = totals[0];
#pragma unroll
    for (int w = 1; w < CONSUMERS; w++)
        all = Op::combine(all, totals[w]);
    return all;
}

// An Op may have a faster way for all lanes of a warp.
template <class Op, int CONSUMERS>
__device__ __forceinline__ typename Op::type fold_totals(typename Op::type before,
                                                         const typename Op::type (&totals)[CONSUMERS], unsigned warp)
{
    if constexpr (requires { Op::before_part(before, totals, warp); }) {
        return Op::before_part(before, totals, warp);
    } else {
#pragma unroll
        for (int w = 0; w < CONSUMERS - 1; w++)
            before = w < warp ? Op::combine(before, totals[w]) : before;
        return before;
    }
}

template <class Op, class T, int CONSUMERS>
__device__ __forceinline__ T prefix_of_part(const ring_slot<T, CONSUMERS> &slot, unsigned warp)
{
    if constexpr (PUBLISHES_PARTS<Op>)
        return Op::combine(slot.before_tile, slot.totals[warp]);
    else
        return fold_totals<Op>(slot.before_tile, slot.totals, warp);
}

// One lane, so there are no shuffles: its latency is on every block's critical path.
template <class Op, class Shape>
__device__ __forceinline__ void ring_publish(ring_memory<typename Op::type, Shape> &ring,
                                             descriptor<typename Op::type> *descriptors)
{
    using T = typename Op::type;
    for (ring_position<Shape::SLOTS> at;; at.advance()) {
        auto &slot = ring.slot[at.slot];
        slot.loaded.wait(at.parity);
        lookback_ticket ticket = slot.ticket;
        if (ticket.tile == NO_TILE)
            return;
        slot.reduced.wait(at.parity);
        descriptor<T>::publish(descriptors + ticket.tile, ticket.epoch, fold_totals<Op>(slot.totals), AGGREGATE);
        slot.done.arrive();
    }
}

// The same by one warp, if it publishes parts.
template <class Op, class Shape>
__device__ __forceinline__ void ring_publish_parts(ring_memory<typename Op::type, Shape> &ring,
                                                   descriptor<typename Op::type> *descriptors)
{
    using T = typename Op::type;
    for (ring_position<Shape::SLOTS> at;; at.advance()) {
        auto &slot = ring.slot[at.slot];
        slot.loaded.wait(at.parity);
        lookback_ticket ticket = slot.ticket;
        if (ticket.tile == NO_TILE)
            return;
        slot.reduced.wait(at.parity);
        T own = lane_id() < Shape::CONSUMERS ? slot.totals[lane_id()] : Op::identity();
        T all = Op::sum_lanes(own);
        if (lane_id() == 0)
            descriptor<T>::publish(descriptors + ticket.tile, ticket.epoch, all, AGGREGATE);
        T before = Op::before_lane(own);
        __syncwarp(); // all lanes have read theirs
        if (lane_id() < Shape::CONSUMERS) {
            slot.totals[lane_id()] = before;
            slot.prefixed.arrive();
        }
    }
}

// Has no branch if the descriptor's look() takes a condition.
template <class T> __device__ __forceinline__ described<T> look_if(bool wanted, const descriptor<T> *at, unsigned epoch)
{
    if constexpr (requires { descriptor<T>::look(at, epoch, wanted); })
        return descriptor<T>::look(at, epoch, wanted);
    else
        return wanted ? descriptor<T>::look(at, epoch) : described<T>();
}

// A lane's aggregates of a group of tiles. Neighbouring lanes read neighbouring descriptors, which all blocks read. The
// sum of a group does not depend on who computes it or when. So the order of all operations of the ring depends only on
// n and on the array's address modulo 16.
constexpr int RING_LOOKS = 4;
constexpr unsigned RING_GROUP = RING_LOOKS * WARP;

template <class Op> struct ring_group {
    using T = typename Op::type;
    described<T> found[RING_LOOKS] = {};

    // Reads each missing descriptor of the tiles before `end` once, all loads in flight together. Returns true if some
    // are still missing.
    __device__ __forceinline__ bool look(const descriptor<T> *descriptors, unsigned epoch, unsigned group, unsigned end)
    {
        described<T> seen[RING_LOOKS];
        bool wanted[RING_LOOKS], missing = false;
#pragma unroll
        for (int i = 0; i < RING_LOOKS; i++) {
            unsigned tile = group * RING_GROUP + i * WARP + lane_id();
            wanted[i] = found[i].status == NOTHING && tile < end;
            seen[i] = look_if(wanted[i], descriptors + tile, epoch);
        }
#pragma unroll
        for (int i = 0; i < RING_LOOKS; i++) {
            found[i] = wanted[i] ? seen[i] : found[i];
            missing |= wanted[i] && seen[i].status == NOTHING;
        }
        return missing;
    }

    // From an array of totals.
    __device__ __forceinline__ void load(const T *totals, unsigned group, unsigned end)
    {
#pragma unroll
        for (int i = 0; i < RING_LOOKS; i++) {
            unsigned tile = group * RING_GROUP + i * WARP + lane_id();
            found[i].value = tile < end ? totals[tile] : Op::identity();
        }
    }

    // The sum of the tiles before `end`, none of which is missing. For every lane.
    __device__ __forceinline__ T sum(unsigned group, unsigned end) const
    {
        if constexpr (requires { Op::sum_group(found, group, end); }) {
            return Op::sum_group(found, group, end);
        } else {
            T own = Op::identity();
#pragma unroll
            for (int i = 0; i < RING_LOOKS; i++) {
                T value = group * RING_GROUP + i * WARP + lane_id() < end ? found[i].value : Op::identity();
                if constexpr (is_commutative<Op>)
                    own = Op::combine(own, value);
                else
                    own = Op::combine(own, warp_from(warp_scan<Op>(value), WARP - 1));
            }
            if constexpr (is_commutative<Op>)
                own = warp_from(warp_scan<Op>(own), WARP - 1);
            return own;
        }
    }
};

// One warp.
template <class Op, class Shape>
__device__ __forceinline__ void ring_look(ring_memory<typename Op::type, Shape> &ring,
                                          const descriptor<typename Op::type> *descriptors, typename Op::type initial)
{
    using T = typename Op::type;
    T running = initial; // the prefix of `group`
    unsigned group = 0;
    ring_group<Op> open; // the group of the current tile
    for (ring_position<Shape::SLOTS> at;; at.advance()) {
        auto &slot = ring.slot[at.slot];
        slot.loaded.wait(at.parity);
        lookback_ticket ticket = lane_id() == 0 ? slot.ticket : lookback_ticket();
        unsigned tile = warp_from(ticket.tile, 0), epoch = warp_from(ticket.epoch, 0);
        if (tile == NO_TILE)
            return;
        for (; group < tile / RING_GROUP; group++) {
            ring_group<Op> next;
            next.look(descriptors, epoch, group + 1, tile); // in flight with the last loads of the open group
            while (open.look(descriptors, epoch, group, tile))
                continue;
            __syncwarp();
            running = Op::combine(running, open.sum(group, tile));
            open = next;
        }
        while (open.look(descriptors, epoch, group, tile))
            continue;
        __syncwarp();
        T before = Op::combine(running, open.sum(group, tile));
        if (lane_id() == 0) {
            slot.before_tile = before;
            slot.prefixed.arrive();
        }
    }
}

// A work with a member CONSUMERS_STORE never lets the copier store, and writes to a slot only in reduce(), with a
// fence.
template <class Work> constexpr bool CONSUMERS_STORE = requires
{
    Work::CONSUMERS_STORE;
};

// A consumer. work.reduce(part, place, whole, saved) returns the total of its part of a tile, to the last lane, and
// saves what it needs later. work.complete(part, place, whole, before, saved) completes the part when its prefix is
// known.
template <class Op, class Shape, class Work>
__device__ __forceinline__ void ring_consume(const ring_arguments &to, ring_memory<typename Op::type, Shape> &ring,
                                             const Work &work)
{
    using T = typename Op::type;
    constexpr int LAG = Shape::LAG;
    unsigned warp = threadIdx.x / WARP, loaded = 0, completed = 0; // warp: in its team
    typename Work::saved saved[LAG + 1];                           // saved[i]: of the tile of i steps ago
    ring_position<Shape::SLOTS> front, back;
    if constexpr (Shape::TEAMS > 1) {
        for (; warp >= Shape::CONSUMERS; warp -= Shape::CONSUMERS)
            front.advance();
        back = front;
    }
    bool more = true;
    for (unsigned step = 0; more || completed < loaded; step++) {
#pragma unroll
        for (int i = LAG; i > 0; i--)
            saved[i] = saved[i - 1];
        if (more) {
            auto &slot = ring.slot[front.slot];
            slot.loaded.wait(front.parity);
            more = slot.ticket.tile != NO_TILE;
            if (more) {
                bool whole = is_whole<Shape>(to, slot.ticket.tile);
                T total = work.reduce(ring.in[front.slot].tile + warp * Shape::PART_BYTES,
                                      part_of<Shape>(to, slot.ticket.tile, warp, whole), whole, saved[0]);
                if (lane_id() == WARP - 1) {
                    slot.totals[warp] = total;
                    slot.reduced.arrive();
                }
                next_of_team<Shape>(front);
                loaded++;
            }
        }
        if (step >= LAG && completed < loaded) {
            auto &slot = ring.slot[back.slot];
            if (!PUBLISHES_PARTS<Op>)
                slot.reduced.wait(back.parity);
            slot.prefixed.wait(back.parity);
            bool whole = is_whole<Shape>(to, slot.ticket.tile);
            T before = prefix_of_part<Op>(slot, warp);
            work.complete(ring.in[back.slot].tile + warp * Shape::PART_BYTES,
                          part_of<Shape>(to, slot.ticket.tile, warp, whole), whole, before, saved[LAG]);
            if (!CONSUMERS_STORE<Work>)
                bulk_fence();
            __syncwarp();
            if (lane_id() == 0)
                slot.done.arrive();
            next_of_team<Shape>(back);
            completed++;
        }
    }
}

// The body of a kernel: each warp takes its role.
template <class Op, class Shape, class Work>
__device__ __forceinline__ void ring_run(const ring_arguments &to, const lookback_state<typename Op::type> &state,
                                         typename Op::type initial, const Work &work)
{
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) unsigned char memory[];
    auto &ring = *reinterpret_cast<ring_memory<typename Op::type, Shape> *>(memory);
    ring_open<Op>(ring);
    unsigned warp = threadIdx.x / WARP;
    if (warp < Shape::CONSUMING_WARPS) {
        ring_consume<Op>(to, ring, work);
    } else if (warp == Shape::CONSUMING_WARPS) {
        ring_look<Op>(ring, state.descriptors, initial);
    } else if (warp == Shape::CONSUMING_WARPS + 1) {
        if constexpr (PUBLISHES_PARTS<Op>)
            ring_publish_parts<Op>(ring, state.descriptors);
        else if (lane_id() == 0)
            ring_publish<Op>(ring, state.descriptors);
    } else if (lane_id() == 0) {
        ring_copy<!CONSUMERS_STORE<Work>>(to, ring, state.tickets);
    }
#else
    __trap(); // the host never launches it here
#endif
}

#endif
