/* predicates.h - the predicates of the compaction benchmark: as text for the library, as code for the rivals. */
#ifndef BENCH_PREDICATES_H
#define BENCH_PREDICATES_H

/* X(name, element type, C type, the share of uniform data that matches, expression of x). Floats are in [0, 1). */
#define PREDICATES(X)                                                         \
    X(HALF_U32, U32, uint32_t, "half", x & 8)                                 \
    X(FOUR_U32, U32, uint32_t, "four comparisons",                            \
      x<858993459u || (x > 1717986918u && x < 2576980377u) || x> 3865470566u) \
    X(RARE_U32, U32, uint32_t, "1 in 1000", x < 4294967u)                     \
    X(MOST_U32, U32, uint32_t, "nearly all", x != 7u)                         \
    X(REM_U32, U32, uint32_t, "arithmetic", x % 10u < 5u)                     \
    X(HALF_U64, U64, uint64_t, "half", x & 8)                                 \
    X(REM_U64, U64, uint64_t, "arithmetic", x % 10u < 5u)                     \
    X(HALF_F32, F32, float, "half", x < 0.5f)                                 \
    X(HALF_F64, F64, double, "half", x < 0.5)                                 \
    X(SQUARE_F64, F64, double, "arithmetic", x *x + x < 0.75)

typedef enum predicate_id {
#define X(name, type, ctype, label, expression) PREDICATE_##name,
    PREDICATES(X)
#undef X
        PREDICATE_COUNT
} predicate_id;

#endif
