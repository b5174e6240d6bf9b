# Histograms.
LIBRARY_TESTS += \
	t/histogram/histogram.t

t_histogram_histogram_t_SOURCES = t/histogram/bin-oracle.c t/histogram/bin-oracle.h t/histogram/histogram.c
