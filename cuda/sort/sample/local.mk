CUDA_SOURCES += \
	cuda/sort/sample/sample_sort.cu
CUDA_INCLUDED += \
	cuda/sort/sample/long_sort.cuh \
	cuda/sort/sample/sample_bins.cuh \
	cuda/sort/sample/sample_sort.cuh \
	cuda/sort/sample/scatter_bins.cuh \
	cuda/sort/sample/sort_bins.cuh
