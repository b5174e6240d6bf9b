/* steps.h - what each step of a predicate computes, written once: for every backend, and for the compiler, which folds
 * constants. It includes nothing and needs only the types of <stdint.h>, as it is also compiled at run time. */
#ifndef SK_STEPS_H
#define SK_STEPS_H

/* Types of values: X(name, C type). A B8 is 0 or 1. */
#define SK_VALUES(X) \
    X(B8, uint8_t)   \
    X(U32, uint32_t) \
    X(I32, int32_t)  \
    X(F32, float)    \
    X(U64, uint64_t) \
    X(I64, int64_t)  \
    X(F64, double)

/* SK_C_B8 and so on: the C types by name. */
#define X(name, ctype) typedef ctype SK_C_##name;
SK_VALUES(X)
#undef X

/* The regular steps: X(name, result type R, operand type T, expression of a and b). The result is converted to R.
 *
 * - Integers wrap. If the signed and the unsigned result have the same bits, only the unsigned step exists; it takes
 *   signed operands of that width as bits.
 * - A quotient by zero is 0 and the remainder is the dividend: a == a / b * b + a % b always holds.
 * - A shift by a negative count, or by the width or more, shifts all bits out.
 *
 * They stand in four lists, as backends compute them in different ways. */
/* clang-format off */
#define SK_STEPS(X)    \
    SK_STEPS_TRUTHS(X) \
    SK_STEPS_TESTS(X)  \
    SK_STEPS_VALUES(X) \
    SK_STEPS_QUOTIENTS(X)

/* On truths. */
#define SK_STEPS_TRUTHS(X) \
    X(AND, B8, B8, a & b)  \
    X(OR, B8, B8, a | b)   \
    X(NOT, B8, B8, a ^ 1)  \
    X(TO_U32, U32, B8, a)

/* From numbers to a truth. The expressions hold for vectors of numbers too. */
#define SK_STEPS_TESTS(X)       \
    SK_STEPS_COMPARE(X, U32)    \
    SK_STEPS_EQUAL(X, U32)      \
    SK_STEPS_COMPARE(X, U64)    \
    SK_STEPS_EQUAL(X, U64)      \
    SK_STEPS_COMPARE(X, I32)    \
    SK_STEPS_COMPARE(X, I64)    \
    SK_STEPS_TEST_FLOAT(X, F32) \
    SK_STEPS_TEST_FLOAT(X, F64)

#define SK_STEPS_COMPARE(X, T) \
    X(LT, B8, T, a < b)        \
    X(LE, B8, T, a <= b)

#define SK_STEPS_EQUAL(X, T) \
    X(EQ, B8, T, a == b)     \
    X(NE, B8, T, a != b)

#define SK_STEPS_TEST_FLOAT(X, T) \
    SK_STEPS_COMPARE(X, T)        \
    SK_STEPS_EQUAL(X, T)          \
    X(ISNAN, B8, T, a != a)       \
    X(ISINF, B8, T, (a == a) & (a - a != a - a))

/* From numbers to a number. */
#define SK_STEPS_VALUES(X)            \
    SK_STEPS_UNSIGNED(X, U32, 32)     \
    SK_STEPS_UNSIGNED(X, U64, 64)     \
    SK_STEPS_SIGNED(X, I32, uint32_t, 32) \
    SK_STEPS_SIGNED(X, I64, uint64_t, 64) \
    SK_STEPS_FLOAT(X, F32)            \
    SK_STEPS_FLOAT(X, F64)            \
    X(ADD, F64, F64, a + b)           \
    X(SUB, F64, F64, a - b)           \
    X(MUL, F64, F64, a * b)           \
    X(DIV, F64, F64, a / b)           \
    X(TO_U32, U32, U64, a)            \
    X(TO_U64, U64, U32, a)            \
    X(TO_I64, I64, I32, a)            \
    X(TO_F64, F64, U32, a)            \
    X(TO_F64, F64, I32, a)            \
    X(TO_F64, F64, U64, a)            \
    X(TO_F64, F64, I64, a)            \
    X(TO_F64, F64, F32, a)

#define SK_STEPS_UNSIGNED(X, T, bits)   \
    X(NEGATE, T, T, 0 - a)              \
    X(INVERT, T, T, ~a)                 \
    X(ADD, T, T, a + b)                 \
    X(SUB, T, T, a - b)                 \
    X(MUL, T, T, a * b)                 \
    X(BIT_AND, T, T, a & b)             \
    X(BIT_OR, T, T, a | b)              \
    X(BIT_XOR, T, T, a ^ b)             \
    X(SHL, T, T, b < bits ? a << b : 0) \
    X(SHR, T, T, b < bits ? a >> b : 0) \
    X(MIN, T, T, a < b ? a : b)         \
    X(MAX, T, T, a < b ? b : a)

#define SK_STEPS_SIGNED(X, T, unsigned_type, bits)                             \
    X(ABS, T, T, a < 0 ? 0 - (unsigned_type)a : (unsigned_type)a)              \
    X(SHR, T, T, a >> ((unsigned_type)b < bits ? (unsigned_type)b : bits - 1)) \
    X(MIN, T, T, a < b ? a : b)                                                \
    X(MAX, T, T, a < b ? b : a)

/* MIN and MAX are C's fmin() and fmax(): of a number and a NaN they return the number. */
#define SK_STEPS_FLOAT(X, T)                  \
    X(NEGATE, T, T, -a)                       \
    X(ABS, T, T, a < 0 ? -a : a == 0 ? 0 : a) \
    X(MIN, T, T, b != b || a < b ? a : b)     \
    X(MAX, T, T, b != b || b < a ? a : b)

/* Of integers. */
#define SK_STEPS_QUOTIENTS(X)                  \
    SK_STEPS_DIVIDE_UNSIGNED(X, U32)           \
    SK_STEPS_DIVIDE_UNSIGNED(X, U64)           \
    SK_STEPS_DIVIDE_SIGNED(X, I32, uint32_t)   \
    SK_STEPS_DIVIDE_SIGNED(X, I64, uint64_t)

#define SK_STEPS_DIVIDE_UNSIGNED(X, T) \
    X(DIV, T, T, b == 0 ? 0 : a / b)   \
    X(REM, T, T, b == 0 ? a : a % b)

#define SK_STEPS_DIVIDE_SIGNED(X, T, unsigned_type)                                    \
    X(DIV, T, T, b == 0 ? 0 : b == -1 ? 0 - (unsigned_type)a : (unsigned_type)(a / b)) \
    X(REM, T, T, b == 0 ? a : b == -1 ? 0 : a % b)

/* clang-format on */

#endif
