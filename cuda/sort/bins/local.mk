CUDA_INCLUDED += \
	cuda/sort/bins/bin_order.cuh \
	cuda/sort/bins/fine_bins.cuh
