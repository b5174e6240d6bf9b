# Parts of the run store: blocks, files of blocks, folders for temporaries, workspaces.
tools_libtools_a_SOURCES += \
	tools/io/store/manifest.c \
	tools/io/store/manifest.h \
	tools/io/store/page_cache.c \
	tools/io/store/page_cache.h \
	tools/io/store/run_block.c \
	tools/io/store/run_block.h \
	tools/io/store/run_file.h \
	tools/io/store/run_folder.c \
	tools/io/store/run_folder.h \
	tools/io/store/run_index.c \
	tools/io/store/run_index.h \
	tools/io/store/run_read.c \
	tools/io/store/run_verify.c \
	tools/io/store/run_write.c \
	tools/io/store/workspace.c \
	tools/io/store/workspace.h
if ZSTD
tools_libtools_a_SOURCES += tools/io/store/block_zstd.c
else
tools_libtools_a_SOURCES += tools/io/store/block_deflate.c
endif
EXTRA_DIST += tools/io/store/block_deflate.c tools/io/store/block_zstd.c
