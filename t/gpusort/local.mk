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
	t/gpusort/types.t

# Parts of gpusort, called by C programs.
SORT_UNIT_TESTS = t/gpusort/splitters.t
check_PROGRAMS += $(SORT_UNIT_TESTS)
TESTS += $(SORT_UNIT_TESTS)
t_gpusort_splitters_t_SOURCES = t/gpusort/splitters.c tools/sort/external/splitters.c
t_gpusort_splitters_t_LDADD = t/libtest.a $(TOOL_LDADD) -lpthread -lm
