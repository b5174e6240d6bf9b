/* program.h - a predicate as a backend runs it: a list of steps without jumps, from the fields of an element to yes or
 * no. lib/predicate/ makes it from text; a backend only reads it. */
#ifndef SK_PROGRAM_H
#define SK_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scankit.h"
#include "steps.h"

typedef enum sk_value_type {
#define X(name, ctype) SK_##name,
    SK_VALUES(X)
#undef X
} sk_value_type;

/* SK_STEP_ADD_U32 and so on: the regular steps, named by their operands' type. */
typedef enum sk_step_code {
#define X(name, R, T, expression) SK_STEP_##name##_##T,
    SK_STEPS(X)
#undef X
        SK_STEP_REGULAR, /* how many those are */

    /* The number of scankit_type `type` at `offset` of the element, as U32, I32, F32, U64, I64 or F64: the narrowest
     * that holds the type. swap: its bytes lie in big-endian order. */
    SK_STEP_LOAD = SK_STEP_REGULAR,
    SK_STEP_POSITION, /* of the element, an I64: the selection's `first` and counting */
    /* a ? b : c, where a is a B8, for values of 4 and of 8 bytes (and B8 in neither: that is done by AND, OR, NOT). */
    SK_STEP_SELECT_32,
    SK_STEP_SELECT_64,
    /* Whether a is in one of `ranges` ranges from ranges[first_range] on, which rise and do not touch. */
    SK_STEP_IN_U64,
    SK_STEP_IN_I64,
    SK_STEP_IN_F64,
} sk_step_code;

/* Both ends belong to it; bit patterns of the step's type. */
typedef struct sk_set_range {
    uint64_t low, high;
} sk_set_range;

/* An operand below the program's `registers` is a register, which holds 8 bytes; the others are the constants. `to` is
 * a register, and may be one of the operands. */
typedef struct sk_step {
    uint16_t code, to, a, b, c;
    uint8_t type, swap;   /* LOAD */
    uint32_t first_range; /* IN */
    uint32_t ranges;
    uint64_t offset; /* LOAD */
} sk_step;

/* Bits of a value, in the low bytes; those of narrower types are sign-extended if signed, else zero-extended. */
typedef struct sk_constant {
    uint64_t bits;
    uint8_t type; /* sk_value_type */
} sk_constant;

#define SK_PROGRAM_REGISTERS 64

typedef struct sk_program {
    uint64_t id; /* no other program of the process has it: what a backend makes from a program can be kept under it */
    size_t element_size;
    unsigned registers; /* SK_PROGRAM_REGISTERS at most */
    unsigned step_count, constant_count, range_count;
    unsigned result; /* the operand, a B8, that says whether the element matches */
    const sk_step *steps;
    const sk_constant *constants;
    const sk_set_range *ranges;
} sk_program;

/* The narrowest value type that holds an element type. */
static inline sk_value_type sk_loaded_type(scankit_type type)
{
    switch (type) {
    case SCANKIT_U8:
    case SCANKIT_U16:
    case SCANKIT_U32: return SK_U32;
    case SCANKIT_I8:
    case SCANKIT_I16:
    case SCANKIT_I32: return SK_I32;
    case SCANKIT_F32: return SK_F32;
    case SCANKIT_U64: return SK_U64;
    case SCANKIT_I64: return SK_I64;
    default: return SK_F64;
    }
}

#endif
