CUDA_SOURCES += \
	cuda/sort/merge/merge.cu
CUDA_INCLUDED += \
	cuda/sort/merge/bitonic_sort.cuh \
	cuda/sort/merge/merge.cuh \
	cuda/sort/merge/merge_keys.cuh \
	cuda/sort/merge/merge_pairs.cuh \
	cuda/sort/merge/merge_path.cuh \
	cuda/sort/merge/merge_places.cuh \
	cuda/sort/merge/warp_merge.cuh
