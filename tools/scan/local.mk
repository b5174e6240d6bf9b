# The archive has all of gpuscan but its options and its work as ranks of MPI, which gpuscan-mpi adds.
bin_PROGRAMS += gpuscan
noinst_LIBRARIES += tools/libgpuscan.a
tools_libgpuscan_a_SOURCES = \
	tools/scan/counting.c \
	tools/scan/pass.c \
	tools/scan/reducing.c \
	tools/scan/scan.h \
	tools/scan/scanner.c \
	tools/scan/scanner.h \
	tools/scan/scanning.c \
	tools/scan/value.c \
	tools/scan/value.h
tools_libgpuscan_a_CFLAGS = $(TOOL_CFLAGS)
gpuscan_SOURCES = tools/scan/gpuscan.c
gpuscan_CFLAGS = $(TOOL_CFLAGS)
gpuscan_LDFLAGS = -pthread
gpuscan_LDADD = tools/libgpuscan.a $(TOOL_LDADD)
GPUSCAN_RANKS = tools/scan/by_ranks.c tools/scan/rank_pieces.c tools/scan/rank_pieces.h tools/scan/rank_segments.c tools/scan/rank_segments.h
if MPI
pkglibexec_PROGRAMS += gpuscan-mpi
gpuscan_mpi_SOURCES = tools/scan/gpuscan.c $(GPUSCAN_RANKS)
gpuscan_mpi_CFLAGS = $(TOOL_CFLAGS)
gpuscan_mpi_LDFLAGS = -pthread
gpuscan_mpi_LDADD = tools/libgpuscan.a $(MPI_TOOL_LDADD)
endif
EXTRA_DIST += $(GPUSCAN_RANKS)
