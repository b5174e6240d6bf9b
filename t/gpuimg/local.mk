TOOL_TESTS += t/gpuimg/damaged.t \
	t/gpuimg/faults.t \
	t/gpuimg/filters.t \
	t/gpuimg/formats.t \
	t/gpuimg/options.t \
	t/gpuimg/sat.t
TOOL_TEST_FILES += t/gpuimg/image.pl
