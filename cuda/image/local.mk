CUDA_SOURCES += \
	cuda/image/blur_radii.cu \
	cuda/image/box.cu \
	cuda/image/box_map.cu \
	cuda/image/mipmap.cu \
	cuda/image/sample.cu \
	cuda/image/scan_rows.cu \
	cuda/image/transpose.cu
CUDA_INCLUDED += \
	cuda/image/box_map.cuh \
	cuda/image/box_pass.cuh \
	cuda/image/box_rows.cuh \
	cuda/image/choose_box.h \
	cuda/image/choose_rows.h \
	cuda/image/light.cuh \
	cuda/image/mip_level.cuh \
	cuda/image/picture.cuh \
	cuda/image/transpose.cuh
