/* program.h - a compiled predicate as the backends run it: a list of steps without jumps, from an element to true or
 * false. lib/predicate/ compiles it from text; a backend only reads it. */
#ifndef SK_PROGRAM_H
#define SK_PROGRAM_H

#include <assert.h>
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

/* Regular steps are named by operation and operand type: SK_STEP_ADD_U32. */
typedef enum sk_step_code {
#define X(name, R, T, expression) SK_STEP_##name##_##T,
    SK_STEPS(X)
#undef X
        SK_STEP_REGULAR, /* number of regular steps */

    /* The number of scankit_type `type` at `offset` of the element, converted to sk_loaded_type(type). swap: its bytes
     * are in big-endian order. */
    SK_STEP_LOAD = SK_STEP_REGULAR,
    SK_STEP_POSITION, /* the element's position, an I64: the selection's `first` plus the element's index */
    /* a ? b : c. a is a B8; b and c have 4 or 8 bytes. A choice between B8s is made of AND, OR and NOT. */
    SK_STEP_SELECT_32,
    SK_STEP_SELECT_64,
    /* True if a is in one of `ranges` ranges, from ranges[first_range] on. They ascend and do not touch. */
    SK_STEP_IN_U64,
    SK_STEP_IN_I64,
    SK_STEP_IN_F64,
    /* The same of up to SK_WITHIN_RANGES ranges, or its contrary where `outside`, in sk_program.joined alone: of
     * integers with or without sign, and of floats by their bits as signed integers, those below the sign bit turned
     * where it is set. */
    SK_STEP_WITHIN_32,
    SK_STEP_WITHIN_64,
    SK_STEP_WITHIN_F32,
    SK_STEP_WITHIN_F64,
} sk_step_code;

/* Both ends are included. They are bit patterns of the step's operand type. */
typedef struct sk_set_range {
    uint64_t low, high;
} sk_set_range;

/* Operands below sk_program.registers are registers of 8 bytes; the others are constants. `to` is a register, and may
 * be one of the operands. */
typedef struct sk_step {
    uint16_t code, to, a, b, c;
    uint8_t type, swap;   /* LOAD */
    bool outside;         /* WITHIN */
    uint32_t first_range; /* IN, WITHIN */
    uint32_t ranges;      /* IN, WITHIN */
    uint64_t offset;      /* LOAD */
} sk_step;

/* The value's bits. Narrow signed integers are sign-extended to 64 bits, all other narrow values zero-extended. */
typedef struct sk_constant {
    uint64_t bits;
    uint8_t type; /* sk_value_type */
} sk_constant;

#define SK_PROGRAM_REGISTERS 64
#define SK_WITHIN_RANGES 4

typedef struct sk_program {
    uint64_t id; /* unique within the process: the key under which a backend caches what it makes of the program */
    size_t element_size;
    unsigned registers; /* at most SK_PROGRAM_REGISTERS */
    unsigned step_count, constant_count, range_count;
    unsigned result; /* the operand, a B8, that is true if the element matches */
    const sk_step *steps;
    const sk_constant *constants;
    const sk_set_range *ranges;
    const struct sk_program *joined; /* NULL, or the same with WITHIN steps: a backend takes either */
} sk_program;

/* Bytes of a value. */
static inline unsigned sk_value_size(sk_value_type type)
{
    static const unsigned char sizes[] = {
#define X(name, ctype) sizeof(ctype),
        SK_VALUES(X)
#undef X
    };
    return sizes[type];
}

/* By the kind of an element type: the narrowest value type that holds elements of `size` bytes. */
#define SK_LOADED_unsigned(size) ((size) <= 4 ? SK_U32 : SK_U64)
#define SK_LOADED_signed(size) ((size) <= 4 ? SK_I32 : SK_I64)
#define SK_LOADED_half(size) SK_F32
#define SK_LOADED_float(size) ((size) <= 4 ? SK_F32 : SK_F64)

#define X(enumerator, name, ctype, kind) \
    static_assert(sizeof(ctype) <= 8, "a predicate's values have at most 8 bytes: " #name);
SCANKIT_TYPES(X)
#undef X

/* The type of a loaded number. Opaque bytes (SCANKIT_BYTES) are not a number. */
static inline sk_value_type sk_loaded_type(scankit_type type)
{
    static const unsigned char types[] = {
#define X(enumerator, name, ctype, kind) SK_LOADED_##kind(sizeof(ctype)),
        SCANKIT_TYPES(X)
#undef X
    };
    return (sk_value_type)types[type];
}

#endif
