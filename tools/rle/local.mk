bin_PROGRAMS += gpurle
gpurle_SOURCES = \
	tools/rle/columns.c \
	tools/rle/container.c \
	tools/rle/container.h \
	tools/rle/container_read.c \
	tools/rle/decoding.c \
	tools/rle/encoding.c \
	tools/rle/expander.c \
	tools/rle/expander.h \
	tools/rle/flow.c \
	tools/rle/flow.h \
	tools/rle/gpurle.c \
	tools/rle/listing.c \
	tools/rle/pairs.c \
	tools/rle/rle.h \
	tools/rle/run_stream.c \
	tools/rle/runs.c \
	tools/rle/runs.h \
	tools/rle/text.c
gpurle_CFLAGS = $(TOOL_CFLAGS)
gpurle_LDFLAGS = -pthread
gpurle_LDADD = $(TOOL_LDADD)
