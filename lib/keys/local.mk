# Keys of records: layouts, words to sort by, bounds, positions, and the first descent.
lib_libscankit_la_SOURCES += \
	lib/keys/bound.c \
	lib/keys/descent.c \
	lib/keys/index.c \
	lib/keys/key.c \
	lib/keys/layout.c \
	lib/keys/select.c
