# Histograms: arguments, bins, and sums of float weights.
lib_libscankit_la_SOURCES += \
	lib/histogram/bins.c \
	lib/histogram/histogram.c \
	lib/histogram/histogram.h
