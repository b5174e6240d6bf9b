# The textbook algorithms, for the tools that run them.
tools_libtools_a_SOURCES += \
	tools/gallery/gallery.c \
	tools/gallery/gallery.h
