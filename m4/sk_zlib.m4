# SK_ZLIB: zlib is required (the tools read and write gzip with it).
AC_DEFUN([SK_ZLIB], [
  AC_CHECK_HEADER([zlib.h], [], [AC_MSG_ERROR([zlib.h not found: install zlib's development files (Debian: zlib1g-dev)])])
  AC_CHECK_LIB([z], [inflateReset2], [AC_SUBST([ZLIB_LIBS], [-lz])],
    [AC_MSG_ERROR([libz not found: install zlib's development files (Debian: zlib1g-dev)])])
])
