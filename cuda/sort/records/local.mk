CUDA_SOURCES += \
	cuda/sort/records/merge_records.cu \
	cuda/sort/records/records.cu
CUDA_INCLUDED += \
	cuda/sort/records/key_words.cuh \
	cuda/sort/records/merge_records.cuh
