# Images on a CPU.
lib_cpu_libcpu_la_SOURCES += \
	lib/cpu/image/channel_sums.c \
	lib/cpu/image/scan_rows.c \
	lib/cpu/image/stub.c \
	lib/cpu/image/table.c \
	lib/cpu/image/transpose.c
