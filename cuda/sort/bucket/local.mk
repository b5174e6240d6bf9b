CUDA_INCLUDED += \
	cuda/sort/bucket/bucket_sort.cuh \
	cuda/sort/bucket/buckets.cuh \
	cuda/sort/bucket/digit_sort.cuh \
	cuda/sort/bucket/few_keys.cuh \
	cuda/sort/bucket/heavy_hitters.cuh \
	cuda/sort/bucket/key_sort.cuh \
	cuda/sort/bucket/large_buckets.cuh \
	cuda/sort/bucket/scatter.cuh \
	cuda/sort/bucket/small_sort.cuh \
	cuda/sort/bucket/sort_buckets.cuh \
	cuda/sort/bucket/spilled_keys.cuh \
	cuda/sort/bucket/spread_again.cuh \
	cuda/sort/bucket/uncounted_sort.cuh \
	cuda/sort/bucket/window_sort.cuh
