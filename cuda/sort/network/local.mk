# Sorting networks, and keys with places that they compare.
CUDA_INCLUDED += \
	cuda/sort/network/networks.cuh \
	cuda/sort/network/placed_key.cuh
