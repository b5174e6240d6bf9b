CUDA_SOURCES += \
	cuda/device/capture.cu \
	cuda/device/memory.cu \
	cuda/device/open.cu \
	cuda/device/pin.cu \
	cuda/device/result.cu \
	cuda/device/state.cu \
	cuda/device/stream.cu
CUDA_INCLUDED += \
	cuda/device/arena.cuh \
	cuda/device/check.cuh \
	cuda/device/device.cuh \
	cuda/device/host_word.cuh \
	cuda/device/launch.cuh \
	cuda/device/overlap.cuh \
	cuda/device/pin.cuh \
	cuda/device/tuning.cuh
