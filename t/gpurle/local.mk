TOOL_TESTS += t/gpurle/decode.t \
	t/gpurle/encode.t \
	t/gpurle/options.t \
	t/gpurle/text.t
TOOL_TEST_FILES += t/gpurle/rle.pl
