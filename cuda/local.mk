# The CUDA backend. nvcc runs under libtool through a small wrapper, and writes the dependencies that Automake does not track.
CUDA_SOURCES = \
	cuda/compact.cu \
	cuda/compile.cu \
	cuda/context.cu \
	cuda/gallery_block.cu \
	cuda/gallery_compact.cu \
	cuda/gallery_reduce.cu \
	cuda/gallery_scan.cu \
	cuda/hybrid.cu \
	cuda/merge.cu \
	cuda/pairs.cu \
	cuda/program.cu \
	cuda/records.cu \
	cuda/reduce.cu \
	cuda/reduce_by_key.cu \
	cuda/rle.cu \
	cuda/rle_decode.cu \
	cuda/sample_sort.cu \
	cuda/scan.cu \
	cuda/segmented_reduce.cu \
	cuda/segmented_scan.cu \
	cuda/sort.cu \
	cuda/source.cu \
	cuda/split.cu \
	cuda/split_flags.cu
CUDA_INCLUDED = \
	cuda/arena.cuh \
	cuda/bulk.cuh \
	cuda/check.cuh \
	cuda/compact.cuh \
	cuda/device.cuh \
	cuda/digit_sort.cuh \
	cuda/element.cuh \
	cuda/gallery.cuh \
	cuda/hybrid.cuh \
	cuda/key_order.cuh \
	cuda/key_sort.cuh \
	cuda/launch.cuh \
	cuda/merge.cuh \
	cuda/op.cuh \
	cuda/pairs.cuh \
	cuda/pass.cuh \
	cuda/predicate.cuh \
	cuda/ring.cuh \
	cuda/rle.cuh \
	cuda/roomy_sort.cuh \
	cuda/sample_sort.cuh \
	cuda/shape.cuh \
	cuda/split.cuh \
	cuda/state.cuh \
	cuda/thread.cuh \
	cuda/tile.cuh \
	cuda/tuning.cuh \
	cuda/unit.cuh \
	cuda/warp.cuh \
	cuda/block/block_scan.cuh \
	cuda/block/long_sort.cuh \
	cuda/block/radix_rank.cuh \
	cuda/block/radix_sort.cuh \
	cuda/block/row_ranks.cuh \
	cuda/block/scan_tile.cuh \
	cuda/grid/bitonic_sort.cuh \
	cuda/grid/bucket_sort.cuh \
	cuda/grid/buckets.cuh \
	cuda/grid/chunk_sort.cuh \
	cuda/grid/compact.cuh \
	cuda/grid/compact_part.cuh \
	cuda/grid/deal_keys.cuh \
	cuda/grid/digits.cuh \
	cuda/grid/dominated.cuh \
	cuda/grid/encode_runs.cuh \
	cuda/grid/expand.cuh \
	cuda/grid/flag_counts.cuh \
	cuda/grid/foresee.cuh \
	cuda/grid/hierarchical.cuh \
	cuda/grid/interpret.cuh \
	cuda/grid/key_map.cuh \
	cuda/grid/key_survey.cuh \
	cuda/grid/key_words.cuh \
	cuda/grid/lane_order.cuh \
	cuda/grid/large_buckets.cuh \
	cuda/grid/lookback.cuh \
	cuda/grid/map.cuh \
	cuda/grid/merge_keys.cuh \
	cuda/grid/merge_path.cuh \
	cuda/grid/merge_places.cuh \
	cuda/grid/ordered_scan.cuh \
	cuda/grid/overlap.cuh \
	cuda/grid/pair_buckets.cuh \
	cuda/grid/partition.cuh \
	cuda/grid/reduce.cuh \
	cuda/grid/reduce_runs.cuh \
	cuda/grid/reverse.cuh \
	cuda/grid/ring.cuh \
	cuda/grid/ring_compact.cuh \
	cuda/grid/ring_encode.cuh \
	cuda/grid/ring_scan.cuh \
	cuda/grid/run_heads.cuh \
	cuda/grid/sample_bins.cuh \
	cuda/grid/scan.cuh \
	cuda/grid/scan_call.cuh \
	cuda/grid/scatter.cuh \
	cuda/grid/segment.cuh \
	cuda/grid/segmented_reduce.cuh \
	cuda/grid/segmented_scan.cuh \
	cuda/grid/small_sort.cuh \
	cuda/grid/sort_bins.cuh \
	cuda/grid/split_flags.cuh \
	cuda/grid/tree_reduce.cuh \
	cuda/grid/warp_merge.cuh \
	cuda/grid/window_sort.cuh

