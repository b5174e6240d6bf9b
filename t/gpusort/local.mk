TOOL_TESTS += t/gpusort/external.t \
	t/gpusort/external-faults.t \
	t/gpusort/check.t \
	t/gpusort/devices.t \
	t/gpusort/files.t \
	t/gpusort/gallery.t \
	t/gpusort/in-place.t \
	t/gpusort/job-array.t \
	t/gpusort/keys.t \
	t/gpusort/merge.t \
	t/gpusort/options.t \
	t/gpusort/random.t \
	t/gpusort/segments.t \
	t/gpusort/table.t \
	t/gpusort/types.t
TOOL_TEST_FILES += t/gpusort/tables.py
