TOOL_TESTS += t/gpucompact/files.t \
	t/gpucompact/in-place.t \
	t/gpucompact/options.t \
	t/gpucompact/random.t \
	t/gpucompact/where.t
