# The archive has all of gpusort but its options and its work as ranks of MPI, which gpusort-mpi adds.
bin_PROGRAMS += gpusort
noinst_LIBRARIES += tools/libgpusort.a
tools_libgpusort_a_SOURCES = \
	tools/sort/algorithm.c \
	tools/sort/algorithm.h \
	tools/sort/check.c \
	tools/sort/external.c \
	tools/sort/external.h \
	tools/sort/group_sort.c \
	tools/sort/group_sort.h \
	tools/sort/job_array.c \
	tools/sort/job_array.h \
	tools/sort/job_key.c \
	tools/sort/job_key.h \
	tools/sort/in_memory.c \
	tools/sort/in_memory.h \
	tools/sort/load.c \
	tools/sort/merge_range.c \
	tools/sort/partition.c \
	tools/sort/prefix_writer.c \
	tools/sort/prefix_writer.h \
	tools/sort/request.h \
	tools/sort/result.c \
	tools/sort/result.h \
	tools/sort/room.c \
	tools/sort/segmented.c \
	tools/sort/segmented.h \
	tools/sort/sort_whole.c \
	tools/sort/sorting.c \
	tools/sort/whole_sort.h
tools_libgpusort_a_CFLAGS = $(TOOL_CFLAGS)
gpusort_SOURCES = tools/sort/gpusort.c
gpusort_CFLAGS = $(TOOL_CFLAGS)
gpusort_LDFLAGS = -pthread
gpusort_LDADD = tools/libgpusort.a $(TOOL_LDADD)
SORT_BY_RANKS = \
	tools/sort/by_ranks.c \
	tools/sort/external/cuts.c \
	tools/sort/external/cuts.h \
	tools/sort/external/exchange.c \
	tools/sort/external/exchange.h \
	tools/sort/runs_by_ranks.c
if MPI
pkglibexec_PROGRAMS += gpusort-mpi
gpusort_mpi_SOURCES = tools/sort/gpusort.c $(SORT_BY_RANKS)
gpusort_mpi_CFLAGS = $(TOOL_CFLAGS)
gpusort_mpi_LDFLAGS = -pthread
gpusort_mpi_LDADD = tools/libgpusort.a $(MPI_TOOL_LDADD)
endif
EXTRA_DIST += $(SORT_BY_RANKS)
include tools/sort/external/local.mk
include tools/sort/table/local.mk
