# Parts of the run store: blocks, files of blocks, folders for temporaries, workspaces.
tools_libtools_a_SOURCES += \
	tools/io/store/run_block.c \
	tools/io/store/run_block.h \
	tools/io/store/run_file.c \
	tools/io/store/run_file.h \
	tools/io/store/run_folder.c \
	tools/io/store/run_folder.h
