// lookback.cuh - decoupled look-back (Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back,
// 2016): how the tiles of one launch compute their prefixes.
//
// A tile takes its number from an atomic ticket, so all lower tiles have started. It publishes its aggregate before it
// waits, and waits only for lower tickets. So there is no deadlock on any GPU, whatever else it runs.
//
// A descriptor is one word that holds the value and its status, so the two arrive together and no fence is needed. For
// values of 8 bytes it is two words, each with its own mark. Release and acquire instead of relaxed words would be
// correct too, but cost a third of the speed of a compaction (394 to 278 billion elements a second on an H100): a
// release waits for all stores of the multiprocessor, and some are always in flight.
//
// All launches of a device share tickets and descriptors, and nothing is cleared between launches. That makes small
// arrays faster (2^16 elements: from 1.36 to 2.3 times CUB). The ticket word counts launches in its high half: the
// epoch. Whoever takes the last ticket of a launch starts the next epoch. Each descriptor is marked with its epoch, and
// one with another epoch counts as empty.
#ifndef SK_CUDA_LOOKBACK_CUH
#define SK_CUDA_LOOKBACK_CUH

#include "common/warp.cuh"

enum lookback_status : uint32_t { NOTHING = 0, AGGREGATE = 1, PREFIX = 2 };

template <class T, bool WIDE = (sizeof(T) > 4)> struct descriptor;

// Tickets and the result have a cache line of their own before the descriptors.
constexpr size_t TICKET_BYTES = 256;

// What a launch gets (lookback_state.cuh).
template <class T> struct lookback_state {
    unsigned long long *tickets;
    unsigned long long *result; // a number for the host, which fetches it before the next launch
    descriptor<T> *descriptors;
};

// ---- tickets ----

struct lookback_ticket {
    unsigned tile, epoch;
};

// One thread takes a ticket. A launch takes each of its `all` tickets.
__device__ __forceinline__ lookback_ticket take_one_ticket(unsigned long long *tickets)
{
    unsigned long long word = atomicAdd(tickets, 1ull);
    return {unsigned(word), unsigned(word >> 32)};
}

// Call this with each ticket: the last one starts the next epoch. It is apart from the taking, which need not wait.
__device__ __forceinline__ void end_with_ticket(unsigned long long *tickets, unsigned tile, unsigned all)
{
    if (tile == all - 1)
        atomicAdd(tickets, (1ull << 32) - all);
}

// One thread per block calls this after it has stored the block's result. True in the last of `all` blocks to do so,
// which then sees the results of all.
__device__ __forceinline__ bool is_last_to_finish(unsigned long long *tickets, unsigned all)
{
    __threadfence();
    unsigned ticket = take_one_ticket(tickets).tile;
    end_with_ticket(tickets, ticket, all);
    __threadfence();
    return ticket == all - 1;
}

// The block's tile, for all threads. A single block needs no ticket.
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
constexpr unsigned EPOCHS = 1u << (MARK_BITS - 2); // after these, descriptors are cleared
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

// Loads a word, if it is wanted. Otherwise returns 0, which is marked as empty.
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

// MARKED_THROUGHOUT: every word of 8 bytes has a mark. Descriptors with other words use separate memory, so that their
// words are never taken for marks.
//
// look() with wanted = false returns NOTHING. The condition is in the load, not in a branch around it: loads behind
// branches wait for each other (scan of u64 180 instead of 185.6 billion elements a second).
//
// Values of up to 4 bytes share a word with their mark. Values of 8 bytes are two such words.
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
    unsigned long long word[2]; // half of the value each; if the marks differ, it is not complete yet

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

// ---- counts of elements, up to 2^40: they fit beside a mark ----

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

    // The count before a part of a tile, for all lanes of a warp.
    template <int PARTS>
    static __device__ __forceinline__ type before_part(type before_tile, const type (&totals)[PARTS], unsigned part)
    {
        return {before_tile.value + warp_sum(lane_id() < part ? unsigned(totals[lane_id()].value) : 0)};
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

// Compaction in place stores to places that earlier tiles have read. Relaxed words are enough for that. A count is
// computed from the elements that were read, and published after the tile is in registers or shared memory. A store
// depends on the counts of all earlier tiles. So a read that saw such a store would depend on itself, and the memory
// model excludes that: no value appears out of thin air (PTX ISA, memory consistency model).
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

// ---- one value per tile: a warp looks back ----

// Called by one whole warp of the tile's block. Every lane gets the tile's exclusive prefix. `initial` is the prefix of
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
    // A window of 32 predecessors, the nearest at lane 0
    for (long long nearest = (long long)ticket.tile - 1; !reached; nearest -= WARP) {
        long long at = nearest - lane_id();
        described<T> found = {Op::identity(), PREFIX};
        do {
            if (at >= 0)
                found = descriptor<T>::look(descriptors + at, ticket.epoch);
        } while (__any_sync(FULL_WARP, found.status == NOTHING));
        unsigned prefixes = __ballot_sync(FULL_WARP, found.status == PREFIX);
        reached = prefixes != 0;
        // The nearest prefix includes the tiles of higher lanes. Higher lanes are to the left.
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

// True if the aggregate is already the inclusive prefix: nothing before the tile changes it.
template <class Op> __device__ __forceinline__ bool is_prefix(typename Op::type aggregate)
{
    if constexpr (requires { Op::is_prefix(aggregate); })
        return Op::is_prefix(aggregate);
    else
        return false;
}

// The same in an order of operations that depends on the tiles alone. Tiles are in groups of 32: a tile combines the
// aggregates of its group before it, and the prefix of the group before, which only that group's last tile publishes.
// (A tile whose aggregate is already its prefix publishes it as a prefix, and it serves as both.)
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

// ---- a count per digit: each thread looks back in its column; the host clears these words before each launch ----

// Counts of one launch are below 2^30, so count and status share a word of 4 bytes.
constexpr uint32_t COUNT_LIMIT = 1u << 30;

__device__ __forceinline__ void publish_count(uint32_t *at, uint32_t count, lookback_status status)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(at), "r"(count | uint32_t(status) << 30) : "memory");
}

// The count of this column before the tile. A tile has a row of `columns` words, and the threads of all columns call
// this with the same tile. Four predecessors are read at a time, to overlap their latencies.
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
        bool here = true; // all words up to this one are valid
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
