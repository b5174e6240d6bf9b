/* shapes.h - templates over the shapes of columns (SK_SHAPES).
 *
 * A template is a file whose name ends in .inc. A source file defines TEMPLATE as its name and includes "shapes.inc",
 * which includes it once a shape with KEY_BITS and VALUE_BITS defined; this header gives it KEY, VALUE, NAME() and the
 * rest. A kernel's table is then {SK_SHAPES(X)}, where X(k, v) is SK_SHAPE_ROW(k, v) = SK_NAME(kernel, k, v). */
#ifndef SK_SHAPES_H
#define SK_SHAPES_H

#include "kernels.h"

#define SK_SHAPE_ROW(KEY_BITS_, VALUE_BITS_) [__builtin_ctz((KEY_BITS_) / 8) + (VALUE_BITS_) / 8]

/* Values have no type, hence no alignment either. */
typedef uint8_t __attribute__((may_alias)) sk_key_8;
typedef uint16_t __attribute__((may_alias)) sk_key_16;
typedef uint32_t __attribute__((may_alias)) sk_key_32;
typedef uint64_t __attribute__((may_alias)) sk_key_64;
typedef uint32_t __attribute__((may_alias, aligned(1))) sk_value_32;
typedef uint64_t __attribute__((may_alias, aligned(1))) sk_value_64;

#define SK_NAME_(name, k, v) name##_##k##_##v
#define SK_NAME(name, k, v) SK_NAME_(name, k, v)

#define NAME(name) SK_NAME(name, KEY_BITS, VALUE_BITS)
#define KEY SK_PASTE(sk_key_, KEY_BITS)
#define VALUE SK_PASTE(sk_value_, VALUE_BITS)

/* WITH_VALUE(text): the text where there are values, else nothing. */
#define SK_WITH_0(...)
#define SK_WITH_32(...) __VA_ARGS__
#define SK_WITH_64(...) __VA_ARGS__
#define WITH_VALUE(...) SK_PASTE(SK_WITH_, VALUE_BITS)(__VA_ARGS__)

#endif
