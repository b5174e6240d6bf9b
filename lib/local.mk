# The library: what checks arguments and composes, over the backends.
lib_LTLIBRARIES += lib/libscankit.la
include_HEADERS = lib/scankit.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = lib/scankit.pc

lib_libscankit_la_SOURCES = \
	lib/arena.h lib/backend.h lib/gallery.h lib/internal.h lib/operators.h lib/order.h lib/program.h lib/scankit.h \
	lib/steps.h \
	lib/compact.c lib/context.c lib/error.c lib/gallery.c lib/key.c lib/layout.c lib/merge.c lib/predicate.c \
	lib/records.c lib/reduce.c lib/rle.c lib/scan.c lib/segmented_reduce.c lib/segmented_scan.c lib/sort.c lib/split.c \
	lib/type.c \
	lib/predicate/bytes.c lib/predicate/compare.c lib/predicate/fold.c lib/predicate/integer.c \
	lib/predicate/node.c lib/predicate/number.c lib/predicate/parse.c lib/predicate/predicate.h \
	lib/predicate/registers.c lib/predicate/set.c lib/predicate/tokens.c lib/predicate/value.c
lib_libscankit_la_LDFLAGS = -version-info $(SCANKIT_LT_VERSION) -export-symbols-regex '^scankit_' -no-undefined
lib_libscankit_la_LIBADD = lib/cpu/libcpu.la
lib_libscankit_la_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)

if CUDA
lib_libscankit_la_LIBADD += cuda/libcuda.la $(CUDA_LIBS)
else
lib_libscankit_la_SOURCES += lib/nocuda.c
endif
# Last: the linker may drop a library that nothing before it needs.
lib_libscankit_la_LIBADD += $(LIBM)
EXTRA_DIST += lib/nocuda.c
