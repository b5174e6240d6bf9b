bin_PROGRAMS += gpusort
gpusort_SOURCES = \
	tools/sort/algorithm.c \
	tools/sort/algorithm.h \
	tools/sort/check.c \
	tools/sort/external.c \
	tools/sort/external.h \
	tools/sort/gpusort.c \
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
	tools/sort/sort_whole.c \
	tools/sort/sorting.c \
	tools/sort/whole_sort.h
gpusort_CFLAGS = $(TOOL_CFLAGS)
gpusort_LDFLAGS = -pthread
gpusort_LDADD = $(TOOL_LDADD)
include tools/sort/external/local.mk
