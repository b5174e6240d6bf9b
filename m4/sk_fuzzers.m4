# SK_FUZZERS: --enable-fuzzers builds everything for libFuzzer, with AddressSanitizer and UndefinedBehaviorSanitizer, and
# has "make fuzz" build and run t/fuzz/fuzz-NAME. Sets FUZZER_LDFLAGS and FUZZERS_ENABLED.
AC_DEFUN([SK_FUZZERS], [
  AC_ARG_ENABLE([fuzzers],
    [AS_HELP_STRING([--enable-fuzzers], [build for libFuzzer with sanitizers; needs clang: CC=clang])],
    [], [enable_fuzzers=no])
  AS_VAR_IF([enable_fuzzers], [no], [], [
    sk_fuzzer_CFLAGS="-fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"
    sk_saved_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS $sk_fuzzer_CFLAGS -fsanitize=fuzzer"
    AC_MSG_CHECKING([whether $CC builds libFuzzer programs])
    AC_LINK_IFELSE([AC_LANG_SOURCE([[
      #include <stddef.h>
      int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
      int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) { return data == NULL && size > 0; }]])],
      [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no])
       AC_MSG_ERROR([--enable-fuzzers needs a compiler with -fsanitize=fuzzer,address,undefined: configure with CC=clang])])
    CFLAGS="$sk_saved_CFLAGS $sk_fuzzer_CFLAGS -fsanitize=fuzzer-no-link"
  ])
  AC_SUBST([FUZZER_LDFLAGS], ["-static -fsanitize=fuzzer"])
  AC_SUBST([FUZZERS_ENABLED], [$enable_fuzzers])
])
