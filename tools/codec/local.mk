# Compressed files, in and out.
tools_libtools_a_SOURCES += \
	tools/codec/bgzf.c \
	tools/codec/bgzf.h \
	tools/codec/gzip.c \
	tools/codec/gzip.h
