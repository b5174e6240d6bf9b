// interpret.cuh - runs a predicate's program step by step. All threads run the same steps. Each handles several
// elements at a time, which share the cost of reading a step and branching to it.
#ifndef SK_CUDA_INTERPRET_CUH
#define SK_CUDA_INTERPRET_CUH

#include <type_traits>

#include "compact/compact_tiles.cuh"
#include "program.h"

// A step of sk_program in 16 bytes. One of a and b may be PAYLOAD: then the payload is a constant.
struct __align__(16) device_step
{
    uint8_t code, to, a, b, c; // registers
    uint8_t type, swap;        // LOAD
    uint8_t unused;
    uint64_t payload; // a constant; LOAD: the offset; IN: the first range, and the number of ranges in the upper half
};

constexpr unsigned PAYLOAD = 255;                         // as an operand
constexpr unsigned SPARE_REGISTER = SK_PROGRAM_REGISTERS; // for constants that do not fit a step
constexpr unsigned STEP_CONSTANT = 255;                   // to = payload

// The steps are in the device's memory. One more after the last is read but not run.
struct device_program {
    const device_step *steps;
    unsigned step_count, result;
};

// A slot holds one number: integers are extended, floats are kept as bits. Slots of 4 bytes suffice if nothing in the
// program is wider.
template <class Slot, class T> __device__ __forceinline__ Slot slot_of_number(T number)
{
    if constexpr (sizeof(T) > sizeof(Slot))
        return 0; // a program of narrow slots has no such step
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
    case SCANKIT_##enumerator:           \
        return slot_of_number<Slot>(loaded(element.template get<ctype>(step.payload, step.swap)));
        SCANKIT_TYPES(X)
#undef X
    }
    return 0;
}

// A register: a slot for each of N elements.
template <class Slot, int N> struct __align__(16) slots
{
    Slot of[N];
};

template <class Slot, int N>
__device__ __forceinline__ slots<Slot, N> operand(const slots<Slot, N> *reg, unsigned which, const device_step &step)
{
    if (which != PAYLOAD)
        return reg[which];
    slots<Slot, N> constant;
#pragma unroll
    for (int i = 0; i < N; i++)
        constant.of[i] = Slot(step.payload);
    return constant;
}

// Elements whose predicate is evaluated. They are in rows of per_row (a power of two) neighbours, one lane after the
// other; position is the first one's.
template <class Element> struct element_rows {
    const Element *element;
    uint64_t position;
    unsigned per_row;

    __device__ __forceinline__ uint64_t position_of(int i) const
    {
        return position + i / per_row * WARP * per_row + i % per_row;
    }
};

template <class T, class Slot, int N>
__device__ __forceinline__ void find_in_set(slots<Slot, N> &to, const slots<Slot, N> &a, const device_step &step,
                                            const set_range *ranges)
{
    for (int i = 0; i < N; i++)
        to.of[i] = is_in(number_from_bits<T>(a.of[i]), ranges + unsigned(step.payload), unsigned(step.payload >> 32));
}

// Runs one step for all elements.
template <class Slot, int N, class Element>
__device__ __forceinline__ slots<Slot, N> run_step(const device_step &step, const slots<Slot, N> *reg,
                                                   const element_rows<Element> &rows, const set_range *ranges)
{
    slots<Slot, N> a = operand(reg, step.a, step), b = operand(reg, step.b, step), to;
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
            to.of[i] = load_field<Slot>(rows.element[i], step);
        break;
    case SK_STEP_POSITION:
#pragma unroll
        for (int i = 0; i < N; i++)
            to.of[i] = Slot(rows.position_of(i));
        break;
    case SK_STEP_SELECT_32:
    case SK_STEP_SELECT_64: {
        slots<Slot, N> c = reg[step.c];
#pragma unroll
        for (int i = 0; i < N; i++)
            to.of[i] = uint8_t(a.of[i]) ? b.of[i] : c.of[i];
        break;
    }
    case SK_STEP_IN_U64: find_in_set<SK_C_U64>(to, a, step, ranges); break;
    case SK_STEP_IN_I64: find_in_set<SK_C_I64>(to, a, step, ranges); break;
    case SK_STEP_IN_F64: find_in_set<SK_C_F64>(to, a, step, ranges); break;
    case STEP_CONSTANT: to = a; break;
    }
    return to;
}

// Returns a bit for each of the N elements that matches. Not inlined: a tile calls it several times.
template <class Slot, int N, class Element>
__device__ __noinline__ unsigned interpret(device_program program, const Element *element, uint64_t position,
                                           unsigned per_row, const set_range *ranges)
{
    slots<Slot, N> reg[SK_PROGRAM_REGISTERS + 1];
    element_rows<Element> rows = {element, position, per_row};
    device_step next = program.steps[0];
    for (unsigned s = 0; s < program.step_count; s++) {
        const device_step step = next;
        next = program.steps[s + 1];
        reg[step.to] = run_step(step, reg, rows, ranges);
    }
    slots<Slot, N> matches = reg[program.result];
    unsigned bits = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
        bits |= unsigned(matches.of[i] & 1) << i;
    return bits;
}

template <class Slot> struct match_interpreted {
    device_program program;

    // Evaluates AT_ONCE elements per call: a part of a row of vectors, or several rows.
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
