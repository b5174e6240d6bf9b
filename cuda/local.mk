# The CUDA backend. nvcc runs under libtool through a small wrapper, and writes the dependencies that Automake does not track.
CUDA_SOURCES = cuda/backend.cu
CUDA_INCLUDED =
CUDA_GALLERY =
CUDA_GALLERY_SORTS =
include cuda/device/local.mk
include cuda/common/local.mk
include cuda/scan/local.mk
include cuda/compact/local.mk
include cuda/top/local.mk
include cuda/rle/local.mk
include cuda/histogram/local.mk
include cuda/sort/local.mk
include cuda/sort/choose/local.mk
include cuda/sort/bins/local.mk
include cuda/sort/survey/local.mk
include cuda/sort/radix/local.mk
include cuda/sort/records/local.mk
include cuda/sort/merge/local.mk
include cuda/sort/many/local.mk
include cuda/sort/narrow/local.mk
include cuda/sort/network/local.mk
include cuda/sort/bucket/local.mk
include cuda/sort/sample/local.mk
include cuda/sort/pairs/local.mk
include cuda/sort/segments/local.mk
include cuda/image/local.mk
include cuda/gallery/local.mk
include cuda/gallery/block/local.mk
include cuda/gallery/grid/local.mk
include cuda/gallery/sort/local.mk

NVCCFLAGS = $(NVCC_SPEED) -std=c++20 --compiler-options=-fvisibility=hidden,-Wall,-Wextra
NVCCCOMPILE = $(SHELL) $(top_srcdir)/build-aux/nvcc-for-libtool $(NVCC) $(NVCC_ARCH) $(NVCCFLAGS) \
	-I. -I$(top_srcdir)/lib -I$(top_srcdir)/cuda
SUFFIXES = .cu
.cu.lo:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(LIBTOOL) $(AM_V_lt) --tag=CC $(AM_LIBTOOLFLAGS) --mode=compile $(NVCCCOMPILE) \
		-MMD -MP -MF $@.d -MT $@ -c $< -o $@
-include $(CUDA_SOURCES:.cu=.lo.d)

# What a predicate is compiled with at run time, as C strings: name, text.
CUDA_EMBEDDED = \
	cuda/common/row_ranks.cuh \
	cuda/common/ballot_ranks.cuh \
	cuda/common/block_sum.cuh \
	cuda/common/bulk.cuh \
	cuda/compact/element.cuh \
	cuda/compact/compact_tiles.cuh \
	cuda/compact/compact_part.cuh \
	cuda/common/lookback.cuh \
	cuda/common/ring.cuh \
	cuda/compact/ring_compact.cuh \
	cuda/common/tile.cuh \
	cuda/device/tuning.cuh \
	cuda/common/warp.cuh \
	lib/steps.h
cuda/embedded.inc: $(CUDA_EMBEDDED) cuda/compact/stand_ins.inc
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cat $(srcdir)/cuda/compact/stand_ins.inc >$@.tmp && for file in $(CUDA_EMBEDDED); do \
		echo "{\"$${file#*/}\"," && sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' $(srcdir)/$$file && echo '},' || exit 1; \
	done >>$@.tmp && mv $@.tmp $@
cuda/compact/compile.lo: cuda/embedded.inc
CLEANFILES += cuda/embedded.inc

# What includes all of the gallery.
cuda/gallery.inc: cuda/local.mk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && for file in $(CUDA_GALLERY); do echo "#include \"$${file#*/}\""; done >$@.tmp && mv $@.tmp $@
cuda/gallery/gallery_block.lo cuda/gallery/gallery_compact.lo cuda/gallery/gallery_reduce.lo cuda/gallery/gallery_scan.lo: cuda/gallery.inc
cuda/gallery_sorts.inc: cuda/local.mk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && for file in $(CUDA_GALLERY_SORTS); do echo "#include \"$${file#*/}\""; done >$@.tmp && mv $@.tmp $@
cuda/gallery/gallery_sort.lo: cuda/gallery.inc cuda/gallery_sorts.inc
CLEANFILES += cuda/gallery.inc cuda/gallery_sorts.inc

EXTRA_DIST += $(CUDA_SOURCES) $(CUDA_INCLUDED) $(CUDA_GALLERY) $(CUDA_GALLERY_SORTS)
if CUDA
noinst_LTLIBRARIES += cuda/libcuda.la
cuda_libcuda_la_SOURCES = $(CUDA_SOURCES)
endif
CLEANFILES += cuda/*.lo.d cuda/*/*.lo.d cuda/*/*/*.lo.d
