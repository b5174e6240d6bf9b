# gpurle as ranks of MPI.
GPURLE_RANKS = \
	tools/rle/ranks/by_ranks.c \
	tools/rle/ranks/columns.c \
	tools/rle/ranks/cuts.c \
	tools/rle/ranks/cuts.h \
	tools/rle/ranks/decode.c \
	tools/rle/ranks/division.c \
	tools/rle/ranks/division.h \
	tools/rle/ranks/encode.c \
	tools/rle/ranks/rank_rle.h \
	tools/rle/ranks/rank_runs.c
if MPI
pkglibexec_PROGRAMS += gpurle-mpi
gpurle_mpi_SOURCES = tools/rle/gpurle.c $(GPURLE_RANKS)
gpurle_mpi_CFLAGS = $(TOOL_CFLAGS)
gpurle_mpi_LDFLAGS = -pthread
gpurle_mpi_LDADD = tools/libgpurle.a $(MPI_TOOL_LDADD)
endif
EXTRA_DIST += $(GPURLE_RANKS)
