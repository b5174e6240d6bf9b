# The CPU backend: kernel/ holds the steps of one thread and is built once an instruction set, each alone with its flags;
# cpu.c chooses between them when a device is opened.
# Devices compute the same, so no product and sum become one operation that rounds once.
cpu_cflags = $(AM_CFLAGS) $(OPENMP_CFLAGS) -ffp-contract=off
cpu_kernels = \
	lib/cpu/kernel/bins.c \
	lib/cpu/kernel/bits.c \
	lib/cpu/kernel/burst.h \
	lib/cpu/kernel/chunks.h \
	lib/cpu/kernel/compress.c \
	lib/cpu/kernel/encode.c \
	lib/cpu/kernel/even_bins.h \
	lib/cpu/kernel/expand.c \
	lib/cpu/kernel/fold.c \
	lib/cpu/kernel/heads.c \
	lib/cpu/kernel/kernels.c \
	lib/cpu/kernel/kernels.h \
	lib/cpu/kernel/keys.c \
	lib/cpu/kernel/keys.inc \
	lib/cpu/kernel/lanes.h \
	lib/cpu/kernel/lanes.inc \
	lib/cpu/kernel/lanes_end.inc \
	lib/cpu/kernel/neon.h \
	lib/cpu/kernel/pick.c \
	lib/cpu/kernel/quotients.h \
	lib/cpu/kernel/rows.h \
	lib/cpu/kernel/run_sums.c \
	lib/cpu/kernel/running.c \
	lib/cpu/kernel/runs.c \
	lib/cpu/kernel/shapes.h \
	lib/cpu/kernel/shapes.inc \
	lib/cpu/kernel/short_runs.h \
	lib/cpu/kernel/steps.c \
	lib/cpu/kernel/stream.h \
	lib/cpu/kernel/truths.h \
	lib/cpu/kernel/image/box.c \
	lib/cpu/kernel/image/box_halves.h \
	lib/cpu/kernel/image/box_pairs.h \
	lib/cpu/kernel/image/box_pass.h \
	lib/cpu/kernel/image/box_scans.h \
	lib/cpu/kernel/image/box_taps.h \
	lib/cpu/kernel/image/lane_loads.h \
	lib/cpu/kernel/image/lane_scan.h \
	lib/cpu/kernel/image/light.c \
	lib/cpu/kernel/image/sums.c \
	lib/cpu/kernel/image/table.c \
	lib/cpu/kernel/image/table_stream.h \
	lib/cpu/kernel/image/transpose.c \
	lib/cpu/kernel/image/widen.c \
	lib/cpu/kernel/sort/bin_sort.inc \
	lib/cpu/kernel/sort/bitonic.c \
	lib/cpu/kernel/sort/bitonic.inc \
	lib/cpu/kernel/sort/bitonic_values.inc \
	lib/cpu/kernel/sort/blocks.c \
	lib/cpu/kernel/sort/blocks.inc \
	lib/cpu/kernel/sort/dense.c \
	lib/cpu/kernel/sort/dense.inc \
	lib/cpu/kernel/sort/heavy.c \
	lib/cpu/kernel/sort/heavy.inc \
	lib/cpu/kernel/sort/heavy_slots.inc \
	lib/cpu/kernel/sort/local.c \
	lib/cpu/kernel/sort/local.inc \
	lib/cpu/kernel/sort/merge.c \
	lib/cpu/kernel/sort/merge.inc \
	lib/cpu/kernel/sort/merge_some.inc \
	lib/cpu/kernel/sort/merge_sort.inc \
	lib/cpu/kernel/sort/network.c \
	lib/cpu/kernel/sort/network.inc \
	lib/cpu/kernel/sort/partition.c \
	lib/cpu/kernel/sort/partition.inc \
	lib/cpu/kernel/sort/pivot.c \
	lib/cpu/kernel/sort/pivot.inc \
	lib/cpu/kernel/sort/quick_sort.inc \
	lib/cpu/kernel/sort/records.inc \
	lib/cpu/kernel/sort/staged.c \
	lib/cpu/kernel/sort/values.inc \
	lib/cpu/kernel/sort/whole_sort.inc \
	lib/cpu/kernel/sort/words/column_sort.inc \
	lib/cpu/kernel/sort/words/narrow_sort.inc \
	lib/cpu/kernel/sort/words/record_sort.inc \
	lib/cpu/kernel/sort/words/word_sort.inc \
	lib/cpu/kernel/sort/words/words.h

noinst_LTLIBRARIES += lib/cpu/libcpu.la lib/cpu/libbase.la
lib_cpu_libcpu_la_SOURCES = \
	lib/cpu/choose.c \
	lib/cpu/choose.h \
	lib/cpu/compact.c \
	lib/cpu/compact_long.c \
	lib/cpu/cpu.c \
	lib/cpu/cpu.h \
	lib/cpu/host_memory.c \
	lib/cpu/host_memory.h \
	lib/cpu/outflow.h \
	lib/cpu/predicate.c \
	lib/cpu/reduce.c \
	lib/cpu/reduce_short.c \
	lib/cpu/reduce_short.h \
	lib/cpu/rle.c \
	lib/cpu/rle_staged.c \
	lib/cpu/rle_decode.c \
	lib/cpu/rle_long.c \
	lib/cpu/scan.c \
	lib/cpu/histogram.c \
	lib/cpu/histogram_parts.c \
	lib/cpu/histogram_parts.h \
	lib/cpu/segmented_reduce.c \
	lib/cpu/sieve.c \
	lib/cpu/sieve.h \
	lib/cpu/staged.h \
	lib/cpu/threads.h \
	lib/cpu/tiles.h \
	lib/cpu/top_first.c \
	lib/cpu/turn.h
include lib/cpu/sort/local.mk
include lib/cpu/merge/local.mk
include lib/cpu/split/local.mk
include lib/cpu/gallery/local.mk
include lib/cpu/image/local.mk
lib_cpu_libcpu_la_CFLAGS = $(cpu_cflags)
lib_cpu_libcpu_la_LIBADD = lib/cpu/libbase.la

lib_cpu_libbase_la_SOURCES = $(cpu_kernels)
lib_cpu_libbase_la_CFLAGS = $(cpu_cflags) -DSK_ISA=base

if HAVE_X86_SIMD
noinst_LTLIBRARIES += lib/cpu/libavx2.la lib/cpu/libavx512.la
lib_cpu_libavx2_la_SOURCES = $(cpu_kernels)
lib_cpu_libavx2_la_CFLAGS = $(cpu_cflags) -DSK_ISA=avx2 -mavx2 -mbmi2
lib_cpu_libavx512_la_SOURCES = $(cpu_kernels)
lib_cpu_libavx512_la_CFLAGS = $(cpu_cflags) -DSK_ISA=avx512 -mavx2 -mbmi2 -mavx512f -mavx512bw -mavx512vl -mavx512dq
lib_cpu_libcpu_la_LIBADD += lib/cpu/libavx2.la lib/cpu/libavx512.la
endif

# Behind CFLAGS. A target's own CFLAGS, as Automake has them, come in front.
$(lib_cpu_libcpu_la_OBJECTS) $(lib_cpu_libbase_la_OBJECTS) $(lib_cpu_libavx2_la_OBJECTS) \
$(lib_cpu_libavx512_la_OBJECTS): override CFLAGS += $(KERNEL_CFLAGS)
