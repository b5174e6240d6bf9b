// within.cu - see within.cuh.
#include "compact/within.cuh"

#include "order.h"

namespace
{

// The operand is a constant, whose bits are *bits.
bool is_constant(const sk_program &program, unsigned operand, uint64_t *bits)
{
    if (operand < program.registers)
        return false;
    *bits = program.constants[operand - program.registers].bits;
    return true;
}

// A step that leaves some bits of x.
bool is_mask(const sk_program &program, const sk_step &step, unsigned x, uint64_t *mask)
{
    if (step.code != SK_STEP_BIT_AND_U32 && step.code != SK_STEP_BIT_AND_U64)
        return false;
    return (step.a == x && is_constant(program, step.b, mask)) || (step.b == x && is_constant(program, step.a, mask));
}

bool is_ranges(const sk_program &program, const sk_step &step, unsigned x, within_test *test)
{
    bool is_float = step.code == SK_STEP_WITHIN_F32 || step.code == SK_STEP_WITHIN_F64;
    bool is_test = is_float || step.code == SK_STEP_WITHIN_32 || step.code == SK_STEP_WITHIN_64;
    if (!is_test || step.a != x || program.result != step.to)
        return false;
    test->kind = is_float ? within_kind::FLOAT : within_kind::INTEGER;
    test->outside = step.outside;
    test->count = step.ranges;
    for (unsigned r = 0; r < step.ranges; r++)
        test->range[r] = program.ranges[step.first_range + r];
    return true;
}

uint64_t sign_of_narrow(scankit_type type)
{
    return type == SCANKIT_I8 ? SK_SIGN_BIT(uint8_t) : type == SCANKIT_I16 ? SK_SIGN_BIT(uint16_t) : 0;
}

} // namespace

bool is_within_test(const sk_program &whole, within_test *test)
{
    if (whole.joined == nullptr)
        return false;
    const sk_program &program = *whole.joined;
    const sk_step *steps = program.steps;
    if (program.step_count < 2 || program.step_count > 3 || steps[0].code != SK_STEP_LOAD)
        return false;
    const scankit_type type = scankit_type(steps[0].type);
    if (steps[0].offset != 0 || steps[0].swap || scankit_type_size(type) != program.element_size)
        return false;
    *test = {};
    test->mask = ~uint64_t(0);
    test->sign = sign_of_narrow(type);
    unsigned x = steps[0].to;
    if (program.step_count == 3) {
        if (!is_mask(program, steps[1], x, &test->mask))
            return false;
        x = steps[1].to;
    }
    if (!is_ranges(program, steps[program.step_count - 1], x, test) || test->count == 0)
        return false;
    if (type == SCANKIT_F16)
        test->kind = within_kind::HALF;
    return type != SCANKIT_F16 || program.step_count == 2;
}
