# SK_ARROW: the tools read Arrow IPC files and streams by nanoarrow, which is in third_party/. Sets the conditional ARROW.
AC_DEFUN([SK_ARROW], [
  AC_ARG_WITH([arrow],
    [AS_HELP_STRING([--without-arrow], [do not read Arrow IPC files and streams])],
    [], [with_arrow=yes])
  sk_arrow=yes
  AS_VAR_IF([with_arrow], [no], [sk_arrow=no])
  AM_CONDITIONAL([ARROW], [test "$sk_arrow" = yes])
])
