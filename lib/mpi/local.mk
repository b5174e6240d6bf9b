# Groups over MPI: a library of its own, so that the core does without MPI.
MPI_SOURCES = \
	lib/mpi/device.c \
	lib/mpi/direct.c \
	lib/mpi/fault.c \
	lib/mpi/fault.h \
	lib/mpi/group.c \
	lib/mpi/nccl.c \
	lib/mpi/nccl_library.c \
	lib/mpi/nccl_library.h \
	lib/mpi/pieces.c \
	lib/mpi/pieces.h \
	lib/mpi/ranks.c \
	lib/mpi/scankit_mpi.h \
	lib/mpi/staged.c \
	lib/mpi/transport.h
if MPI
lib_LTLIBRARIES += lib/mpi/libscankit_mpi.la
include_HEADERS += lib/mpi/scankit_mpi.h
pkgconfig_DATA += lib/mpi/scankit_mpi.pc
lib_mpi_libscankit_mpi_la_SOURCES = $(MPI_SOURCES)
lib_mpi_libscankit_mpi_la_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
lib_mpi_libscankit_mpi_la_LDFLAGS = -version-info $(SCANKIT_LT_VERSION) -export-symbols-regex '^scankit_mpi_' -no-undefined
lib_mpi_libscankit_mpi_la_LIBADD = lib/libscankit.la $(MPI_LIBS) -ldl -lpthread
endif
EXTRA_DIST += $(MPI_SOURCES) lib/mpi/scankit_mpi.pc.in
