tools_libtools_a_SOURCES += tools/mpi/launcher.c tools/mpi/launcher.h tools/mpi/noranks.c
# The tools' programs for ranks of MPI. Each is the tool's own objects, with tools/mpi/ instead of tools/mpi/noranks.c.
MPI_TOOL_SOURCES = \
	tools/mpi/rank.c \
	tools/mpi/rank.h \
	tools/mpi/rank_device.c \
	tools/mpi/rank_exchange.c \
	tools/mpi/rank_exchange.h \
	tools/mpi/rank_files.c \
	tools/mpi/rank_files.h \
	tools/mpi/rank_pieces.c \
	tools/mpi/rank_stream.c \
	tools/mpi/rank_stream.h \
	tools/mpi/rank_transfer.c \
	tools/mpi/shared_file.c \
	tools/mpi/shared_file.h
MPI_TOOL_CFLAGS = $(TOOL_CFLAGS) $(MPI_CFLAGS) -I$(top_srcdir)/lib/mpi
MPI_TOOL_LDADD = tools/libmpitools.a tools/libtools.a lib/mpi/libscankit_mpi.la lib/libscankit.la $(MPI_LIBS) $(ARROW_LIBS) $(ISAL_LIBS) \
	$(ZSTD_LIBS) $(ZLIB_LIBS) $(LIBM)
pkglibexec_PROGRAMS =
if MPI
noinst_LIBRARIES += tools/libmpitools.a
tools_libmpitools_a_SOURCES = $(MPI_TOOL_SOURCES)
tools_libmpitools_a_CFLAGS = $(MPI_TOOL_CFLAGS)
endif
EXTRA_DIST += $(MPI_TOOL_SOURCES)
