# SK_WARNINGS: the warnings that the project's C is free of, in SK_CFLAGS; --enable-werror makes them errors. Call it after
# AC_OPENMP: a compiler without OpenMP warns of its pragmas, and of variables and parameters that only they use.
AC_DEFUN([SK_WARNINGS], [
  SK_CFLAGS="-Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes -Wmissing-prototypes"
  AS_IF([test -z "$OPENMP_CFLAGS"], [SK_CFLAGS="$SK_CFLAGS -Wno-unknown-pragmas -Wno-unused-variable -Wno-unused-parameter"])
  AC_ARG_ENABLE([werror],
    [AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors])],
    [AS_VAR_IF([enableval], [yes], [SK_CFLAGS="$SK_CFLAGS -Werror"])])
  AC_SUBST([SK_CFLAGS])
])
