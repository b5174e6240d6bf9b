CUDA_SOURCES += \
	cuda/image/blur_radii.cu \
	cuda/image/box.cu \
	cuda/image/box_map.cu \
	cuda/image/channel_sums.cu \
	cuda/image/mipmap.cu \
	cuda/image/sample.cu \
	cuda/image/scan_rows.cu \
	cuda/image/table.cu \
	cuda/image/transpose.cu
CUDA_INCLUDED += \
	cuda/image/bands_above.cuh \
	cuda/image/box_map.cuh \
	cuda/image/box_pass.cuh \
	cuda/image/box_ring.cuh \
	cuda/image/box_segments.cuh \
	cuda/image/box_streams.cuh \
	cuda/image/channel_lanes.cuh \
	cuda/image/choose_box.h \
	cuda/image/choose_rows.h \
	cuda/image/choose_table.h \
	cuda/image/element_vector.cuh \
	cuda/image/light.cuh \
	cuda/image/mip_level.cuh \
	cuda/image/picture.cuh \
	cuda/image/table.cuh \
	cuda/image/table_rows.cuh \
	cuda/image/transpose.cuh \
	cuda/image/transpose_rows.cuh \
	cuda/image/vector_band.cuh
