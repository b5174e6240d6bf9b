CUDA_INCLUDED += \
	cuda/sort/radix/digits.cuh \
	cuda/sort/radix/few_digits.cuh \
	cuda/sort/radix/partition.cuh \
	cuda/sort/radix/pass.cuh \
	cuda/sort/radix/pass_states.cuh \
	cuda/sort/radix/radix_rank.cuh \
	cuda/sort/radix/radix_sort.cuh \
	cuda/sort/radix/split.cuh
