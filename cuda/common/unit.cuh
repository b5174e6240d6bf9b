// unit.cuh - the unit in which elements of any size move: the largest word that divides their size and their addresses.
#ifndef SK_CUDA_UNIT_CUH
#define SK_CUDA_UNIT_CUH

#include <cstddef>
#include <cstdint>

// True for aligned elements of 1, 2, 4 or 8 bytes. places: the addresses, or-ed together.
inline bool is_word(size_t size, uintptr_t places)
{
    return (size == 1 || size == 2 || size == 4 || size == 8) && places % size == 0;
}

// Calls f(uint4()) and so on. places: the addresses and the element's size, or-ed together.
template <class F> auto with_unit(uintptr_t places, F f)
{
    return places % 16 == 0  ? f(uint4())
           : places % 8 == 0 ? f(uint64_t())
           : places % 4 == 0 ? f(uint32_t())
                             : f(uint8_t());
}

#endif
