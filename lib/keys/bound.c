/* bound.c - elements whose keys lie in a range, as a selection: for backends with a kernel for bounds, and as a program
 * for the others. */
#include "internal.h"

static uint64_t low_bits(unsigned bits)
{
    return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

/* What order.h takes away from the keys of floats. Zero shows it: its bits become the sign bit before that. */
static uint64_t first_of_floats(unsigned size, uint64_t sign)
{
    return sign - (size == 2 ? sk_order_f16(0) : size == 4 ? sk_order_f32(0) : sk_order_f64(0));
}

sk_bound sk_bound_of(const sk_piece *piece, uint64_t low, uint64_t high)
{
    unsigned bits = 8u * piece->size, width = bits <= 32 ? 32 : 64, shift = width - bits;
    uint64_t all = low_bits(bits), sign = (uint64_t)1 << (bits - 1);
    bool is_float = piece->kind == SK_PIECE_FLOAT;
    return (sk_bound){
        .shift = shift,
        .flip = (is_float ? all : 0) << shift,
        .sign = (piece->kind == SK_PIECE_UNSIGNED ? 0 : sign) << shift,
        .first = (is_float ? first_of_floats(piece->size, sign) : 0) << shift,
        .descending = (piece->descending ? all : 0) << shift,
        .low = low << shift,
        .range = (high - low) << shift,
    };
}

/* ---- the same as a program ---- */

enum { KEY, FLIP, REGISTERS };

static void add(sk_bound_steps *to, sk_step_code code_32, sk_step_code code_64, unsigned result, unsigned operand,
                uint64_t constant)
{
    bool wide = to->program.element_size > 4;
    unsigned number = to->program.constant_count++;
    to->constants[number] = (sk_constant){constant, wide ? SK_U64 : SK_U32};
    to->steps[to->program.step_count++] = (sk_step){.code = (uint16_t)(wide ? code_64 : code_32),
                                                    .to = (uint16_t)result,
                                                    .a = (uint16_t)operand,
                                                    .b = (uint16_t)(REGISTERS + number)};
}

#define ADD(code, result, operand, constant) \
    add(to, SK_STEP_##code##_U32, SK_STEP_##code##_U64, result, operand, constant)

static void add_load(sk_bound_steps *to)
{
    static const uint8_t types[] = {[1] = SCANKIT_U8, [2] = SCANKIT_U16, [4] = SCANKIT_U32, [8] = SCANKIT_U64};
    to->steps[to->program.step_count++] =
        (sk_step){.code = SK_STEP_LOAD, .to = KEY, .type = types[to->program.element_size]};
}

/* KEY ^= what the element's sign asks for. */
static void add_flip(sk_bound_steps *to, const sk_bound *bound)
{
    bool wide = to->program.element_size > 4;
    if (bound->flip == 0) {
        ADD(BIT_XOR, KEY, KEY, bound->sign);
        return;
    }
    ADD(SHR, FLIP, KEY, wide ? 63 : 31);
    ADD(MUL, FLIP, FLIP, bound->flip);
    ADD(BIT_OR, FLIP, FLIP, bound->sign);
    to->steps[to->program.step_count++] =
        (sk_step){.code = (uint16_t)(wide ? SK_STEP_BIT_XOR_U64 : SK_STEP_BIT_XOR_U32), .to = KEY, .a = KEY, .b = FLIP};
}

/* Whole words: one test of a range. */
static void join_steps(sk_bound_steps *to, const sk_bound *bound)
{
    const bool wide = to->program.element_size == 8, is_float = bound->flip != 0;
    const uint64_t low = sk_bound_begin(bound);
    const sk_step_code code = is_float ? wide ? SK_STEP_WITHIN_F64 : SK_STEP_WITHIN_F32
                              : wide   ? SK_STEP_WITHIN_64
                                       : SK_STEP_WITHIN_32;
    to->range = (sk_set_range){low, low + bound->range};
    to->test[0] = to->steps[0];
    to->test[1] = (sk_step){.code = (uint16_t)code, .to = FLIP, .a = KEY, .ranges = 1};
    to->joined = (sk_program){.element_size = to->program.element_size,
                              .registers = REGISTERS,
                              .result = FLIP,
                              .step_count = 2,
                              .range_count = 1,
                              .steps = to->test,
                              .constants = to->constants,
                              .ranges = &to->range};
    to->program.joined = &to->joined;
}

/* Steps that change nothing are left out. */
void sk_bound_program(const sk_bound *bound, size_t element_size, sk_bound_steps *to)
{
    static const sk_set_range none[1]; /* a place to count from, for steps without ranges */
    to->program = (sk_program){.element_size = element_size, .registers = REGISTERS, .result = FLIP, .ranges = none};
    to->program.steps = to->steps;
    to->program.constants = to->constants;
    add_load(to);
    if (bound->shift != 0)
        ADD(SHL, KEY, KEY, bound->shift);
    if (bound->sign != 0)
        add_flip(to, bound);
    if (bound->first != 0)
        ADD(SUB, KEY, KEY, bound->first);
    if (bound->descending != 0)
        ADD(BIT_XOR, KEY, KEY, bound->descending);
    if (bound->low != 0)
        ADD(SUB, KEY, KEY, bound->low);
    ADD(LE, FLIP, KEY, bound->range);
    if (element_size >= 4)
        join_steps(to, bound);
}
