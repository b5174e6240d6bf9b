// unit.cuh - the unit in which elements of any size move: the largest that divides and aligns all of them.
#ifndef SK_CUDA_UNIT_CUH
#define SK_CUDA_UNIT_CUH

#include <cstdint>

// Calls f(uint4()) and so on. places: the addresses and the element's size, or-ed together.
template <class F> auto with_unit(uintptr_t places, F f)
{
    return places % 16 == 0  ? f(uint4())
           : places % 8 == 0 ? f(uint64_t())
           : places % 4 == 0 ? f(uint32_t())
                             : f(uint8_t());
}

#endif
