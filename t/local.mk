# make check: TAP programs and scripts, through Automake's driver. Threads that wait do not spin: tests run side by side.
TEST_EXTENSIONS = .t
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = srcdir=`cd '$(top_srcdir)' && pwd`; export srcdir; builddir=`pwd`; export builddir; \
	OMP_WAIT_POLICY=passive; export OMP_WAIT_POLICY; \
	PATH="$$builddir:$$PATH"; export PATH;

include t/library.mk
include t/tools.mk
include t/docs.mk

TESTS += $(LIBRARY_TESTS) $(LIBRARY_SCRIPT_TESTS) $(TOOL_TESTS) $(TOOL_FUZZERS) $(DOC_TESTS)
EXTRA_DIST += build-aux/tap-driver.sh $(LIBRARY_SCRIPT_TESTS) $(TOOL_TESTS) $(TOOL_TEST_FILES) $(DOC_TESTS)
