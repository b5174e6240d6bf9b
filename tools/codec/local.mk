# Compressed files, in and out. A library that configure did not find has a stub.
tools_libtools_a_SOURCES += \
	tools/codec/bgzf.c \
	tools/codec/bgzf.h \
	tools/codec/codec.c \
	tools/codec/codec.h \
	tools/codec/decoder.c \
	tools/codec/decoder.h \
	tools/codec/deflate.c \
	tools/codec/deflate.h \
	tools/codec/encoder.c \
	tools/codec/encoder.h \
	tools/codec/format.h \
	tools/codec/gzip.c \
	tools/codec/gzip.h \
	tools/codec/inflate.h \
	tools/codec/isal.h \
	tools/codec/little.h \
	tools/codec/ring.c \
	tools/codec/ring.h \
	tools/codec/window.c \
	tools/codec/window.h \
	tools/codec/zstd_codec.h
codec_isal = tools/codec/inflate_isal.c tools/codec/isal.c
codec_noisal = tools/codec/inflate_zlib.c tools/codec/noisal.c
codec_zstd = tools/codec/zstd_read.c tools/codec/zstd_write.c
codec_nozstd = tools/codec/nozstd.c
if ISAL
tools_libtools_a_SOURCES += $(codec_isal)
else
tools_libtools_a_SOURCES += $(codec_noisal)
endif
if ZSTD
tools_libtools_a_SOURCES += $(codec_zstd)
else
tools_libtools_a_SOURCES += $(codec_nozstd)
endif
EXTRA_DIST += $(codec_isal) $(codec_noisal) $(codec_zstd) $(codec_nozstd)
