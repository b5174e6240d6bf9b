# The tools, on the library's public interface alone.
bin_PROGRAMS += gpusort gpucompact gpurle gpuscan

# What every tool is made of, beside its own.
SHARED_TOOL_SOURCES = \
	tools/bgzf.c tools/bgzf.h tools/buffer.c tools/buffer.h tools/cli.c tools/cli.h tools/device.c tools/device.h \
	tools/gzip.c tools/gzip.h tools/input.c tools/input.h tools/npy.c tools/npy.h tools/options.c tools/options.h \
	tools/output.c tools/output.h tools/pread.c tools/pread.h tools/progress.c tools/progress.h tools/ring.c \
	tools/ring.h tools/schema.c tools/schema.h tools/signals.c tools/signals.h tools/stats.c tools/stats.h \
	tools/stream.c tools/stream.h tools/temporary.c tools/temporary.h
TOOL_CFLAGS = $(AM_CFLAGS) -pthread
TOOL_LDADD = lib/libscankit.la $(ZLIB_LIBS)

gpusort_SOURCES = \
	tools/check.c tools/gpusort.c tools/plan.h tools/sorting.c tools/unique.c tools/unique.h $(SHARED_TOOL_SOURCES)
gpusort_CFLAGS = $(TOOL_CFLAGS)
gpusort_LDFLAGS = -pthread
gpusort_LDADD = $(TOOL_LDADD)

gpucompact_SOURCES = \
	tools/compacting.c tools/compaction.h tools/filter.c tools/filter.h tools/gpucompact.c tools/overwriting.c \
	tools/sink.c tools/sink.h tools/where.c tools/where.h $(SHARED_TOOL_SOURCES)
gpucompact_CFLAGS = $(TOOL_CFLAGS)
gpucompact_LDFLAGS = -pthread
gpucompact_LDADD = $(TOOL_LDADD)

gpurle_SOURCES = \
	tools/columns.c tools/container.c tools/container.h tools/container_read.c tools/decoding.c tools/encoding.c \
	tools/expander.c tools/expander.h tools/finding.c tools/gpurle.c tools/listing.c tools/number.c \
	tools/number.h tools/rle.h tools/runs.c tools/runs.h tools/sink.c tools/sink.h tools/text.c $(SHARED_TOOL_SOURCES)
gpurle_CFLAGS = $(TOOL_CFLAGS)
gpurle_LDFLAGS = -pthread
gpurle_LDADD = $(TOOL_LDADD)

gpuscan_SOURCES = \
	tools/gallery.c tools/gpuscan.c tools/number.c tools/number.h tools/pass.c tools/reducing.c tools/scan.h \
	tools/scanner.c tools/scanner.h tools/scanning.c tools/segments.c tools/segments.h tools/sink.c tools/sink.h \
	tools/value.c tools/value.h $(SHARED_TOOL_SOURCES)
gpuscan_CFLAGS = $(TOOL_CFLAGS)
gpuscan_LDFLAGS = -pthread
gpuscan_LDADD = $(TOOL_LDADD)
