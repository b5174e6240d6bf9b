# The data path: files, pipes and .npy, in and out.
tools_libtools_a_SOURCES += \
	tools/io/arrow_input.c \
	tools/io/arrow_input.h \
	tools/io/block_queue.c \
	tools/io/block_queue.h \
	tools/io/choose.c \
	tools/io/choose.h \
	tools/io/content.c \
	tools/io/content.h \
	tools/io/hold.c \
	tools/io/hold.h \
	tools/io/input.c \
	tools/io/input.h \
	tools/io/npy.c \
	tools/io/npy.h \
	tools/io/output.c \
	tools/io/output.h \
	tools/io/pages.c \
	tools/io/pages.h \
	tools/io/pipeline.c \
	tools/io/pipeline.h \
	tools/io/reader.c \
	tools/io/reader.h \
	tools/io/run_store.c \
	tools/io/run_store.h \
	tools/io/segments.c \
	tools/io/segments.h \
	tools/io/sink.c \
	tools/io/sink.h \
	tools/io/writer.c \
	tools/io/writer.h
include tools/io/file/local.mk
include tools/io/store/local.mk
