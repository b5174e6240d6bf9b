lib_cpu_libcpu_la_SOURCES += \
	lib/cpu/split/split.c \
	lib/cpu/split/staged_split.c \
	lib/cpu/split/few_ways.c
