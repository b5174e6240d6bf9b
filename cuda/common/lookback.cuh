// lookback.cuh - decoupled look-back (Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back,
// 2016): how the tiles of one launch learn what stands before them without waiting for a second launch.
//
// A tile takes its number from an atomic ticket, so that all lower tiles have begun; it publishes its aggregate before
// it waits, and waits only on lower tickets: that is free of deadlock on every GPU. Its descriptor is a word that is
// written and read at once, or for values of 8 bytes two such words with a mark each, so no fence is needed.
//
// Tickets and descriptors are the device's, and all launches use the same ones: nothing is cleared between. The word of
// the tickets counts launches in its high half, the epoch, and whoever takes a launch's last ticket begins the next
// epoch; descriptors are marked with it, and one that is of another epoch is not there yet.
#ifndef SK_CUDA_LOOKBACK_CUH
#define SK_CUDA_LOOKBACK_CUH

#include "common/warp.cuh"

enum lookback_status : uint32_t { NOTHING = 0, AGGREGATE = 1, PREFIX = 2 };

template <class T, bool WIDE = (sizeof(T) > 4)> struct descriptor;

// Tickets have a line of their own before the descriptors, and with them the result.
constexpr size_t TICKET_BYTES = 256;

// What a launch is handed (state.cuh).
template <class T> struct lookback_state {
    unsigned long long *tickets;
    unsigned long long *result; // room for a number that the host fetches before the next launch
    descriptor<T> *descriptors;
};

// ---- tickets ----

struct lookback_ticket {
    unsigned tile, epoch;
};

// One thread takes one of the launch's `all` tickets; all of them are taken in the end.
__device__ __forceinline__ lookback_ticket take_one_ticket(unsigned long long *tickets)
{
    unsigned long long word = atomicAdd(tickets, 1ull);
    return {unsigned(word), unsigned(word >> 32)};
}

// To be called with each ticket, of which the last begins the next epoch; apart from the taking, as that need not wait.
__device__ __forceinline__ void end_with_ticket(unsigned long long *tickets, unsigned tile, unsigned all)
{
    if (tile == all - 1)
        atomicAdd(tickets, (1ull << 32) - all);
}

// The block's tile, where blocks are tiles: every thread gets the same answer. A block that is alone needs no ticket.
__device__ __forceinline__ lookback_ticket take_ticket(unsigned long long *tickets)
{
    __shared__ lookback_ticket shared;
    if (gridDim.x == 1)
        return {0, 0};
    if (threadIdx.x == 0) {
        shared = take_one_ticket(tickets);
        end_with_ticket(tickets, shared.tile, gridDim.x);
    }
    __syncthreads();
    return shared;
}

// ---- marks: the epoch and the status, in the highest bits of a word ----

constexpr int MARK_BITS = 24, MARKED_BITS = 64 - MARK_BITS;
constexpr unsigned EPOCHS = 1u << (MARK_BITS - 2); // descriptors are cleared after so many
constexpr unsigned long long MARKED = (1ull << MARKED_BITS) - 1;

__device__ __forceinline__ unsigned long long marked(unsigned epoch, lookback_status status, unsigned long long bits)
{
    return (unsigned long long)(epoch << 2 | status) << MARKED_BITS | bits;
}

__device__ __forceinline__ uint32_t status_of(unsigned long long word, unsigned epoch)
{
    uint32_t status = uint32_t(word >> MARKED_BITS) ^ (epoch << 2 & ((1u << MARK_BITS) - 1));
    return status <= PREFIX ? status : uint32_t(NOTHING);
}

// A word, or 0 where it is not wanted: a mark of nothing.
__device__ __forceinline__ unsigned long long load_word(const unsigned long long *at, bool wanted)
{
    unsigned long long word;
    asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0; mov.b64 %0, 0;\n"
                 "@wanted ld.relaxed.gpu.global.u64 %0, [%1]; }"
                 : "=&l"(word)
                 : "l"(at), "r"(unsigned(wanted))
                 : "memory");
    return word;
}

// ---- descriptors: a value with its status ----

template <class T> struct described {
    T value;
    uint32_t status;
};

// Every word of 8 bytes is marked; a descriptor that has words without a mark says so (MARKED_THROUGHOUT), and gets
// memory apart, where no other kind of descriptor takes them for marked ones.
//
// A look that is not wanted finds nothing. It is the load that has the condition, and not a branch around it: loads
// behind branches would wait for one another.
//
// Values of up to 4 bytes share a word with their mark; those of 8 bytes are two such words.
template <class T> struct descriptor<T, false> {
    static constexpr bool MARKED_THROUGHOUT = true;
    unsigned long long word;

    static __device__ __forceinline__ void publish(descriptor *at, unsigned epoch, T value, lookback_status status)
    {
        uint32_t bits = 0;
        memcpy(&bits, &value, sizeof value);
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(marked(epoch, status, bits)) : "memory");
    }

    static __device__ __forceinline__ described<T> look(const descriptor *at, unsigned epoch, bool wanted = true)
    {
        unsigned long long word = load_word(&at->word, wanted);
        uint32_t bits = uint32_t(word);
        described<T> found;
        memcpy(&found.value, &bits, sizeof found.value);
        found.status = status_of(word, epoch);
        return found;
    }
};

