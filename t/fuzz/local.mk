# Fuzzers: a short run in make check, ten minutes by make check-fuzz. A build with sanitizers sees the most.
LIBRARY_TESTS += t/fuzz/fuzz-predicate.t
t_fuzz_fuzz_predicate_t_SOURCES = t/fuzz/fuzz-predicate.c

TOOL_FUZZERS = t/fuzz/fuzz-rle.t
check_PROGRAMS += $(TOOL_FUZZERS)
t_fuzz_fuzz_rle_t_SOURCES = t/fuzz/fuzz-rle.c t/fuzz/rle-expand.c t/fuzz/rle-file.c t/fuzz/rle-file.h t/fuzz/run-tool.c t/fuzz/run-tool.h

.PHONY: check-fuzz
check-fuzz: t/fuzz/fuzz-predicate.t t/fuzz/fuzz-rle.t gpurle
	SCANKIT_FUZZ_SECONDS=600 ./t/fuzz/fuzz-predicate.t
	SCANKIT_FUZZ_SECONDS=600 ./t/fuzz/fuzz-rle.t
