CUDA_SOURCES += \
	cuda/histogram/histogram.cu
CUDA_INCLUDED += \
	cuda/histogram/bin_counts.cuh \
	cuda/histogram/bin_parts.cuh \
	cuda/histogram/count_bins.cuh \
	cuda/histogram/count_halves.cuh \
	cuda/histogram/count_keys.cuh \
	cuda/histogram/count_parts.cuh \
	cuda/histogram/part_bins.cuh \
	cuda/histogram/spread.cuh
