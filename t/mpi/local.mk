# Groups over MPI: the programs of t/group/ with ranks as members. make check-mpi runs all of their cases.
TOOL_TESTS += t/mpi/ranks.t t/mpi/gpusort.t t/mpi/external.t t/mpi/gpurle.t t/mpi/inputs.t t/mpi/arrow.t t/mpi/outputs.t t/mpi/tools.t
MPI_TESTS = t/mpi/scan t/mpi/compact t/mpi/runs t/mpi/moves t/mpi/sort t/mpi/order
MPI_TEST_SOURCES = t/mpi/each_group.c t/group/parts.c t/group/parts.h
MPI_TEST_LDADD = t/libtest.a lib/mpi/libscankit_mpi.la lib/libscankit.la $(MPI_LIBS) -lpthread -lm
if MPI
check_PROGRAMS += $(MPI_TESTS) t/mpi/failing
t_mpi_scan_SOURCES = t/group/scan.c $(MPI_TEST_SOURCES)
t_mpi_scan_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS) -I$(top_srcdir)/lib/mpi
t_mpi_scan_LDADD = $(MPI_TEST_LDADD)
t_mpi_compact_SOURCES = t/group/compact.c $(MPI_TEST_SOURCES)
t_mpi_compact_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS) -I$(top_srcdir)/lib/mpi
t_mpi_compact_LDADD = $(MPI_TEST_LDADD)
t_mpi_runs_SOURCES = t/group/runs.c $(MPI_TEST_SOURCES)
t_mpi_runs_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS) -I$(top_srcdir)/lib/mpi
t_mpi_runs_LDADD = $(MPI_TEST_LDADD)
t_mpi_moves_SOURCES = t/group/moves.c $(MPI_TEST_SOURCES)
t_mpi_moves_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS) -I$(top_srcdir)/lib/mpi
t_mpi_moves_LDADD = $(MPI_TEST_LDADD)
t_mpi_sort_SOURCES = t/group/sort.c $(MPI_TEST_SOURCES)
t_mpi_sort_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS) -I$(top_srcdir)/lib/mpi
t_mpi_sort_LDADD = $(MPI_TEST_LDADD)
t_mpi_order_SOURCES = t/group/order.c $(MPI_TEST_SOURCES)
t_mpi_order_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS) -I$(top_srcdir)/lib/mpi
t_mpi_order_LDADD = $(MPI_TEST_LDADD)
t_mpi_failing_SOURCES = t/mpi/failing.c
t_mpi_failing_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS) -I$(top_srcdir)/lib/mpi
t_mpi_failing_LDADD = $(MPI_TEST_LDADD)
endif
EXTRA_DIST += t/mpi/over_ranks.sh t/mpi/each_group.c t/mpi/failing.c

.PHONY: check-mpi
check-mpi: $(check_PROGRAMS)
	SCANKIT_MPI_EVERY=1 $(MAKE) $(AM_MAKEFLAGS) check TESTS="t/mpi/ranks.t t/mpi/gpusort.t t/mpi/external.t t/mpi/gpurle.t t/mpi/inputs.t t/mpi/arrow.t t/mpi/outputs.t t/mpi/tools.t"
