# Tests of what the tools have in common, end to end.
TOOL_TESTS += t/tools/gzip.t t/tools/io-faults.t t/tools/npy.t
TOOL_TEST_FILES += t/tools/lib.pl
