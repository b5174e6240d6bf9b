// algorithm.h - a list of algorithms (lib/algorithms.h) as an enumeration with names.
#ifndef SK_CUDA_ALGORITHM_H
#define SK_CUDA_ALGORITHM_H

#include "algorithms.h"

#define SK_ENUMERATOR(enumerator, name, text, source) enumerator,
#define SK_ALGORITHM_NAME(enumerator, name, text, source) name,

// Declares `enum class type` and name_of(type), the name that scankit_last_algorithm() returns.
#define SK_ALGORITHMS(type, LIST)                                  \
    enum class type { LIST(SK_ENUMERATOR) };                       \
    constexpr const char *name_of(type algorithm)                  \
    {                                                              \
        constexpr const char *NAMES[] = {LIST(SK_ALGORITHM_NAME)}; \
        return NAMES[int(algorithm)];                              \
    }

// Tells the library which algorithm runs. gpu: a cuda_device.
template <class Device, class Algorithm> void report(Device *gpu, Algorithm algorithm)
{
    gpu->base.algorithm = name_of(algorithm);
}

#endif
