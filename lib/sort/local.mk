# Sorts, of keys, pairs, records and columns; in segments; their first k elements; and merges.
lib_libscankit_la_SOURCES += \
	lib/sort/merge.c \
	lib/sort/progress.c \
	lib/sort/records.c \
	lib/sort/segmented_sort.c \
	lib/sort/sort.c \
	lib/sort/sort_columns.c \
	lib/sort/top_k.c
