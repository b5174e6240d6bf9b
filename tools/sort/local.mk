bin_PROGRAMS += gpusort
gpusort_SOURCES = \
	tools/sort/check.c \
	tools/sort/gpusort.c \
	tools/sort/prefix_writer.c \
	tools/sort/prefix_writer.h \
	tools/sort/request.h \
	tools/sort/sorting.c \
	tools/sort/unique.c \
	tools/sort/unique.h
gpusort_CFLAGS = $(TOOL_CFLAGS)
gpusort_LDFLAGS = -pthread
gpusort_LDADD = $(TOOL_LDADD)
