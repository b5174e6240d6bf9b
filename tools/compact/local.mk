bin_PROGRAMS += gpucompact
gpucompact_SOURCES = \
	tools/compact/compacting.c \
	tools/compact/compaction.h \
	tools/compact/filter.c \
	tools/compact/filter.h \
	tools/compact/gpucompact.c \
	tools/compact/overwriting.c \
	tools/compact/where.c \
	tools/compact/where.h
gpucompact_CFLAGS = $(TOOL_CFLAGS)
gpucompact_LDFLAGS = -pthread
gpucompact_LDADD = $(TOOL_LDADD)
