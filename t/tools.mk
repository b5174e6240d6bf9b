# Tests of the tools, end to end.
TOOL_TESTS = t/gpusort-types.t t/gpusort-keys.t t/gpusort-check.t t/gpusort-merge.t t/gpusort-options.t t/gpusort-files.t \
	t/gpusort-in-place.t t/gpusort-random.t t/gpucompact-where.t t/gpucompact-options.t t/gpucompact-files.t \
	t/gpucompact-in-place.t t/gpucompact-random.t t/npy.t t/gzip.t t/io-faults.t t/man-examples.t
TOOL_TEST_FILES = t/lib.pl
