# The archive has all of gpurle but its options and its work as ranks of MPI, which gpurle-mpi adds.
bin_PROGRAMS += gpurle
noinst_LIBRARIES += tools/libgpurle.a
tools_libgpurle_a_SOURCES = \
	tools/rle/columns.c \
	tools/rle/composer.c \
	tools/rle/composer.h \
	tools/rle/container.c \
	tools/rle/container.h \
	tools/rle/container_read.c \
	tools/rle/decoding.c \
	tools/rle/encoding.c \
	tools/rle/expander.c \
	tools/rle/expander.h \
	tools/rle/flow.c \
	tools/rle/flow.h \
	tools/rle/listing.c \
	tools/rle/pairs.c \
	tools/rle/rle.h \
	tools/rle/run_stream.c \
	tools/rle/runs.c \
	tools/rle/runs.h \
	tools/rle/text.c
tools_libgpurle_a_CFLAGS = $(TOOL_CFLAGS)
gpurle_SOURCES = tools/rle/gpurle.c
gpurle_CFLAGS = $(TOOL_CFLAGS)
gpurle_LDFLAGS = -pthread
gpurle_LDADD = tools/libgpurle.a $(TOOL_LDADD)
GPURLE_RANKS = \
	tools/rle/by_ranks.c \
	tools/rle/cuts.c \
	tools/rle/cuts.h \
	tools/rle/division.c \
	tools/rle/division.h \
	tools/rle/rank_columns.c \
	tools/rle/rank_decode.c \
	tools/rle/rank_encode.c \
	tools/rle/rank_rle.h \
	tools/rle/rank_runs.c
if MPI
pkglibexec_PROGRAMS += gpurle-mpi
gpurle_mpi_SOURCES = tools/rle/gpurle.c $(GPURLE_RANKS)
gpurle_mpi_CFLAGS = $(TOOL_CFLAGS)
gpurle_mpi_LDFLAGS = -pthread
gpurle_mpi_LDADD = tools/libgpurle.a $(MPI_TOOL_LDADD)
endif
EXTRA_DIST += $(GPURLE_RANKS)
