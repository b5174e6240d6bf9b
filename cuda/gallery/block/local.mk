CUDA_INCLUDED += \
	cuda/gallery/block/block_scan.cuh
# The file of each row of lib/gallery.h.
CUDA_GALLERY += \
	cuda/gallery/block/brent_kung.cuh \
	cuda/gallery/block/coarsened.cuh \
	cuda/gallery/block/conflict_free.cuh \
	cuda/gallery/block/double_buffered.cuh \
	cuda/gallery/block/kogge_stone.cuh \
	cuda/gallery/block/kogge_stone_double_buffered.cuh \
	cuda/gallery/block/reduce_divergent.cuh \
	cuda/gallery/block/reduce_sequential.cuh \
	cuda/gallery/block/reduce_shuffle.cuh \
	cuda/gallery/block/reduce_strided.cuh \
	cuda/gallery/block/vectorised.cuh \
	cuda/gallery/block/warp_shuffle.cuh \
	cuda/gallery/block/work_efficient.cuh
