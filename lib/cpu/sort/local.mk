# Sorts, and keys as words.
lib_cpu_libcpu_la_SOURCES += \
	lib/cpu/sort/bins.c \
	lib/cpu/sort/buckets.c \
	lib/cpu/sort/chunk_merge.c \
	lib/cpu/sort/columns.c \
	lib/cpu/sort/counting.c \
	lib/cpu/sort/descent.c \
	lib/cpu/sort/digits.c \
	lib/cpu/sort/encode.c \
	lib/cpu/sort/front.c \
	lib/cpu/sort/gather.c \
	lib/cpu/sort/heavy.c \
	lib/cpu/sort/hybrid.c \
	lib/cpu/sort/in_place.c \
	lib/cpu/sort/local.c \
	lib/cpu/sort/narrow.c \
	lib/cpu/sort/order.c \
	lib/cpu/sort/partition.c \
	lib/cpu/sort/pivots.c \
	lib/cpu/sort/positions.c \
	lib/cpu/sort/radix.c \
	lib/cpu/sort/records.c \
	lib/cpu/sort/runs.c \
	lib/cpu/sort/sample.c \
	lib/cpu/sort/segmented_sort.c \
	lib/cpu/sort/sort.c \
	lib/cpu/sort/spread.c \
	lib/cpu/sort/varying.c
