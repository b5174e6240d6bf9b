TOOL_TESTS += t/gpusort/check.t \
	t/gpusort/files.t \
	t/gpusort/in-place.t \
	t/gpusort/keys.t \
	t/gpusort/merge.t \
	t/gpusort/options.t \
	t/gpusort/random.t \
	t/gpusort/types.t
