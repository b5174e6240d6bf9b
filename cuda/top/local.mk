CUDA_SOURCES += \
	cuda/top/top_few.cu \
	cuda/top/top_many.cu
CUDA_INCLUDED += \
	cuda/top/bucket_plan.cuh \
	cuda/top/collect_buckets.cuh \
	cuda/top/collect_first.cuh \
	cuda/top/element_order.cuh \
	cuda/top/narrowing.cuh \
	cuda/top/sample_threshold.cuh \
	cuda/top/sort_found.cuh \
	cuda/top/sort_taken.cuh \
	cuda/top/top_many.cuh
