// source.cu - writes a predicate's program as a kernel in CUDA C++, one variable per step. All code that is compiled at
// run time is written here, from steps that lib/predicate/ made. A user's text never gets into it.
#include <cstdio>
#include <vector>

#include "compact/predicate.cuh"

class writer
{
  public:
    explicit writer(const sk_program &program) : program(program), value(program.registers, -1)
    {
    }

    std::string body()
    {
        std::string text;
        for (unsigned s = 0; s < program.step_count; s++) {
            const sk_step &step = program.steps[s];
            text += "        const auto " + variable(s) + " = " + expression(step) + ";\n";
            value[step.to] = int(s);
        }
        return text + "        return " + operand(program.result) + ";\n";
    }

  private:
    static std::string variable(unsigned step)
    {
        std::string name = "v";
        return name += std::to_string(step);
    }

    // An empty register belongs to an operand that the step does not use.
    std::string operand(unsigned from) const
    {
        if (from < program.registers)
            return value[from] < 0 ? "0" : variable(unsigned(value[from]));
        return constant(program.constants[from - program.registers]);
    }

    static std::string constant(const sk_constant &constant)
    {
        char text[80];
        unsigned low = unsigned(constant.bits);
        unsigned long long all = constant.bits;
        switch (constant.type) {
        case SK_F32: std::snprintf(text, sizeof text, "__uint_as_float(0x%xu)", low); break;
        case SK_F64: std::snprintf(text, sizeof text, "__longlong_as_double(0x%llxll)", all); break;
        case SK_I32: std::snprintf(text, sizeof text, "int32_t(0x%xu)", low); break;
        case SK_I64: std::snprintf(text, sizeof text, "int64_t(0x%llxull)", all); break;
        case SK_U64: std::snprintf(text, sizeof text, "uint64_t(0x%llxull)", all); break;
        default: std::snprintf(text, sizeof text, "0x%xu", low); break;
        }
        return text;
    }

    static const char *element_type(unsigned type)
    {
        switch (type) {
#define X(enumerator, name, ctype, kind) \
    case SCANKIT_##enumerator: return #ctype;
            SCANKIT_TYPES(X)
#undef X
        default: return "";
        }
    }

    std::string is_in(const char *type, const sk_step &step) const
    {
        return std::string("uint8_t(is_in<") + type + ">(" + operand(step.a) + ", ranges + " +
               std::to_string(step.first_range) + ", " + std::to_string(step.ranges) + "))";
    }

    std::string expression(const sk_step &step) const
    {
        switch (step.code) {
#define X(name, R, T, expression) \
    case SK_STEP_##name##_##T: return "step_" #name "_" #T "(" + operand(step.a) + ", " + operand(step.b) + ")";
            SK_STEPS(X)
#undef X
        case SK_STEP_LOAD:
            return std::string("loaded(element.template get<") + element_type(step.type) + ">(" +
                   std::to_string(step.offset) + ", " + (step.swap ? "true" : "false") + "))";
        case SK_STEP_POSITION: return "position";
        case SK_STEP_IN_U64: return is_in("uint64_t", step);
        case SK_STEP_IN_I64: return is_in("int64_t", step);
        case SK_STEP_IN_F64: return is_in("double", step);
        default: return operand(step.a) + " ? " + operand(step.b) + " : " + operand(step.c);
        }
    }

    const sk_program &program;
    std::vector<int> value; // the step whose result each register holds
};

static bool runs_on_ring(kernel_body body)
{
    return body >= BODY_RING && body < BODY_RECORDS_1;
}

// The call that the body consists of.
static std::string call_of(kernel_body body)
{
    static const char *const words[] = {"uint8_t", "uint16_t", "uint32_t", "uint64_t"};
    static const char *const units[] = {"uint8_t", "uint32_t", "uint64_t", "uint4"};
    if (body == BODY_FLAGS)
        return "flag_records(to, match, flags)";
    if (body >= BODY_RECORDS_1)
        return std::string("compact_records<") + units[body - BODY_RECORDS_1] + ">(to, match)";
    std::string word = words[(body - BODY_SCALARS) % 4];
    return runs_on_ring(body) ? "compact_on_ring<" + word + ">(over, to, match)"
                              : "compact_scalars<" + word + ">(to, match)";
}

std::string kernel_source(const sk_program &program, kernel_body body)
{
    bool ring = runs_on_ring(body);
    const char *more = ring ? ", ring_arguments over" : body == BODY_FLAGS ? ", uint8_t *flags" : "";
    return std::string("#include \"compact/") + (ring ? "ring_compact.cuh" : "compact_tiles.cuh") +
           "\"\n"
           "struct predicate {\n"
           "    template <class Element>\n"
           "    static __device__ __forceinline__ bool matches(const Element &element, int64_t position, const "
           "set_range "
           "*ranges)\n"
           "    {\n" +
           writer(program).body() +
           "    }\n"
           "};\n"
           "extern \"C\" __global__ void __launch_bounds__(" +
           (ring ? "compact_shape::THREADS, 1" : "COMPACT_THREADS, COMPACT_BLOCKS") + ")\nkernel(compact_arguments to" +
           more +
           ")\n"
           "{\n"
           "    match_compiled<predicate> match;\n"
           "    " +
           call_of(body) + ";\n}\n";
}
