# Tests of what the tools have in common, end to end.
TOOL_TESTS += t/tools/both.t t/tools/codec.t t/tools/ends.t t/tools/gzip.t t/tools/io-faults.t t/tools/npy.t t/tools/sync.t \
	t/tools/zstd.t
TOOL_TEST_FILES += t/tools/inject.c t/tools/inject.pl t/tools/lib.pl

# Faults, preloaded into the tools. If the shared object cannot be built, the tests that need it are skipped.
check_DATA = t/tools/inject.so
CLEANFILES += t/tools/inject.so
t/tools/inject.so: $(srcdir)/t/tools/inject.c
	@$(MKDIR_P) t/tools
	-$(AM_V_CC)$(CC) -shared -fPIC -O1 -o $@ $(srcdir)/t/tools/inject.c -ldl -lpthread
