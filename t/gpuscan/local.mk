TOOL_TESTS += t/gpuscan/files.t \
	t/gpuscan/halves.t \
	t/gpuscan/histogram.t \
	t/gpuscan/options.t \
	t/gpuscan/random.t \
	t/gpuscan/segments.t \
	t/gpuscan/types.t
TOOL_TEST_FILES += t/gpuscan/scan.pl
