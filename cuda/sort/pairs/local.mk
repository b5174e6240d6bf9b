CUDA_SOURCES += \
	cuda/sort/pairs/pairs.cu \
	cuda/sort/pairs/words.cu
CUDA_INCLUDED += \
	cuda/sort/pairs/pair_buckets.cuh \
	cuda/sort/pairs/pairs.cuh \
	cuda/sort/pairs/words.cuh
