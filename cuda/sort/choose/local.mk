CUDA_INCLUDED += \
	cuda/sort/choose/choose.h \
	cuda/sort/choose/report.cuh
