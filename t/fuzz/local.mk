# Random texts and damaged files: a short run in make check, ten minutes each by make check-fuzz.
LIBRARY_TESTS += t/fuzz/predicate-texts.t
t_fuzz_predicate_texts_t_SOURCES = t/fuzz/predicate-texts.c

TOOL_FUZZERS = t/fuzz/damaged-containers.t
check_PROGRAMS += $(TOOL_FUZZERS)
t_fuzz_damaged_containers_t_SOURCES = t/fuzz/damaged-containers.c t/fuzz/rle-expand.c t/fuzz/rle-file.c t/fuzz/rle-file.h t/fuzz/run-tool.c t/fuzz/run-tool.h

.PHONY: check-fuzz
check-fuzz: t/fuzz/predicate-texts.t t/fuzz/damaged-containers.t gpurle
	SCANKIT_FUZZ_SECONDS=600 ./t/fuzz/predicate-texts.t
	SCANKIT_FUZZ_SECONDS=600 ./t/fuzz/damaged-containers.t
