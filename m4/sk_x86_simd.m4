# SK_X86_SIMD: whether the compiler builds AVX2 and AVX-512 code (which the program then chooses at run time).
AC_DEFUN([SK_X86_SIMD], [
  AC_CACHE_CHECK([whether $CC builds AVX-512 for x86-64], [sk_cv_x86_simd], [
    sk_saved_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -mavx2 -mbmi2 -mavx512f -mavx512bw -mavx512vl -mavx512dq"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#if !defined(__x86_64__)
#error another machine
#endif
#include <immintrin.h>]], [[
      __m512i a = _mm512_set1_epi32(1);
      a = _mm512_min_epu32(a, a);
      return _mm512_reduce_add_epi32(a) + __builtin_cpu_supports("avx512f");]])],
      [sk_cv_x86_simd=yes], [sk_cv_x86_simd=no])
    CFLAGS=$sk_saved_CFLAGS
  ])
  AM_CONDITIONAL([HAVE_X86_SIMD], [test "x$sk_cv_x86_simd" = xyes])
  AM_COND_IF([HAVE_X86_SIMD], [AC_DEFINE([HAVE_X86_SIMD], [1], [AVX2 and AVX-512 code is built in])])
])
