CUDA_SOURCES += \
	cuda/sort/pairs/pairs.cu
CUDA_INCLUDED += \
	cuda/sort/pairs/count_pairs.cuh \
	cuda/sort/pairs/overfull_pairs.cuh \
	cuda/sort/pairs/pair_buckets.cuh \
	cuda/sort/pairs/pair_sample.cuh \
	cuda/sort/pairs/pairs.cuh \
	cuda/sort/pairs/see_pairs.cuh
