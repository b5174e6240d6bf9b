/* dispatch.hh - calls a template with a job's type or predicate, known at run time only; for the rivals. */
#ifndef BENCH_DISPATCH_HH
#define BENCH_DISPATCH_HH

#include <cstdint>

#include "rivals.h"

#ifdef __CUDACC__
#define ANYWHERE __host__ __device__
#else
#define ANYWHERE
#endif

/* Calls f with a null pointer to the type. Returns -1 for other types: the rival cannot do the job. */
template <typename F> double with_type(scankit_type type, F f)
{
    switch (type) {
    case SCANKIT_U32: return f(static_cast<uint32_t *>(nullptr));
    case SCANKIT_U64: return f(static_cast<uint64_t *>(nullptr));
    case SCANKIT_F32: return f(static_cast<float *>(nullptr));
    default: return -1;
    }
}

/* with_type() for keys of sorts: also f64. */
template <typename F> double with_key(scankit_type type, F f)
{
    return type == SCANKIT_F64 ? f(static_cast<double *>(nullptr)) : with_type(type, f);
}

/* with_type() for sums and sorts: also f64, u8 and u16. */
template <typename F> double with_number(scankit_type type, F f)
{
    switch (type) {
    case SCANKIT_U8: return f(static_cast<uint8_t *>(nullptr));
    case SCANKIT_U16: return f(static_cast<uint16_t *>(nullptr));
    default: return with_key(type, f);
    }
}

#define X(name, type, ctype, label, expression) \
    struct matches_##name {                     \
        ANYWHERE bool operator()(ctype x) const \
        {                                       \
            return expression;                  \
        }                                       \
    };
PREDICATES(X)
#undef X

/* Calls f with a null pointer to the predicate's element type and with the predicate. */
template <typename F> double with_predicate(predicate_id predicate, F f)
{
    switch (predicate) {
#define X(name, type, ctype, label, expression) \
    case PREDICATE_##name: return f(static_cast<ctype *>(nullptr), matches_##name());
        PREDICATES(X)
#undef X
    default: return -1;
    }
}

#endif
