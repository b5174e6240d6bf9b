# SK_WARNINGS: the warnings that the project's C is free of, in SK_CFLAGS; --enable-werror makes them errors.
AC_DEFUN([SK_WARNINGS], [
  SK_CFLAGS="-Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes -Wmissing-prototypes"
  AC_ARG_ENABLE([werror],
    [AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors])],
    [AS_VAR_IF([enableval], [yes], [SK_CFLAGS="$SK_CFLAGS -Werror"])])
  AC_SUBST([SK_CFLAGS])
])
