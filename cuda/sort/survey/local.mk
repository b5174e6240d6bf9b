CUDA_INCLUDED += \
	cuda/sort/survey/bucket_sample.cuh \
	cuda/sort/survey/cdf_map.cuh \
	cuda/sort/survey/estimate.cuh \
	cuda/sort/survey/few_values.cuh \
	cuda/sort/survey/jitter.cuh \
	cuda/sort/survey/key_order.cuh \
	cuda/sort/survey/key_survey.cuh \
	cuda/sort/survey/reverse.cuh \
	cuda/sort/survey/see_order.cuh
