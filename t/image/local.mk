# Images.
LIBRARY_TESTS += \
	t/image/box-filter.t \
	t/image/box-large.t \
	t/image/depth-of-field.t \
	t/image/mipmap.t \
	t/image/sample.t \
	t/image/same-devices.t \
	t/image/table.t \
	t/image/table-kernels.t \
	t/image/table-mean.t \
	t/image/transpose.t \
	t/image/scan-rows.t \
	t/image/image-arguments.t \
	t/image/image-names.t

IMAGE_CANVAS = t/image/canvas.c t/image/canvas.h
IMAGE_TABLE_CASE = t/image/table-case.c t/image/table-case.h $(IMAGE_CANVAS)
IMAGE_BOX_ORACLE = t/image/box-oracle.c t/image/box-oracle.h
IMAGE_LIGHT_ORACLE = t/image/light-oracle.c t/image/light-oracle.h

t_image_box_filter_t_SOURCES = t/image/box-filter.c $(IMAGE_BOX_ORACLE) $(IMAGE_CANVAS)
t_image_box_large_t_SOURCES = t/image/box-large.c $(IMAGE_CANVAS)
t_image_depth_of_field_t_SOURCES = t/image/depth-of-field.c $(IMAGE_CANVAS)
t_image_mipmap_t_SOURCES = t/image/mipmap.c $(IMAGE_LIGHT_ORACLE) $(IMAGE_CANVAS)
t_image_sample_t_SOURCES = t/image/sample.c $(IMAGE_LIGHT_ORACLE) $(IMAGE_CANVAS)
t_image_same_devices_t_SOURCES = t/image/same-devices.c $(IMAGE_CANVAS)
t_image_table_t_SOURCES = t/image/table.c $(IMAGE_TABLE_CASE)
t_image_table_kernels_t_SOURCES = t/image/table-kernels.c $(IMAGE_TABLE_CASE)
t_image_table_mean_t_SOURCES = t/image/table-mean.c $(IMAGE_TABLE_CASE)
t_image_transpose_t_SOURCES = t/image/transpose.c
t_image_scan_rows_t_SOURCES = t/image/scan-rows.c
t_image_image_arguments_t_SOURCES = t/image/image-arguments.c
t_image_image_names_t_SOURCES = t/image/image-names.c
