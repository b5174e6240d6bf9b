# make check: TAP programs and scripts, through Automake's driver. Threads that wait do not spin: tests run side by side.
TEST_EXTENSIONS = .t
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = srcdir=`cd '$(top_srcdir)' && pwd`; export srcdir; builddir=`pwd`; export builddir; \
	OMP_WAIT_POLICY=passive; export OMP_WAIT_POLICY; \
	PATH="$$builddir:$$PATH"; export PATH;

AM_CPPFLAGS += -I$(top_srcdir)/t

LIBRARY_TESTS =
TOOL_TESTS =
TOOL_TEST_FILES =
include t/support/local.mk
include t/scan/local.mk
include t/sort/local.mk
include t/compact/local.mk
include t/rle/local.mk
include t/predicate/local.mk
include t/library/local.mk
include t/large/local.mk
include t/fuzz/local.mk
include t/tools/local.mk
include t/gpusort/local.mk
include t/gpucompact/local.mk
include t/gpurle/local.mk
include t/gpuscan/local.mk
include t/project/local.mk

check_PROGRAMS += $(LIBRARY_TESTS)
TESTS += $(LIBRARY_TESTS) $(TOOL_TESTS) $(TOOL_FUZZERS) $(PROJECT_TESTS)
EXTRA_DIST += build-aux/tap-driver.sh $(TOOL_TESTS) $(TOOL_TEST_FILES) $(PROJECT_TESTS)
