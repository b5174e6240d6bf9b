# The tools, on the library's public interface alone.
bin_PROGRAMS += gpusort
gpusort_SOURCES = \
	tools/bgzf.c tools/bgzf.h tools/buffer.c tools/buffer.h tools/check.c tools/cli.c tools/cli.h tools/device.c \
	tools/device.h tools/gpusort.c tools/gzip.c tools/gzip.h tools/input.c tools/input.h tools/npy.c tools/npy.h \
	tools/options.c tools/options.h tools/output.c tools/output.h tools/plan.h tools/pread.c tools/pread.h \
	tools/progress.c tools/progress.h tools/ring.c tools/ring.h tools/schema.c tools/schema.h tools/sorting.c \
	tools/stats.c tools/stats.h tools/stream.c tools/stream.h tools/temporary.c tools/temporary.h tools/unique.c \
	tools/unique.h
gpusort_CFLAGS = $(AM_CFLAGS) -pthread
gpusort_LDFLAGS = -pthread
gpusort_LDADD = lib/libscankit.la $(ZLIB_LIBS)
