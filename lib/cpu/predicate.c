/* predicate.c - runs a program over a block of elements: each step is one kernel over the whole block, whose values
 * stay in the first caches. */
#include "cpu.h"

#define BLOCK_MIN ((size_t)64)
#define BLOCKS_BYTES ((size_t)192 << 10) /* what the values of a block may take, before blocks are made shorter */
#define APART ((size_t)320)              /* blocks a power of two apart would meet in the same lines of a cache */

static size_t operands_of(const sk_program *program)
{
    return (size_t)program->registers + program->constant_count;
}

static size_t block_bytes(size_t block)
{
    return ((block * 8 + 63) & ~(size_t)63) + APART;
}

/* The program that is run: the one with fewer steps, if there is another. */
static const sk_program *taken(const sk_program *program)
{
    return program->joined != NULL ? program->joined : program;
}

/* Elements of a block, for n of them. */
static size_t block_of(const sk_program *program, size_t n)
{
    size_t block = SK_STEP_VALUES;
    while (block > BLOCK_MIN && (operands_of(program) + 1) * block_bytes(block) > BLOCKS_BYTES)
        block /= 2;
    return sk_min(block, (n + 63) & ~(size_t)63); /* whole words */
}

static size_t pointers_bytes(const sk_program *program)
{
    return ((operands_of(program) + program->registers + 1) * sizeof(void *) + 63) & ~(size_t)63;
}

size_t sk_evaluator_bytes(const sk_program *program, size_t n)
{
    program = taken(program);
    return pointers_bytes(program) + (operands_of(program) + 1) * block_bytes(block_of(program, n));
}

static void fill(const sk_constant *constant, void *to, size_t n)
{
    uint64_t *wide = to;
    uint32_t *narrow = to;
    switch (constant->type) {
    case SK_B8: memset(to, constant->bits != 0 ? 0xff : 0, n / 8); break;
    case SK_U64:
    case SK_I64:
    case SK_F64:
        for (size_t i = 0; i < n; i++)
            wide[i] = constant->bits;
        break;
    default:
        for (size_t i = 0; i < n; i++)
            narrow[i] = (uint32_t)constant->bits;
    }
}

void sk_evaluator_open(sk_evaluator *evaluator, const sk_kernels *kernels, const sk_program *program, size_t n,
                       void *memory)
{
    program = taken(program);
    size_t block = block_of(program, n), registers = program->registers;
    char *blocks = (char *)memory + pointers_bytes(program);
    *evaluator = (sk_evaluator){.kernels = kernels->steps, .program = program, .block = block, .at = memory};
    evaluator->steps = program->step_count;
    evaluator->own = (void **)memory + operands_of(program);
    for (size_t r = 0; r <= registers; r++, blocks += block_bytes(block))
        evaluator->own[r] = blocks;
    for (size_t r = 0; r < registers; r++)
        evaluator->at[r] = evaluator->own[r];
    for (size_t c = 0; c < program->constant_count; c++, blocks += block_bytes(block)) {
        fill(&program->constants[c], blocks, block);
        evaluator->at[registers + c] = blocks;
    }
}

/* Where a step writes: to the spare block, so that it never overlaps an operand; what the register had is the next
 * spare. */
static void *renew(sk_evaluator *evaluator, size_t to)
{
    void **own = evaluator->own, **spare = own + evaluator->program->registers, *block = *spare;
    *spare = own[to];
    own[to] = block;
    evaluator->at[to] = block;
    return block;
}

/* The step loads all of an element as it is. */
static bool is_whole(const sk_step *step, size_t element_size)
{
#define X(enumerator, name, ctype, kind) [SCANKIT_##enumerator] = sizeof(ctype),
    static const uint8_t sizes[] = {SCANKIT_TYPES(X)};
#undef X
    return !step->swap && element_size >= 4 && element_size == sizes[step->type];
}

/* Elements that are numbers as a kernel takes them are not copied, if they are whole words. */
static bool is_in_place(const sk_step *step, size_t element_size, const char *in, size_t n)
{
    return is_whole(step, element_size) && ((uintptr_t)in & (element_size - 1)) == 0 && n % 64 == 0;
}

static void load(sk_evaluator *evaluator, const sk_step *step, const char *in, size_t n)
{
    size_t stride = evaluator->program->element_size;
    if (is_in_place(step, stride, in, n))
        evaluator->at[step->to] = (void *)(uintptr_t)in;
    else
        evaluator->kernels->load[step->type][step->swap](in + step->offset, stride, renew(evaluator, step->to), n);
}

static void compute(sk_evaluator *evaluator, const sk_step *step, size_t n)
{
    const unsigned registers = evaluator->program->registers;
    sk_step_form form = step->a >= registers   ? SK_STEP_ONE_FIRST
                        : step->b >= registers ? SK_STEP_ONE_SECOND
                                               : SK_STEP_OF_BLOCKS;
    const void *a = evaluator->at[step->a], *b = evaluator->at[step->b];
    evaluator->kernels->regular[step->code][form](a, b, renew(evaluator, step->to), n);
}

