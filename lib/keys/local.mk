# Keys of records: layouts, words to sort by, positions, and the first descent.
lib_libscankit_la_SOURCES += \
	lib/keys/descent.c \
	lib/keys/index.c \
	lib/keys/key.c \
	lib/keys/layout.c \
	lib/keys/select.c
