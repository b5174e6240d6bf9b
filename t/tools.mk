# Tests of the tools, end to end.
TOOL_TESTS = t/gpusort-types.t t/gpusort-keys.t t/gpusort-check.t t/gpusort-merge.t t/gpusort-options.t t/gpusort-files.t \
	t/gpusort-in-place.t t/gpusort-random.t t/gpucompact-where.t t/gpucompact-options.t t/gpucompact-files.t \
	t/gpucompact-in-place.t t/gpucompact-random.t t/gpurle-encode.t t/gpurle-decode.t t/gpurle-text.t \
	t/gpurle-options.t t/gpuscan-types.t t/gpuscan-segments.t t/gpuscan-options.t t/gpuscan-files.t \
	t/gpuscan-random.t t/npy.t t/gzip.t t/io-faults.t t/man-examples.t
TOOL_TEST_FILES = t/lib.pl t/rle.pl t/scan.pl

# Programs that run a tool.
TOOL_FUZZERS = t/fuzz-rle.t
check_PROGRAMS += $(TOOL_FUZZERS)
t_fuzz_rle_t_SOURCES = t/fuzz-rle.c t/rle-expand.c t/rle-file.c t/rle-file.h t/run-tool.c t/run-tool.h

# Containers for ten minutes; a build with sanitizers sees other things than one without.
.PHONY: check-fuzz-rle
check-fuzz: check-fuzz-rle
check-fuzz-rle: t/fuzz-rle.t gpurle
	SCANKIT_FUZZ_SECONDS=600 ./t/fuzz-rle.t
