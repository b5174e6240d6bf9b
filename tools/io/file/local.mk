# What the data path does to single files: parts, pages, temporaries.
tools_libtools_a_SOURCES += \
	tools/io/file/mapping.c \
	tools/io/file/mapping.h \
	tools/io/file/nameless.c \
	tools/io/file/nameless.h \
	tools/io/file/pread.c \
	tools/io/file/pread.h \
	tools/io/file/temporary.c \
	tools/io/file/temporary.h
