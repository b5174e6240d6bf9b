CUDA_SOURCES += cuda/sort/narrow/narrow.cu
CUDA_INCLUDED += \
	cuda/sort/narrow/byte_runs.cuh \
	cuda/sort/narrow/narrow.cuh
