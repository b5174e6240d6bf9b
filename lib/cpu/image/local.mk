# Images on a CPU.
lib_cpu_libcpu_la_SOURCES += \
	lib/cpu/image/blur_radii.c \
	lib/cpu/image/box.c \
	lib/cpu/image/box_line.c \
	lib/cpu/image/box_line.h \
	lib/cpu/image/box_map.c \
	lib/cpu/image/box_pixel.h \
	lib/cpu/image/box_rows.c \
	lib/cpu/image/box_rows.h \
	lib/cpu/image/channel_sums.c \
	lib/cpu/image/image_rows.h \
	lib/cpu/image/light_codec.c \
	lib/cpu/image/light_codec.h \
	lib/cpu/image/mipmap.c \
	lib/cpu/image/row_flow.h \
	lib/cpu/image/sample.c \
	lib/cpu/image/scan_rows.c \
	lib/cpu/image/table.c \
	lib/cpu/image/transpose.c
