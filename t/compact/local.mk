# Compaction.
LIBRARY_TESTS += \
	t/compact/compact.t

t_compact_compact_t_SOURCES = t/compact/compact.c
