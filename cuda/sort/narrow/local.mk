CUDA_SOURCES += \
	cuda/sort/narrow/narrow.cu \
	cuda/sort/narrow/narrow_segments.cu
CUDA_INCLUDED += \
	cuda/sort/narrow/byte_runs.cuh \
	cuda/sort/narrow/narrow.cuh \
	cuda/sort/narrow/narrow_blocks.cuh \
	cuda/sort/narrow/narrow_segments.cuh
