CUDA_SOURCES += \
	cuda/sort/many/merge_many.cu
CUDA_INCLUDED += \
	cuda/sort/many/merge_many.cuh \
	cuda/sort/many/merge_many_keys.cuh \
	cuda/sort/many/merge_many_pairs.cuh \
	cuda/sort/many/merge_rounds.cuh \
	cuda/sort/many/split_many.cuh \
	cuda/sort/many/tile_sources.cuh
