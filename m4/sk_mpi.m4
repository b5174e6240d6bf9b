# SK_MPI: MPI, on which libscankit_mpi stands, if pkg-config or mpicc finds it. Sets MPI_CFLAGS, MPI_LIBS, MPIRUN and the
# conditional MPI.
AC_DEFUN([SK_MPI], [
  AC_ARG_WITH([mpi],
    [AS_HELP_STRING([--without-mpi], [do not build libscankit_mpi; default: do so if MPI is found])],
    [], [with_mpi=check])
  sk_mpi=no
  AC_PATH_PROG([MPICC], [mpicc])
  AC_PATH_PROG([MPIRUN], [mpirun])
  AS_VAR_IF([with_mpi], [no], [], [
    for sk_package in ompi-c mpich mpi-c mpi; do
      AS_IF([test "$sk_mpi" = no && pkg-config --exists $sk_package 2>/dev/null],
        [MPI_CFLAGS=`pkg-config --cflags $sk_package` MPI_LIBS=`pkg-config --libs $sk_package` sk_mpi=maybe])
    done
    AS_IF([test "$sk_mpi" = no && test -n "$MPICC"],
      [MPI_CFLAGS=`$MPICC --showme:compile 2>/dev/null` MPI_LIBS=`$MPICC --showme:link 2>/dev/null` sk_mpi=maybe])
    # MPICH's mpicc prints whole command lines.
    AS_IF([test "$sk_mpi" = maybe && test -z "$MPI_CFLAGS$MPI_LIBS"],
      [MPI_CFLAGS=`$MPICC -compile_info 2>/dev/null | cut -s -d ' ' -f 2-`
       MPI_LIBS=`$MPICC -link_info 2>/dev/null | cut -s -d ' ' -f 2-`])
    AS_IF([test "$sk_mpi" = maybe], [
      sk_saved_cflags=$CFLAGS sk_saved_libs=$LIBS
      CFLAGS="$CFLAGS $MPI_CFLAGS" LIBS="$MPI_LIBS $LIBS"
      AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]], [[return MPI_Init(0, 0);]])], [sk_mpi=yes], [sk_mpi=no])
      CFLAGS=$sk_saved_cflags LIBS=$sk_saved_libs])
    AS_IF([test "x$with_mpi" = xyes && test "$sk_mpi" = no],
      [AC_MSG_ERROR([MPI not found: install its development files (Debian: libopenmpi-dev openmpi-bin)])])
  ])
  AC_SUBST([MPI_CFLAGS])
  AC_SUBST([MPI_LIBS])
  AM_CONDITIONAL([MPI], [test "$sk_mpi" = yes])
])
