CUDA_SOURCES += \
	cuda/rle/reduce_by_key.cu \
	cuda/rle/rle.cu \
	cuda/rle/rle_decode.cu
CUDA_INCLUDED += \
	cuda/rle/choose.h \
	cuda/rle/encode_runs.cuh \
	cuda/rle/expand.cuh \
	cuda/rle/expand_few.cuh \
	cuda/rle/expand_launch.cuh \
	cuda/rle/reduce_runs.cuh \
	cuda/rle/ring_encode.cuh \
	cuda/rle/rle.cuh \
	cuda/rle/run_heads.cuh
