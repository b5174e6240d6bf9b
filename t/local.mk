# make check: TAP programs and scripts, through Automake's driver. Waiting threads do not spin, because tests run side by
# side. Tools keep no figures of the machine. With a shared library, the tools' programs are in .libs; starting them
# through libtool's scripts takes three times as long.
TEST_EXTENSIONS = .t
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = srcdir=`cd '$(top_srcdir)' && pwd`; export srcdir; builddir=`pwd`; export builddir; \
	OMP_WAIT_POLICY=passive; export OMP_WAIT_POLICY; SCANKIT_NO_CACHE=1; export SCANKIT_NO_CACHE; \
	PATH="$$builddir/.libs:$$builddir:$$PATH"; export PATH; \
	LD_LIBRARY_PATH="$$builddir/lib/.libs:$$builddir/lib/mpi/.libs$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH}"; export LD_LIBRARY_PATH;

AM_CPPFLAGS += -I$(top_srcdir)/t

LIBRARY_TESTS =
TOOL_TESTS =
TOOL_TEST_FILES =
# Within each list, folders with long tests come first: tests start in this order.
include t/support/local.mk
include t/rle/local.mk
include t/library/local.mk
include t/workspace/local.mk
include t/sort/local.mk
include t/histogram/local.mk
include t/compact/local.mk
include t/predicate/local.mk
include t/scan/local.mk
include t/image/local.mk
include t/group/local.mk
include t/mpi/local.mk
include t/large/local.mk
include t/fuzz/local.mk
include t/gpurle/local.mk
include t/gpucompact/local.mk
include t/tools/local.mk
include t/gpuimg/local.mk
include t/gpuscan/local.mk
include t/gpusort/local.mk
include t/project/local.mk
include t/python/local.mk

check_PROGRAMS += $(LIBRARY_TESTS)
TESTS += $(TOOL_TESTS) $(TOOL_FUZZERS) $(UNIT_TESTS) $(LIBRARY_TESTS) $(PROJECT_TESTS)
EXTRA_DIST += build-aux/tap-driver.sh $(TOOL_TESTS) $(TOOL_TEST_FILES) $(PROJECT_TESTS)