static void compare_ranges(sk_evaluator *evaluator, const sk_step *step, sk_within_function *within, size_t n)
{
    const sk_set_range *ranges = evaluator->program->ranges + step->first_range;
    const void *a = evaluator->at[step->a];
    within(ranges, step->ranges, step->outside, a, renew(evaluator, step->to), n);
}

static void run_steps(sk_evaluator *evaluator, const void *in, uint64_t first, size_t n)
{
    const sk_program *program = evaluator->program;
    const sk_step_kernels *kernels = evaluator->kernels;
    void **at = evaluator->at;
    for (const sk_step *step = program->steps; step < program->steps + evaluator->steps; step++) {
        const void *a = at[step->a], *b = at[step->b], *c = at[step->c];
        const sk_set_range *ranges = program->ranges + step->first_range;
        switch (step->code) {
        case SK_STEP_LOAD: load(evaluator, step, in, n); break;
        case SK_STEP_POSITION: kernels->position(first, renew(evaluator, step->to), n); break;
        case SK_STEP_SELECT_32: kernels->select_32(a, b, c, renew(evaluator, step->to), n); break;
        case SK_STEP_SELECT_64: kernels->select_64(a, b, c, renew(evaluator, step->to), n); break;
        case SK_STEP_IN_U64: kernels->in_u64(ranges, step->ranges, a, renew(evaluator, step->to), n); break;
        case SK_STEP_IN_I64: kernels->in_i64(ranges, step->ranges, a, renew(evaluator, step->to), n); break;
        case SK_STEP_IN_F64: kernels->in_f64(ranges, step->ranges, a, renew(evaluator, step->to), n); break;
        case SK_STEP_WITHIN_32: compare_ranges(evaluator, step, kernels->within_32, n); break;
        case SK_STEP_WITHIN_64: compare_ranges(evaluator, step, kernels->within_64, n); break;
        case SK_STEP_WITHIN_F32: compare_ranges(evaluator, step, kernels->within_f32, n); break;
        case SK_STEP_WITHIN_F64: compare_ranges(evaluator, step, kernels->within_f64, n); break;
        default: compute(evaluator, step, n);
        }
    }
}

const uint64_t *sk_evaluate(sk_evaluator *evaluator, const void *in, uint64_t first, size_t n)
{
    run_steps(evaluator, in, first, n);
    return evaluator->at[evaluator->program->result];
}

/* ---- a test as the last step ---- */

/* The bits that the step keeps of a whole element, which is the number `of`; 0 if it does not do just that. */
static uint64_t mask_of(const sk_program *program, const sk_step *step, unsigned of)
{
    unsigned number = step->a == of ? step->a : step->b, constant = step->a == of ? step->b : step->a;
    if ((step->code != SK_STEP_BIT_AND_U32 && step->code != SK_STEP_BIT_AND_U64) || number != of ||
        constant < program->registers)
        return 0;
    return program->constants[constant - program->registers].bits;
}

/* True if the elements themselves are tested, all their bits or some. */
static bool tests_elements(const sk_program *program, uint64_t *mask)
{
    const sk_step *load = program->steps, *next = load + 1, *last = load + program->step_count - 1;
    *mask = UINT64_MAX;
    if (load == last || load->code != SK_STEP_LOAD || !is_whole(load, program->element_size))
        return false;
    if (next < last && (*mask = mask_of(program, next, load->to)) == 0)
        return false;
    return next + (next < last) == last && last->a == last[-1].to;
}

sk_pick_function *sk_evaluator_without_test(sk_evaluator *evaluator, const sk_kernels *kernels, sk_range_test *test)
{
    const sk_program *program = evaluator->program;
    const sk_step *last = program->steps + program->step_count - 1;
    if (program->step_count == 0 || last->to != program->result)
        return NULL;
    sk_pick_function *pick = kernels->pick((sk_step_code)last->code);
    size_t size = last->code == SK_STEP_WITHIN_32 || last->code == SK_STEP_WITHIN_F32 ? 4 : 8;
    if (pick == NULL || size != program->element_size)
        return NULL;
    *test = (sk_range_test){program->ranges + last->first_range, last->ranges, last->outside, UINT64_MAX};
    evaluator->steps = program->step_count - 1;
    evaluator->as_is = tests_elements(program, &test->mask);
    if (!evaluator->as_is)
        test->mask = UINT64_MAX;
    return pick;
}

const void *sk_evaluate_numbers(sk_evaluator *evaluator, const void *in, uint64_t first, size_t n)
{
    const sk_program *program = evaluator->program;
    if (evaluator->as_is)
        return in;
    run_steps(evaluator, in, first, n);
    return evaluator->at[program->steps[program->step_count - 1].a];
}
