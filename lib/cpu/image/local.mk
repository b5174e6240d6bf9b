# Images on a CPU.
lib_cpu_libcpu_la_SOURCES += \
	lib/cpu/image/stub.c
