# The gallery on a CPU.
lib_cpu_libcpu_la_SOURCES += \
	lib/cpu/gallery/american_flag.inc \
	lib/cpu/gallery/gallery.c \
	lib/cpu/gallery/lsd_radix.inc \
	lib/cpu/gallery/merge_sort.inc \
	lib/cpu/gallery/sample_sort.inc \
	lib/cpu/gallery/sorts.c
