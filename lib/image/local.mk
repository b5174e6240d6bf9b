# Images: what checks them and composes filters from a backend's passes.
lib_libscankit_la_SOURCES += \
	lib/image/box_filter.c \
	lib/image/check.c \
	lib/image/check.h \
	lib/image/light.c \
	lib/image/light.h \
	lib/image/mipmap.c \
	lib/image/names.c \
	lib/image/table.c \
	lib/image/transpose.c
