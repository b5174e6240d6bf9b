CUDA_SOURCES += \
	cuda/histogram/histogram.cu
CUDA_INCLUDED += \
	cuda/histogram/bin_counts.cuh \
	cuda/histogram/count_bins.cuh \
	cuda/histogram/count_halves.cuh \
	cuda/histogram/count_keys.cuh
