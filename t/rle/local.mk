# Run-length encoding and decoding.
LIBRARY_TESTS += \
	t/rle/rle.t

t_rle_rle_t_SOURCES = t/rle/rle.c
