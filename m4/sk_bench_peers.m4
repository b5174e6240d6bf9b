# SK_BENCH_PEERS: other libraries' sorts, which the benchmark's primitive "peers" measures. The library uses none of them.
# Sets BENCH_PEER_FLAGS, BENCH_PEER_LIBS and sk_bench_peers, a list for the summary.
AC_DEFUN([SK_BENCH_PEERS], [
  sk_bench_peers=std::sort
  AC_SUBST([BENCH_PEER_FLAGS])
  AC_SUBST([BENCH_PEER_LIBS])
  AC_ARG_WITH([vqsort],
    [AS_HELP_STRING([--without-vqsort], [benchmark without Highway's sort; default: with it, if it is found])],
    [], [with_vqsort=check])
  AS_VAR_IF([with_vqsort], [no], [], [
    AC_LANG_PUSH([C++])
    sk_libs=$LIBS
    LIBS="-lhwy_contrib -lhwy $LIBS"
    AC_MSG_CHECKING([for vqsort])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <hwy/contrib/sort/vqsort.h>]], [[hwy::Sorter sorter; (void)sorter;]])],
      [sk_vqsort=yes], [sk_vqsort=no])
    AC_MSG_RESULT([$sk_vqsort])
    LIBS=$sk_libs
    AC_LANG_POP([C++])
    AS_IF([test "x$with_vqsort" = xyes && test $sk_vqsort = no],
      [AC_MSG_ERROR([vqsort not found: install the development files of Highway (Debian: libhwy-dev)])])
    AS_IF([test $sk_vqsort = yes], [
      BENCH_PEER_FLAGS="$BENCH_PEER_FLAGS -DHAVE_VQSORT"
      BENCH_PEER_LIBS="$BENCH_PEER_LIBS -lhwy_contrib -lhwy"
      sk_bench_peers="$sk_bench_peers, vqsort"
    ])
  ])
  SK_BENCH_PEER([ips4o], [IPS4O], [include], [ips4o.hpp], [-latomic -lgomp -ltbb])
  SK_BENCH_PEER([ips2ra], [IPS2RA], [include], [ips2ra.hpp], [-latomic -lgomp -ltbb])
  SK_BENCH_PEER([x86-simd-sort], [X86_SIMD_SORT], [src], [x86simdsort-static-incl.h], [-lgomp])
])

# SK_BENCH_PEER(NAME, MACRO, FOLDER, HEADER, LIBS): a library of headers, in DIR/FOLDER of --with-NAME=DIR.
AC_DEFUN([SK_BENCH_PEER], [
  AC_ARG_WITH([$1],
    [AS_HELP_STRING([--with-$1=DIR], [benchmark with $1, whose sources are in DIR (default: without)])],
    [], [AS_TR_SH([with_$1])=no])
  AS_IF([test "x$AS_TR_SH([with_$1])" != xno], [
    AS_IF([test -f "$AS_TR_SH([with_$1])/$3/$4"], [], [AC_MSG_ERROR([$AS_TR_SH([with_$1])/$3/$4 not found])])
    BENCH_PEER_FLAGS="$BENCH_PEER_FLAGS -DHAVE_$2 -isystem $AS_TR_SH([with_$1])/$3"
    BENCH_PEER_LIBS="$BENCH_PEER_LIBS $5"
    sk_bench_peers="$sk_bench_peers, $1"
  ])
])
