# Pictures and their files; a fuzzer reads them too.
picture_files = \
	tools/image/file/format.c \
	tools/image/file/format.h \
	tools/image/file/header.c \
	tools/image/file/header.h \
	tools/image/file/npy_picture.c \
	tools/image/file/pam.c \
	tools/image/file/pfm.c \
	tools/image/file/picture.c \
	tools/image/file/picture.h \
	tools/image/file/pnm.c \
	tools/image/file/samples.c \
	tools/image/file/samples.h \
	tools/image/file/source.c \
	tools/image/file/source.h
if PNG
picture_files += tools/image/file/png_format.h tools/image/file/read_png.c tools/image/file/write_png.c
else
picture_files += tools/image/file/nopng.c
endif
EXTRA_DIST += tools/image/file/nopng.c tools/image/file/png_format.h tools/image/file/read_png.c tools/image/file/write_png.c
