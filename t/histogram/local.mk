# Histograms.
LIBRARY_TESTS += \
	t/histogram/histogram.t

t_histogram_histogram_t_SOURCES = t/histogram/histogram.c
