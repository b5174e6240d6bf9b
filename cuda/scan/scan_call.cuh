// scan_call.cuh - the arguments of a scan of a whole array. out may be in.
#ifndef SK_CUDA_SCAN_CALL_CUH
#define SK_CUDA_SCAN_CALL_CUH

#include <cstddef>

// E: elements; T: partial results.
template <class T, class E = T> struct scan_call {
    const E *in;
    E *out;
    size_t n;
    bool inclusive;
    T initial; // the prefix of in[0]
};

#endif
