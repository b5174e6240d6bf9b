# The library: what checks arguments and composes, over the backends.
lib_LTLIBRARIES += lib/libscankit.la
include_HEADERS = lib/scankit.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = lib/scankit.pc

lib_libscankit_la_SOURCES = \
	lib/algorithms.h \
	lib/arena.h \
	lib/backend.h \
	lib/bins.h \
	lib/compact.c \
	lib/context.c \
	lib/copy.c \
	lib/error.c \
	lib/gallery.c \
	lib/gallery.h \
	lib/half.h \
	lib/image.h \
	lib/internal.h \
	lib/operators.h \
	lib/order.h \
	lib/program.h \
	lib/reduce.c \
	lib/rle.c \
	lib/scan.c \
	lib/scankit.h \
	lib/segmented_reduce.c \
	lib/segmented_scan.c \
	lib/split.c \
	lib/steps.h \
	lib/type.c \
	lib/widen.c \
	lib/workspace.c
include lib/keys/local.mk
include lib/sort/local.mk
include lib/histogram/local.mk
include lib/predicate/local.mk
include lib/image/local.mk
include lib/group/local.mk
lib_libscankit_la_LDFLAGS = -version-info $(SCANKIT_LT_VERSION) -export-symbols-regex '^scankit_' -no-undefined
lib_libscankit_la_LIBADD = lib/cpu/libcpu.la
lib_libscankit_la_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)

if CUDA
lib_libscankit_la_LIBADD += cuda/libcuda.la $(CUDA_LIBS)
else
lib_libscankit_la_SOURCES += lib/nocuda.c
endif
# Last: the linker may drop a library that nothing before it needs.
lib_libscankit_la_LIBADD += -lpthread $(LIBM)
EXTRA_DIST += lib/nocuda.c
