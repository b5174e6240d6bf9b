CUDA_INCLUDED += \
	cuda/gallery/grid/flag_counts.cuh \
	cuda/gallery/grid/hierarchical.cuh \
	cuda/gallery/grid/tree_reduce.cuh
# The file of each row of lib/gallery.h.
CUDA_GALLERY += \
	cuda/gallery/grid/chained.cuh \
	cuda/gallery/grid/gather_search.cuh \
	cuda/gallery/grid/lookback_thread.cuh \
	cuda/gallery/grid/naive.cuh \
	cuda/gallery/grid/scan_scatter.cuh \
	cuda/gallery/grid/sengupta_hybrid.cuh \
	cuda/gallery/grid/three_kernel.cuh
