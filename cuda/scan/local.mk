CUDA_SOURCES += \
	cuda/scan/reduce.cu \
	cuda/scan/scan.cu \
	cuda/scan/segmented_few.cu \
	cuda/scan/segmented_reduce.cu \
	cuda/scan/segmented_scan.cu
CUDA_INCLUDED += \
	cuda/scan/array_tile.cuh \
	cuda/scan/choose.h \
	cuda/scan/lane_sum.cuh \
	cuda/scan/narrow_sum.cuh \
	cuda/scan/ordered_scan.cuh \
	cuda/scan/reduce_parts.cuh \
	cuda/scan/ring_scan.cuh \
	cuda/scan/scan.cuh \
	cuda/scan/scan_call.cuh \
	cuda/scan/segment.cuh \
	cuda/scan/segmented_chunks.cuh \
	cuda/scan/segmented_few.cuh \
	cuda/scan/segmented_few.h \
	cuda/scan/segmented_input.cuh \
	cuda/scan/segmented_launch.cuh \
	cuda/scan/segmented_pieces.cuh \
	cuda/scan/segmented_reduce.cuh \
	cuda/scan/segmented_tiles.cuh \
	cuda/scan/unaligned_tile.cuh \
	cuda/scan/words.cuh
