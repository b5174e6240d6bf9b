// program.cu - translates a predicate's program for the interpreter, with constants inside the steps that use them.
#include <vector>

#include "compact/predicate.cuh"
#include "device/check.cuh"

static_assert(sizeof(device_step) == 16 && sizeof(set_range) == sizeof(sk_set_range));

// ---- which steps need slots of 8 bytes ----

static bool is_narrow(const sk_step &step)
{
    switch (step.code) {
#define X(name, R, T, expression) \
    case SK_STEP_##name##_##T: return sizeof(SK_C_##R) <= 4 && sizeof(SK_C_##T) <= 4;
        SK_STEPS(X)
#undef X
    case SK_STEP_LOAD: return step.type != SCANKIT_U64 && step.type != SCANKIT_I64 && step.type != SCANKIT_F64;
    case SK_STEP_SELECT_32: return true;
    default: return false;
    }
}

// ---- steps ----

static device_step make_step(const sk_program &program, const sk_step &step)
{
    device_step made = {};
    auto operand = [&](unsigned from) {
        if (from < program.registers)
            return uint8_t(from);
        made.payload = program.constants[from - program.registers].bits;
        return uint8_t(PAYLOAD);
    };
    made.code = uint8_t(step.code);
    made.to = uint8_t(step.to);
    made.type = step.type;
    made.swap = step.swap;
    if (step.code == SK_STEP_LOAD)
        made.payload = step.offset;
    else if (step.code != SK_STEP_POSITION) {
        made.a = operand(step.a);
        made.b = operand(step.b);
    }
    if (step.code >= SK_STEP_IN_U64)
        made.payload = (uint64_t)step.ranges << 32 | step.first_range;
    return made;
}

// A constant that does not fit the step that uses it gets a register.
static device_step constant_step(const sk_program &program, unsigned operand, unsigned to)
{
    device_step made = {};
    made.code = STEP_CONSTANT;
    made.to = uint8_t(to);
    made.a = uint8_t(PAYLOAD);
    made.payload = program.constants[operand - program.registers].bits;
    return made;
}

static void append_step(std::vector<device_step> &steps, const sk_program &program, const sk_step &step)
{
    device_step made = make_step(program, step);
    if (step.code == SK_STEP_SELECT_32 || step.code == SK_STEP_SELECT_64) {
        made.c = uint8_t(step.c);
        if (step.c >= program.registers) {
            steps.push_back(constant_step(program, step.c, SPARE_REGISTER));
            made.c = uint8_t(SPARE_REGISTER);
        }
    }
    steps.push_back(made);
}

template <class T>
static scankit_error upload(cuda_device *gpu, workspace &scratch, const T *from, size_t count, const T **to)
{
    T *memory;
    if (!scratch.take(&memory, count + 1))
        return SCANKIT_E_MEMORY;
    *to = memory;
    return cuda_put(gpu, memory, from, count * sizeof(T));
}

scankit_error upload_ranges(cuda_device *gpu, workspace &scratch, const sk_program &program, const set_range **ranges)
{
    *ranges = nullptr;
    if (program.range_count == 0)
        return SCANKIT_OK;
    return upload(gpu, scratch, reinterpret_cast<const set_range *>(program.ranges), program.range_count, ranges);
}

scankit_error upload_program(cuda_device *gpu, workspace &scratch, const sk_program &program,
                             uploaded_program *uploaded)
{
    std::vector<device_step> steps;
    unsigned result = program.result;
    uploaded->narrow = true;
    for (unsigned i = 0; i < program.step_count; i++) {
        append_step(steps, program, program.steps[i]);
        uploaded->narrow = uploaded->narrow && is_narrow(program.steps[i]);
    }
    if (result >= program.registers) {
        steps.push_back(constant_step(program, result, SPARE_REGISTER));
        result = SPARE_REGISTER;
    }
    uploaded->program = {nullptr, unsigned(steps.size()), result};
    TRY(upload_ranges(gpu, scratch, program, &uploaded->ranges));
    return upload(gpu, scratch, static_cast<const device_step *>(steps.data()), steps.size(), &uploaded->program.steps);
}