template <class T> struct alignas(16) descriptor<T, true> {
    static constexpr bool MARKED_THROUGHOUT = true;
    unsigned long long word[2]; // a half of the value each: where the marks do not agree it is not there yet

    static __device__ __forceinline__ void publish(descriptor *at, unsigned epoch, T value, lookback_status status)
    {
        uint32_t half[2];
        memcpy(half, &value, sizeof half);
        asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(at), "l"(marked(epoch, status, half[0])),
                     "l"(marked(epoch, status, half[1]))
                     : "memory");
    }

    static __device__ __forceinline__ described<T> look(const descriptor *at, unsigned epoch, bool wanted = true)
    {
        unsigned long long low, high;
        asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %3, 0; mov.b64 %0, 0; mov.b64 %1, 0;\n"
                     "@wanted ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2]; }"
                     : "=&l"(low), "=&l"(high)
                     : "l"(at), "r"(unsigned(wanted))
                     : "memory");
        uint32_t half[2] = {uint32_t(low), uint32_t(high)};
        described<T> found;
        memcpy(&found.value, half, sizeof half);
        found.status = low >> MARKED_BITS == high >> MARKED_BITS ? status_of(low, epoch) : uint32_t(NOTHING);
        return found;
    }
};

// ---- counts of elements, past 2^32: they fit beside a mark ----

struct tile_count {
    unsigned long long value;
};

struct op_count {
    using type = tile_count;
    static __device__ __forceinline__ tile_count identity()
    {
        return {0};
    }
    static __device__ __forceinline__ tile_count combine(tile_count a, tile_count b)
    {
        return {a.value + b.value};
    }
};

__device__ __forceinline__ tile_count warp_up(tile_count count, int distance)
{
    return {__shfl_up_sync(FULL_WARP, count.value, distance)};
}

__device__ __forceinline__ tile_count warp_down(tile_count count, int distance)
{
    return {__shfl_down_sync(FULL_WARP, count.value, distance)};
}

__device__ __forceinline__ tile_count warp_from(tile_count count, int lane)
{
    return {__shfl_sync(FULL_WARP, count.value, lane)};
}

// Compaction in place writes where earlier tiles have read, which is safe with relaxed words too. A count is published
// when the tile is in registers or in shared memory, and it is made of what was read; a write depends on the counts of
// all tiles before. So a read that saw such a write would depend on itself, and no value comes out of thin air (PTX
// ISA, memory consistency model). Release and acquire would say the same, and cost the ring a third of its speed: a
// fence waits for the stores of the whole multiprocessor.
template <> struct descriptor<tile_count, true> {
    static constexpr bool MARKED_THROUGHOUT = true;
    unsigned long long word;

    static __device__ __forceinline__ void publish(descriptor *at, unsigned epoch, tile_count count,
                                                   lookback_status status)
    {
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(marked(epoch, status, count.value))
                     : "memory");
    }

    static __device__ __forceinline__ described<tile_count> look(const descriptor *at, unsigned epoch,
                                                                 bool wanted = true)
    {
        unsigned long long word = load_word(&at->word, wanted);
        return {{word & MARKED}, status_of(word, epoch)};
    }
};

// ---- one value a tile: a warp looks back ----

// Called by one whole warp of the tile's block; every lane gets what stands before the tile. `initial` stands before
// tile 0.
template <class Op>
__device__ __forceinline__ typename Op::type look_back(descriptor<typename Op::type> *descriptors,
                                                       lookback_ticket ticket, typename Op::type aggregate,
                                                       typename Op::type initial)
{
    using T = typename Op::type;
    if (gridDim.x == 1)
        return initial;
    if (ticket.tile > 0 && lane_id() == 0)
        descriptor<T>::publish(descriptors + ticket.tile, ticket.epoch, aggregate, AGGREGATE);

    T before = Op::identity();
    bool reached = ticket.tile == 0;
    // A window of 32 predecessors, lane 0 at the nearest.
    for (long long nearest = (long long)ticket.tile - 1; !reached; nearest -= WARP) {
        long long at = nearest - lane_id();
        described<T> found = {Op::identity(), PREFIX};
        do {
            if (at >= 0)
                found = descriptor<T>::look(descriptors + at, ticket.epoch);
        } while (__any_sync(FULL_WARP, found.status == NOTHING));
        unsigned prefixes = __ballot_sync(FULL_WARP, found.status == PREFIX);
        reached = prefixes != 0;
        // Lanes beyond the nearest prefix are in it already. Higher lanes stand to the left.
        if (reached && lane_id() > __ffs(prefixes) - 1u)
            found.value = Op::identity();
        T window = found.value;
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            T left = warp_down(window, distance);
            if (lane_id() + distance < WARP)
                window = Op::combine(left, window);
        }
        before = Op::combine(warp_from(window, 0), before);
    }
    if (ticket.tile == 0)
        before = initial;
    if (lane_id() == 0)
        descriptor<T>::publish(descriptors + ticket.tile, ticket.epoch, Op::combine(before, aggregate), PREFIX);
    return before;
}

