bin_PROGRAMS += gpuimg

# Pictures and their files; a fuzzer reads them too.
picture_files = \
	tools/image/format.c \
	tools/image/format.h \
	tools/image/header.c \
	tools/image/header.h \
	tools/image/npy_picture.c \
	tools/image/pam.c \
	tools/image/pfm.c \
	tools/image/picture.c \
	tools/image/picture.h \
	tools/image/pnm.c \
	tools/image/samples.c \
	tools/image/samples.h \
	tools/image/source.c \
	tools/image/source.h
if PNG
picture_files += tools/image/png_format.h tools/image/read_png.c tools/image/write_png.c
else
picture_files += tools/image/nopng.c
endif

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
EXTRA_DIST += tools/image/nopng.c tools/image/png_format.h tools/image/read_png.c tools/image/write_png.c
