# The archive has all of gpucompact but its options and its work as ranks of MPI, which gpucompact-mpi adds.
bin_PROGRAMS += gpucompact
noinst_LIBRARIES += tools/libgpucompact.a
tools_libgpucompact_a_SOURCES = \
	tools/compact/compacting.c \
	tools/compact/compaction.h \
	tools/compact/filter.c \
	tools/compact/filter.h \
	tools/compact/overwriting.c \
	tools/compact/where.c \
	tools/compact/where.h
tools_libgpucompact_a_CFLAGS = $(TOOL_CFLAGS)
gpucompact_SOURCES = tools/compact/gpucompact.c
gpucompact_CFLAGS = $(TOOL_CFLAGS)
gpucompact_LDFLAGS = -pthread
gpucompact_LDADD = tools/libgpucompact.a $(TOOL_LDADD)
GPUCOMPACT_RANKS = tools/compact/by_ranks.c tools/compact/rank_pieces.c tools/compact/rank_pieces.h
if MPI
pkglibexec_PROGRAMS += gpucompact-mpi
gpucompact_mpi_SOURCES = tools/compact/gpucompact.c $(GPUCOMPACT_RANKS)
gpucompact_mpi_CFLAGS = $(TOOL_CFLAGS)
gpucompact_mpi_LDFLAGS = -pthread
gpucompact_mpi_LDADD = tools/libgpucompact.a $(MPI_TOOL_LDADD)
endif
EXTRA_DIST += $(GPUCOMPACT_RANKS)
