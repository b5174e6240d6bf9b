// interpret.cuh - a predicate's program, run step by step. Every thread takes the same steps, for several elements at a
// time, so that what it costs to read a step and to branch to it is shared between them.
#ifndef SK_CUDA_GRID_INTERPRET_CUH
#define SK_CUDA_GRID_INTERPRET_CUH

#include <type_traits>

#include "compact/compact_tiles.cuh"
#include "program.h"

// A step of sk_program, in 16 bytes. Of a and b one may be the payload, which is a constant then.
struct __align__(16) device_step
{
    uint8_t code, to, a, b, c; // registers
    uint8_t type, swap;        // LOAD
    uint8_t unused;
    uint64_t payload; // a constant; LOAD: the offset; IN: the first range, and in the upper half how many
};

constexpr unsigned PAYLOAD = 255;                         // as an operand
constexpr unsigned SPARE_REGISTER = SK_PROGRAM_REGISTERS; // of what makes these steps from the program's
constexpr unsigned STEP_CONSTANT = 255;                   // to = payload

// The steps lie in the device's memory, with one more behind the last that is read but not run.
struct device_program {
    const device_step *steps;
    unsigned step_count, result;
};

// A register holds one number an element in a slot: integers extended, the bits of floats. Slots of 4 bytes do where
// nothing in the program is wider.
template <class Slot, class T> __device__ __forceinline__ Slot slot_of_number(T number)
{
    if constexpr (sizeof(T) > sizeof(Slot))
        return 0; // such a step is not in a program of narrow slots
    else if constexpr (std::is_same_v<T, float>)
        return __float_as_uint(number);
    else if constexpr (std::is_same_v<T, double>)
        return uint64_t(__double_as_longlong(number));
    else
        return Slot(number);
}

template <class Slot, class Element>
__device__ __forceinline__ Slot load_field(const Element &element, const device_step &step)
{
    switch (step.type) {
#define X(enumerator, name, ctype, kind) \
    case SCANKIT_##enumerator: \
        return slot_of_number<Slot>(loaded(element.template get<ctype>(step.payload, step.swap)));
        SCANKIT_TYPES(X)
#undef X
    }
    return 0;
}

// The bits of the N elements that match; position is that of the first, and they lie in rows of per_row (a power of
// two) neighbours, a lane after the other.
template <class Slot, int N, class Element>
__device__ __noinline__ unsigned interpret(device_program program, const Element *element, uint64_t position,
                                           unsigned per_row, const set_range *ranges)
{
    struct __align__(16) slots
    {
        Slot of[N];
    };
    slots reg[SK_PROGRAM_REGISTERS + 1];
    device_step next = program.steps[0];
    for (unsigned s = 0; s < program.step_count; s++) {
        const device_step step = next;
        next = program.steps[s + 1];
        slots a, b, to;
        if (step.a == PAYLOAD)
#pragma unroll
            for (int i = 0; i < N; i++)
                a.of[i] = Slot(step.payload);
        else
            a = reg[step.a];
        if (step.b == PAYLOAD)
#pragma unroll
            for (int i = 0; i < N; i++)
                b.of[i] = Slot(step.payload);
        else
            b = reg[step.b];
        switch (step.code) {
#define X(name, R, T, expression)                                                                             \
    case SK_STEP_##name##_##T:                                                                                \
        if constexpr (sizeof(SK_C_##R) <= sizeof(Slot) && sizeof(SK_C_##T) <= sizeof(Slot))                   \
            _Pragma("unroll") for (int i = 0; i < N; i++) to.of[i] = slot_of_number<Slot>(                    \
                step_##name##_##T(number_from_bits<SK_C_##T>(a.of[i]), number_from_bits<SK_C_##T>(b.of[i]))); \
        break;
            SK_STEPS(X)
#undef X
        case SK_STEP_LOAD:
#pragma unroll
            for (int i = 0; i < N; i++)
                to.of[i] = load_field<Slot>(element[i], step);
            break;
        case SK_STEP_POSITION:
#pragma unroll
            for (int i = 0; i < N; i++)
                to.of[i] = Slot(position + i / per_row * WARP * per_row + i % per_row);
            break;
        case SK_STEP_SELECT_32:
        case SK_STEP_SELECT_64: {
            slots c = reg[step.c];
#pragma unroll
            for (int i = 0; i < N; i++)
                to.of[i] = uint8_t(a.of[i]) ? b.of[i] : c.of[i];
            break;
        }
#define IN(T)                                                                                      \
    case SK_STEP_IN_##T:                                                                           \
        for (int i = 0; i < N; i++)                                                                \
            to.of[i] = is_in(number_from_bits<SK_C_##T>(a.of[i]), ranges + unsigned(step.payload), \
                             unsigned(step.payload >> 32));                                        \
        break;
            IN(U64)
            IN(I64)
            IN(F64)
#undef IN
        case STEP_CONSTANT: to = a; break;
        }
        reg[step.to] = to;
    }
    slots matches = reg[program.result];
    unsigned bits = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
        bits |= unsigned(matches.of[i] & 1) << i;
    return bits;
}

template <class Slot> struct match_interpreted {
    device_program program;

    // So many elements at once, in part of a row of vectors or in several.
    template <class U>
    __device__ __forceinline__ void scalars(const compact_tile<U> &data, size_t begin, const compact_arguments &to,
                                            unsigned (&bits)[COMPACT_VECTORS<U>]) const
    {
        using elements = compact_tile<U>;
        using W = std::conditional_t<(sizeof(U) > 4), uint64_t, uint32_t>;
        constexpr int PER_ROW = elements::PER_VECTOR, ALL = COMPACT_VECTORS<U> * PER_ROW;
        constexpr int AT_ONCE = INTERPRET_ITEMS<Slot>, CHUNK = AT_ONCE < PER_ROW ? AT_ONCE : PER_ROW;
        static_assert(ALL % AT_ONCE == 0);
#pragma unroll
        for (int r = 0; r < COMPACT_VECTORS<U>; r++)
            bits[r] = 0;
#pragma unroll
        for (int first = 0; first < ALL; first += AT_ONCE) {
            word_element<W> element[AT_ONCE];
#pragma unroll
            for (int i = 0; i < AT_ONCE; i++)
                element[i].word = data.row[(first + i) / PER_ROW].item[(first + i) % PER_ROW];
            size_t position = to.first + begin + elements::place(first / PER_ROW) + first % PER_ROW;
            unsigned matching = interpret<Slot, AT_ONCE>(program, element, position, PER_ROW, to.ranges);
#pragma unroll
            for (int i = 0; i < AT_ONCE; i += CHUNK)
                bits[(first + i) / PER_ROW] |= (matching >> i & ((1u << CHUNK) - 1)) << (first + i) % PER_ROW;
        }
    }

    __device__ __forceinline__ bool record(memory_element element, size_t position, const compact_arguments &to) const
    {
        return interpret<Slot, 1>(program, &element, to.first + position, 1, to.ranges);
    }
};

#endif
