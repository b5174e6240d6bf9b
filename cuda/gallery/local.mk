CUDA_SOURCES += \
	cuda/gallery/gallery_block.cu \
	cuda/gallery/gallery_compact.cu \
	cuda/gallery/gallery_reduce.cu \
	cuda/gallery/gallery_scan.cu \
	cuda/gallery/gallery_sort.cu
CUDA_INCLUDED += \
	cuda/gallery/gallery.cuh
