# Tests of what the tools have in common, end to end.
TOOL_TESTS += t/tools/arrow.t t/tools/both.t t/tools/codec.t t/tools/completions.t t/tools/device.t t/tools/ends.t \
	t/tools/gzip.t t/tools/io-faults.t t/tools/memory.t t/tools/npy.t t/tools/several.t t/tools/sync.t \
	t/tools/targets.t t/tools/text.t t/tools/text-errors.t t/tools/zstd.t
TOOL_TEST_FILES += t/tools/inject.c t/tools/inject.pl t/tools/lib.pl \
	t/tools/arrow/delta.arrows \
	t/tools/arrow/dictionary.arrow \
	t/tools/arrow/holes.arrow \
	t/tools/arrow/long.arrows \
	t/tools/arrow/lz4.arrow \
	t/tools/arrow/make.py \
	t/tools/arrow/none.arrow \
	t/tools/arrow/one.arrow \
	t/tools/arrow/one.arrows \
	t/tools/arrow/other.arrow \
	t/tools/arrow/replaced.arrows \
	t/tools/arrow/same.arrow \
	t/tools/arrow/small-zstd.arrows \
	t/tools/arrow/small.arrow \
	t/tools/arrow/small.arrows \
	t/tools/arrow/table-zstd.arrow \
	t/tools/arrow/table.arrow \
	t/tools/arrow/table.arrows \
	t/tools/arrow/types.arrow \
	t/tools/arrow/types.arrows \
	t/tools/arrow/view.arrow \
	t/tools/arrow/zstd.arrow

# How long devices take, and the file of figures.
MODEL_TESTS = t/tools/model.t
check_PROGRAMS += $(MODEL_TESTS)
TESTS += $(MODEL_TESTS)
t_tools_model_t_SOURCES = t/tools/model.c
t_tools_model_t_LDADD = t/libtest.a $(TOOL_LDADD) -lpthread -lm

# Faults, preloaded into the tools. If the shared object cannot be built, the tests that need it are skipped.
check_DATA = t/tools/inject.so
CLEANFILES += t/tools/inject.so
t/tools/inject.so: $(srcdir)/t/tools/inject.c
	@$(MKDIR_P) t/tools
	-$(AM_V_CC)$(CC) -shared -fPIC -O1 -o $@ $(srcdir)/t/tools/inject.c -ldl -lpthread

# Parts of the tools, called by C programs.
UNIT_TESTS = t/tools/pages.t t/tools/resident.t t/tools/run-store.t t/tools/text-blocks.t \
	t/tools/text-floats.t t/tools/workspace.t
check_PROGRAMS += $(UNIT_TESTS)
unit_shared = t/tools/child.c t/tools/child.h
unit_ldadd = t/libtest.a $(TOOL_LDADD) -lpthread -lm
t_tools_pages_t_SOURCES = t/tools/pages.c $(unit_shared)
t_tools_pages_t_LDADD = $(unit_ldadd)
t_tools_resident_t_SOURCES = t/tools/resident.c $(unit_shared)
t_tools_resident_t_LDADD = $(unit_ldadd)
t_tools_run_store_t_SOURCES = t/tools/run-store.c $(unit_shared)
t_tools_run_store_t_LDADD = $(unit_ldadd)
t_tools_text_blocks_t_SOURCES = t/tools/text-blocks.c
t_tools_text_blocks_t_LDADD = $(unit_ldadd)
t_tools_text_floats_t_SOURCES = t/tools/text-floats.c
t_tools_text_floats_t_LDADD = $(unit_ldadd)
t_tools_workspace_t_SOURCES = t/tools/workspace.c $(unit_shared)
t_tools_workspace_t_LDADD = $(unit_ldadd)
