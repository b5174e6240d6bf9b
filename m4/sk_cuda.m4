# SK_CUDA: finds nvcc and the static CUDA runtime. Sets NVCC, NVCC_ARCH, NVCC_SPEED, CUDA_LIBS, the conditional CUDA, and
# sk_cuda_summary for the closing line.
AC_DEFUN([SK_CUDA], [
  AC_ARG_WITH([cuda],
    [AS_HELP_STRING([--with-cuda@<:@=DIR@:>@], [build the CUDA backend with the toolkit in DIR; default: where nvcc is found])],
    [], [with_cuda=check])
  AC_ARG_WITH([cuda-arch],
    [AS_HELP_STRING([--with-cuda-arch=LIST], [GPU architectures, such as 90 or 80,90, or native, or all-major (the default: all major ones and code for newer ones)])],
    [], [with_cuda_arch=all-major])

  AC_ARG_ENABLE([fast-nvcc],
    [AS_HELP_STRING([--enable-fast-nvcc], [compile the CUDA backend in a third of the time, to slow code: for checks on a machine without a GPU; nvcc 12.9 or later])],
    [], [enable_fast_nvcc=no])

  NVCC=
  AS_CASE([$with_cuda],
    [no], [],
    [yes|check], [AC_PATH_PROG([NVCC], [nvcc], [], [$PATH:/usr/local/cuda/bin])],
    [AC_PATH_PROG([NVCC], [nvcc], [], [$with_cuda/bin])])
  AS_IF([test -z "$NVCC" && test "x$with_cuda" != xno && test "x$with_cuda" != xcheck],
    [AC_MSG_ERROR([--with-cuda was given, but there is no nvcc])])

  AC_SUBST([NVCC])
  NVCC_ARCH=
  CUDA_LIBS=
  sk_cuda_summary=no
  AS_IF([test -n "$NVCC"], [
    sk_cuda_root=`AS_DIRNAME(["$NVCC"])`/..
    AS_IF([test -d "$sk_cuda_root/lib64"], [sk_cuda_lib=$sk_cuda_root/lib64], [sk_cuda_lib=$sk_cuda_root/lib])
    CUDA_LIBS="-L`cd "$sk_cuda_lib" && pwd` -lcudart_static -lrt -ldl -lpthread -lstdc++"
    AS_CASE([$with_cuda_arch],
      [native|all|all-major], [NVCC_ARCH="-arch=$with_cuda_arch"],
      [for sk_arch in `echo "$with_cuda_arch" | tr ',' ' '`; do
        NVCC_ARCH="$NVCC_ARCH -gencode arch=compute_$sk_arch,code=@<:@sm_$sk_arch,compute_$sk_arch@:>@"
      done])
    sk_cuda_summary="$NVCC ($with_cuda_arch)"
  ])
  AC_SUBST([NVCC_ARCH])
  AS_VAR_IF([enable_fast_nvcc], [no], [NVCC_SPEED="-O3"], [NVCC_SPEED="-O1 --Ofast-compile=max"])
  AS_VAR_IF([enable_werror], [yes], [NVCC_SPEED="$NVCC_SPEED --Werror all-warnings"])
  AC_SUBST([NVCC_SPEED])
  AC_SUBST([CUDA_LIBS])
  AC_SUBST([SK_DISTCHECK_FLAGS], ["--with-cuda=$with_cuda --with-cuda-arch=$with_cuda_arch"])
  AS_CASE([$with_cuda], [check], [SK_DISTCHECK_FLAGS="--with-cuda-arch=$with_cuda_arch"])
  AM_CONDITIONAL([CUDA], [test -n "$NVCC"])
])
