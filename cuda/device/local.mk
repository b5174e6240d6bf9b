CUDA_INCLUDED += \
	cuda/device/arena.cuh \
	cuda/device/check.cuh \
	cuda/device/device.cuh \
	cuda/device/launch.cuh \
	cuda/device/overlap.cuh \
	cuda/device/tuning.cuh
