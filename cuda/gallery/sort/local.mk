CUDA_INCLUDED += \
	cuda/gallery/sort/bucket_rounds.cuh \
	cuda/gallery/sort/merge_tiles.cuh \
	cuda/gallery/sort/network.cuh \
	cuda/gallery/sort/runs.cuh \
	cuda/gallery/sort/sort_call.cuh \
	cuda/gallery/sort/split_chunks.cuh
# The file of each row of lib/gallery.h.
CUDA_GALLERY_SORTS += \
	cuda/gallery/sort/bitonic.cuh \
	cuda/gallery/sort/digit_sort.cuh \
	cuda/gallery/sort/gems.cuh \
	cuda/gallery/sort/hybrid_radix.cuh \
	cuda/gallery/sort/merge_path.cuh \
	cuda/gallery/sort/odd_even_merge.cuh \
	cuda/gallery/sort/onesweep.cuh \
	cuda/gallery/sort/sample.cuh \
	cuda/gallery/sort/split.cuh \
	cuda/gallery/sort/split_radix.cuh