// Whether what stands before a tile does not change what it comes to: its aggregate is its prefix then.
template <class Op> __device__ __forceinline__ bool is_prefix(typename Op::type aggregate)
{
    if constexpr (requires { Op::is_prefix(aggregate); })
        return Op::is_prefix(aggregate);
    else
        return false;
}

// The same in an order of operations that depends on nothing but the tiles: the aggregates of a tile's group, of a
// warp's size, and the prefix of the group before, which its last tile alone publishes. (A tile whose aggregate is its
// prefix calls it so, and it is both.)
template <class Op>
__device__ __forceinline__ typename Op::type look_back_in_groups(descriptor<typename Op::type> *descriptors,
                                                                 lookback_ticket ticket, typename Op::type aggregate,
                                                                 typename Op::type initial)
{
    using T = typename Op::type;
    if (gridDim.x == 1)
        return initial;
    unsigned group = ticket.tile / WARP * WARP;
    bool known = ticket.tile > 0 && is_prefix<Op>(aggregate), last = ticket.tile % WARP == WARP - 1;
    if (lane_id() == 0 && (known || !last))
        descriptor<T>::publish(descriptors + ticket.tile, ticket.epoch, aggregate, known ? PREFIX : AGGREGATE);

    described<T> found = {Op::identity(), AGGREGATE};
    do {
        if (group + lane_id() < ticket.tile)
            found = descriptor<T>::look(descriptors + group + lane_id(), ticket.epoch);
    } while (__any_sync(FULL_WARP, found.status == NOTHING));
    T before = warp_from(warp_scan<Op>(found.value), WARP - 1);
    if (!is_prefix<Op>(before)) {
        described<T> earlier = {initial, PREFIX};
        if (group > 0)
            do
                earlier = descriptor<T>::look(descriptors + group - 1, ticket.epoch);
            while (earlier.status != PREFIX);
        before = Op::combine(earlier.value, before);
    }
    if (lane_id() == 0 && last && !known)
        descriptor<T>::publish(descriptors + ticket.tile, ticket.epoch, Op::combine(before, aggregate), PREFIX);
    return before;
}

// ---- a count for each digit: a thread looks back in its column; these the host clears before each launch ----

// Counts of one launch stay below 2^30, so that count and status share a word of 4 bytes.
constexpr uint32_t COUNT_LIMIT = 1u << 30;

__device__ __forceinline__ void publish_count(uint32_t *at, uint32_t count, lookback_status status)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(at), "r"(count | uint32_t(status) << 30) : "memory");
}

// The tile's row of `columns` words; called with the same tile by the threads of all columns. The count of this column
// before the tile. Some predecessors are asked at once, since each answer takes its time.
__device__ __forceinline__ uint32_t look_back_column(uint32_t *rows, unsigned columns, unsigned column, unsigned tile,
                                                     uint32_t count)
{
    constexpr int WINDOW = 4;
    uint32_t before = 0;
    bool reached = tile == 0;
    for (long long nearest = (long long)tile - 1; !reached;) {
        uint32_t word[WINDOW];
#pragma unroll
        for (int i = 0; i < WINDOW; i++) {
            const uint32_t *at = rows + (nearest - i) * columns + column;
            word[i] = uint32_t(PREFIX) << 30;
            if (nearest >= i)
                asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word[i]) : "l"(at) : "memory");
        }
        bool here = true; // all up to this one are there
#pragma unroll
        for (int i = 0; i < WINDOW; i++) {
            here = here && !reached && word[i] >> 30 != NOTHING;
            before += here ? word[i] & (COUNT_LIMIT - 1) : 0;
            nearest -= here;
            reached = reached || (here && word[i] >> 30 == PREFIX);
        }
    }
    publish_count(rows + (size_t)tile * columns + column, before + count, PREFIX);
    return before;
}

#endif
