include tools/image/file/local.mk

bin_PROGRAMS += gpuimg

gpuimg_SOURCES = \
	$(picture_files) \
	tools/image/alpha.c \
	tools/image/alpha.h \
	tools/image/blur.c \
	tools/image/dof.c \
	tools/image/elements.c \
	tools/image/elements.h \
	tools/image/filtering.c \
	tools/image/filtering.h \
	tools/image/gpuimg.c \
	tools/image/info.c \
	tools/image/levels.c \
	tools/image/levels.h \
	tools/image/mipmap.c \
	tools/image/placed.c \
	tools/image/placed.h \
	tools/image/request.h \
	tools/image/sat.c \
	tools/image/session.c \
	tools/image/session.h \
	tools/image/table.c \
	tools/image/table.h
gpuimg_CFLAGS = $(TOOL_CFLAGS)
gpuimg_LDFLAGS = -pthread
gpuimg_LDADD = $(TOOL_LDADD) $(PNG_LIBS)
