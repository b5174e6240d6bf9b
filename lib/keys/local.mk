# Keys of records: layouts, words to sort by, positions, and the first descent. Sorts of positions: by columns, in segments.
lib_libscankit_la_SOURCES += \
	lib/keys/descent.c \
	lib/keys/index.c \
	lib/keys/key.c \
	lib/keys/layout.c \
	lib/keys/segmented_sort.c \
	lib/keys/select.c \
	lib/keys/sort_columns.c
