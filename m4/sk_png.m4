# SK_PNG: libpng 1.6, with which gpuimg reads and writes PNG, if it is there. Sets PNG_LIBS and the conditional PNG.
AC_DEFUN([SK_PNG], [
  AC_ARG_WITH([png],
    [AS_HELP_STRING([--without-png], [neither read nor write PNG; default: do so if libpng is found])],
    [], [with_png=check])
  sk_png=no
  AS_VAR_IF([with_png], [no], [], [
    AC_CHECK_HEADER([png.h], [AC_CHECK_LIB([png16], [png_set_check_for_invalid_index], [sk_png=yes], [], [-lz -lm])])
    AS_IF([test "x$with_png" = xyes && test "$sk_png" = no],
      [AC_MSG_ERROR([libpng not found: install its development files (Debian: libpng-dev)])])
  ])
  AS_IF([test "$sk_png" = yes], [AC_SUBST([PNG_LIBS], [-lpng16])])
  AM_CONDITIONAL([PNG], [test "$sk_png" = yes])
])
