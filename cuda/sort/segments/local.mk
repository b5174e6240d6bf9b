# Segmented sort.
CUDA_SOURCES += \
	cuda/sort/segments/captured_segments.cu \
	cuda/sort/segments/long_segments.cu \
	cuda/sort/segments/own_block_segments.cu \
	cuda/sort/segments/own_class_segments.cu \
	cuda/sort/segments/own_number_segments.cu \
	cuda/sort/segments/segmented_sort.cu \
	cuda/sort/segments/short_segments.cu \
	cuda/sort/segments/sliced_segments.cu
CUDA_INCLUDED += \
	cuda/sort/segments/block_segments.cuh \
	cuda/sort/segments/captured_segments.cuh \
	cuda/sort/segments/classes.cuh \
	cuda/sort/segments/few_segments.cuh \
	cuda/sort/segments/lane_segments.cuh \
	cuda/sort/segments/long_keys.cuh \
	cuda/sort/segments/long_segments.cuh \
	cuda/sort/segments/own_block_segments.cuh \
	cuda/sort/segments/own_blocks.cuh \
	cuda/sort/segments/own_launch.cuh \
	cuda/sort/segments/own_memory.cuh \
	cuda/sort/segments/segment_bins.cuh \
	cuda/sort/segments/segment_digits.cuh \
	cuda/sort/segments/segment_element.cuh \
	cuda/sort/segments/segment_groups.cuh \
	cuda/sort/segments/segments.cuh \
	cuda/sort/segments/short_segments.cuh \
	cuda/sort/segments/sliced_segments.cuh \
	cuda/sort/segments/slices.cuh \
	cuda/sort/segments/split_segments.cuh \
	cuda/sort/segments/splitters.cuh \
	cuda/sort/segments/tiny_segments.cuh