# The gallery: the file of each row of lib/gallery.h.
CUDA_GALLERY = \
	cuda/block/brent_kung.cuh \
	cuda/block/coarsened.cuh \
	cuda/block/conflict_free.cuh \
	cuda/block/double_buffered.cuh \
	cuda/block/kogge_stone.cuh \
	cuda/block/kogge_stone_double_buffered.cuh \
	cuda/block/reduce_divergent.cuh \
	cuda/block/reduce_sequential.cuh \
	cuda/block/reduce_shuffle.cuh \
	cuda/block/reduce_strided.cuh \
	cuda/block/vectorised.cuh \
	cuda/block/warp_shuffle.cuh \
	cuda/block/work_efficient.cuh \
	cuda/grid/chained.cuh \
	cuda/grid/gather_search.cuh \
	cuda/grid/lookback_thread.cuh \
	cuda/grid/naive.cuh \
	cuda/grid/scan_scatter.cuh \
	cuda/grid/sengupta_hybrid.cuh \
	cuda/grid/three_kernel.cuh

NVCCFLAGS = -O3 -std=c++20 --compiler-options=-fvisibility=hidden,-Wall,-Wextra
NVCCCOMPILE = $(SHELL) $(top_srcdir)/build-aux/nvcc-for-libtool $(NVCC) $(NVCC_ARCH) $(NVCCFLAGS) \
	-I. -I$(top_srcdir)/lib -I$(top_srcdir)/cuda
SUFFIXES = .cu
.cu.lo:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(LIBTOOL) $(AM_V_lt) --tag=CC $(AM_LIBTOOLFLAGS) --mode=compile $(NVCCCOMPILE) \
		-MMD -MF $@.d -MT $@ -c $< -o $@
-include $(CUDA_SOURCES:.cu=.lo.d)

# What a predicate is compiled with at run time, as C strings: name, text.
CUDA_EMBEDDED = cuda/block/row_ranks.cuh cuda/bulk.cuh cuda/element.cuh cuda/grid/compact.cuh \
	cuda/grid/compact_part.cuh cuda/grid/lookback.cuh cuda/grid/ring.cuh cuda/grid/ring_compact.cuh cuda/tile.cuh \
	cuda/tuning.cuh cuda/warp.cuh lib/steps.h
cuda/embedded.inc: $(CUDA_EMBEDDED)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && for file in $(CUDA_EMBEDDED); do \
		echo "{\"$${file#*/}\"," && sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' $(srcdir)/$$file && echo '},' || exit 1; \
	done >$@.tmp && mv $@.tmp $@
cuda/compile.lo: cuda/embedded.inc
CLEANFILES += cuda/embedded.inc

# What includes all of the gallery.
cuda/gallery.inc: cuda/local.mk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && for file in $(CUDA_GALLERY); do echo "#include \"$${file#*/}\""; done >$@.tmp && mv $@.tmp $@
cuda/gallery_block.lo cuda/gallery_compact.lo cuda/gallery_reduce.lo cuda/gallery_scan.lo: cuda/gallery.inc
CLEANFILES += cuda/gallery.inc

EXTRA_DIST += $(CUDA_SOURCES) $(CUDA_INCLUDED) $(CUDA_GALLERY)
if CUDA
noinst_LTLIBRARIES += cuda/libcuda.la
cuda_libcuda_la_SOURCES = $(CUDA_SOURCES)
endif
CLEANFILES += cuda/*.lo.d
