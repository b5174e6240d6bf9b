# Segmented sort.
CUDA_SOURCES += \
	cuda/sort/segments/long_segments.cu \
	cuda/sort/segments/segmented_sort.cu
CUDA_INCLUDED += \
	cuda/sort/segments/block_segments.cuh \
	cuda/sort/segments/classes.cuh \
	cuda/sort/segments/gathered.cuh \
	cuda/sort/segments/lane_segments.cuh \
	cuda/sort/segments/long_segments.cuh \
	cuda/sort/segments/segments.cuh
