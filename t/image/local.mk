# Images.
LIBRARY_TESTS += \
	t/image/box-filter.t \
	t/image/depth-of-field.t \
	t/image/table.t

IMAGE_CANVAS = t/image/canvas.c t/image/canvas.h
IMAGE_BOX_ORACLE = t/image/box-oracle.c t/image/box-oracle.h

t_image_box_filter_t_SOURCES = t/image/box-filter.c $(IMAGE_BOX_ORACLE) $(IMAGE_CANVAS)
t_image_depth_of_field_t_SOURCES = t/image/depth-of-field.c $(IMAGE_CANVAS)
t_image_table_t_SOURCES = t/image/table.c $(IMAGE_CANVAS)
