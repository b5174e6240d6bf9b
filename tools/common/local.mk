# Shared by all tools.
tools_libtools_a_SOURCES += \
	tools/common/buffer.c \
	tools/common/buffer.h \
	tools/common/calibrate.c \
	tools/common/calibrate.h \
	tools/common/choice.c \
	tools/common/choice.h \
	tools/common/cli.c \
	tools/common/cli.h \
	tools/common/device.c \
	tools/common/device.h \
	tools/common/help.c \
	tools/common/help.h \
	tools/common/job.h \
	tools/common/memory.c \
	tools/common/memory.h \
	tools/common/options.c \
	tools/common/options.h \
	tools/common/progress.c \
	tools/common/progress.h \
	tools/common/schema.c \
	tools/common/schema.h \
	tools/common/signals.c \
	tools/common/signals.h \
	tools/common/stats.c \
	tools/common/stats.h \
	tools/common/threads.c \
	tools/common/threads.h \
	tools/common/tool.c \
	tools/common/tool.h \
	tools/common/types.h
