# SK_ZSTD: libzstd, with which the tools read and write zstd, if it is there. Sets ZSTD_LIBS and the conditional ZSTD.
AC_DEFUN([SK_ZSTD], [
  AC_ARG_WITH([zstd],
    [AS_HELP_STRING([--without-zstd], [neither read nor write zstd; default: do so if libzstd is found])],
    [], [with_zstd=check])
  sk_zstd=no
  AS_VAR_IF([with_zstd], [no], [], [
    AC_CHECK_HEADER([zstd.h], [AC_CHECK_LIB([zstd], [ZSTD_compressStream2], [sk_zstd=yes])])
    AS_IF([test "x$with_zstd" = xyes && test "$sk_zstd" = no],
      [AC_MSG_ERROR([libzstd not found: install its development files (Debian: libzstd-dev)])])
  ])
  AS_IF([test "$sk_zstd" = yes], [AC_SUBST([ZSTD_LIBS], [-lzstd])])
  AM_CONDITIONAL([ZSTD], [test "$sk_zstd" = yes])
])
