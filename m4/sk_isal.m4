# SK_ISAL: ISA-L, which deflates and inflates several times as fast as zlib, if it is there. Sets ISAL_LIBS and the
# conditional ISAL.
AC_DEFUN([SK_ISAL], [
  AC_ARG_WITH([isal],
    [AS_HELP_STRING([--without-isal], [compress gzip by zlib alone; default: by ISA-L too, if it is found])],
    [], [with_isal=check])
  sk_isal=no
  AS_VAR_IF([with_isal], [no], [], [
    AC_CHECK_HEADER([isa-l/igzip_lib.h], [AC_CHECK_LIB([isal], [isal_deflate_stateless], [sk_isal=yes])])
    AS_IF([test "x$with_isal" = xyes && test "$sk_isal" = no],
      [AC_MSG_ERROR([ISA-L not found: install its development files (Debian: libisal-dev)])])
  ])
  AS_IF([test "$sk_isal" = yes], [AC_SUBST([ISAL_LIBS], [-lisal])])
  AM_CONDITIONAL([ISAL], [test "$sk_isal" = yes])
])
