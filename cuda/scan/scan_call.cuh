// scan_call.cuh - what a scan of a whole array is asked. out may be in.
#ifndef SK_CUDA_SCAN_CALL_CUH
#define SK_CUDA_SCAN_CALL_CUH

#include <cstddef>

template <class T> struct scan_call {
    const T *in;
    T *out;
    size_t n;
    bool inclusive;
    T initial; // stands in front of in[0]
};

#endif
