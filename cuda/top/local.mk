CUDA_SOURCES += \
	cuda/top/top_few.cu
CUDA_INCLUDED += \
	cuda/top/collect_first.cuh \
	cuda/top/element_order.cuh \
	cuda/top/narrowing.cuh \
	cuda/top/sample_threshold.cuh \
	cuda/top/sort_found.cuh
