CUDA_SOURCES += \
	cuda/sort/chunk_sort.cu \
	cuda/sort/few_words.cu \
	cuda/sort/keys.cu \
	cuda/sort/merged_parts.cu \
	cuda/sort/sort.cu \
	cuda/sort/split.cu \
	cuda/sort/wide_pairs.cu \
	cuda/sort/words.cu
CUDA_INCLUDED += \
	cuda/sort/chunk_sort.cuh \
	cuda/sort/few_words.cuh \
	cuda/sort/keys.cuh \
	cuda/sort/lane_order.cuh \
	cuda/sort/merged_parts.cuh \
	cuda/sort/wide_pairs.cuh \
	cuda/sort/words.cuh
