# Merges of two sorted arrays and of many.
lib_cpu_libcpu_la_SOURCES += \
	lib/cpu/merge/merge.c \
	lib/cpu/merge/merge_cuts.c \
	lib/cpu/merge/merge_cuts.h \
	lib/cpu/merge/merge_many.c \
	lib/cpu/merge/merge_tree.c \
	lib/cpu/merge/merge_tree.h
